"use client";
import { IconRosetteDiscountCheck } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import plain from "#components/ui/plain-table.module.css";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { MarkGlyph } from "#components/ui/status-glyph.tsx";
import { useSession } from "#components/ui/use-session.tsx";
import { emptyText, formatMoment, formatNumber, formatSpan } from "#lib/core/format.ts";
import type { LevelFact, RunFacts } from "#lib/planning-engine/outputs/schema.ts";
import type { RunHead } from "#lib/planning-engine/runs/schema.ts";
import { Bones } from "./bones.tsx";
import { DiagnosisList } from "./diagnosis-list.tsx";
import classes from "./outputs.module.css";
import { useOutput } from "./use-output.ts";

/** Levels that count what is maximised, so they are kept as negative numbers. */
const turned = new Set(["earliestStart", "duStarts"]);

/** How good a plan is and who says so; of a run without one, why there is none. */
export function RunFactsView({ run, onOpenDu }: { run: RunHead; onOpenDu: ((duId: number) => void) | undefined }) {
  const t = useTranslations("outputs.facts");
  const found = useOutput<RunFacts>("engine/output/find/facts", { runId: run.id });
  if (found.isError) return <ErrorPanel title={t("failed")} failed={found.error} onRetry={() => void found.refetch()} />;
  if (!found.data || found.isPlaceholderData) return <Bones />;
  const facts = found.data;
  return (
    <ScrollRegion className={classes.facts2} label={t("label")}>
      {facts.diagnosis && facts.diagnosis.rows.length > 0 ? (
        <DiagnosisList run={facts.run} diagnosis={facts.diagnosis} onOpenDu={onOpenDu} />
      ) : null}
      {!facts.run.hasOutput && !facts.diagnosis?.rows.length ? (
        <ErrorPanel title={t(`ended.${facts.run.status as "failed"}`)} text={facts.run.message ?? undefined} />
      ) : null}
      {facts.levels.length > 0 ? <Levels levels={facts.levels} /> : null}
      <div className={classes.columns}>
        {facts.check ? <CheckReport check={facts.check} /> : null}
        {facts.bottlenecks.length > 0 ? <Bottlenecks rows={facts.bottlenecks} /> : null}
        <RunRecord facts={facts} />
      </div>
    </ScrollRegion>
  );
}

function Levels({ levels }: { levels: readonly LevelFact[] }) {
  const t = useTranslations("outputs.facts");
  const known = (name: string) => t.has(`level.${name}` as never);
  const number = (level: LevelFact, value: number) => formatNumber(turned.has(level.level) ? -value : value);
  return (
    <section aria-label={t("levels")}>
      <h3 className={classes.part}>{t("levels")}</h3>
      <p className={classes.quiet}>{t("levelsHelp")}</p>
      <table className={`${plain.table} ${classes.dense}`}>
        <thead>
          <tr>
            <th scope="col" data-align="right">
              {t("place")}
            </th>
            <th scope="col">{t("aim")}</th>
            <th scope="col" data-align="right">
              {t("value")}
            </th>
            <th scope="col" data-align="right">
              {t("bound")}
            </th>
            <th scope="col" data-align="right">
              {t("gap")}
            </th>
            <th scope="col">{t("proof")}</th>
          </tr>
        </thead>
        <tbody>
          {levels.map((level, at) => (
            <tr key={`${level.level} ${level.rankClass}`}>
              <td data-align="right">{at + 1}</td>
              <th scope="row">
                {known(level.level) ? t(`level.${level.level}` as "level.gapDus") : level.level}
                {level.rankClass === null ? "" : ` ${t("rankClass", { number: level.rankClass + 1 })}`}
              </th>
              <td data-align="right">{number(level, level.value)}</td>
              <td data-align="right">{level.bound === null ? emptyText : number(level, level.bound)}</td>
              <td data-align="right">{level.gap === null ? emptyText : `${formatNumber(level.gap, 2)}\u00a0%`}</td>
              <td>
                {level.proved ? (
                  <span className={classes.good}>
                    <IconRosetteDiscountCheck size={14} stroke={1.4} aria-hidden="true" /> {t(`proved.${level.proved}`)}
                  </span>
                ) : (
                  emptyText
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function CheckReport({ check }: { check: NonNullable<RunFacts["check"]> }) {
  const t = useTranslations("outputs.facts");
  const { offset } = useSession();
  return (
    <section aria-label={t("check")}>
      <h3 className={classes.part}>{t("check")}</h3>
      <p className={check.signed ? classes.good : classes.bad}>
        {check.signed ? <IconRosetteDiscountCheck size={16} stroke={1.4} aria-hidden="true" /> : <MarkGlyph mark="refused" />}{" "}
        {t(check.signed ? "signed" : "unsigned", { at: formatMoment(check.at, offset) })}
      </p>
      <ul className={classes.rules}>
        {check.rules.map(({ rule, violations }) => (
          <li key={rule} data-bad={violations > 0 || undefined}>
            <b>{rule}</b> {t.has(`rule.${rule}` as never) ? t(`rule.${rule}` as "rule.C1") : ""}{" "}
            <span>{violations === 0 ? t("kept") : t("broken", { count: violations })}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Bottlenecks({ rows }: { rows: RunFacts["bottlenecks"] }) {
  const t = useTranslations("outputs.facts");
  const most = Math.max(1, ...rows.map(({ lateDays }) => lateDays));
  return (
    <section aria-label={t("bottlenecks")}>
      <h3 className={classes.part}>{t("bottlenecks")}</h3>
      <p className={classes.quiet}>{t("bottlenecksHelp")}</p>
      <ul className={classes.bars}>
        {rows.map(({ kind, name, lateDus, lateDays }) => (
          <li key={`${kind} ${name}`}>
            <span>
              {t(`kind.${kind}`)} {name}
            </span>
            <span className={classes.track}>
              <span style={{ width: `${(lateDays / most) * 100}%` }} />
            </span>
            <span>{t("lateBy", { dus: lateDus, days: formatNumber(lateDays) })}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function RunRecord({ facts }: { facts: RunFacts }) {
  const t = useTranslations("outputs.facts");
  const all = useTranslations("outputs");
  const { offset } = useSession();
  const { run, evaluations } = facts;
  const took = run.startedAt && run.finishedAt ? new Date(run.finishedAt).getTime() - new Date(run.startedAt).getTime() : null;
  const rows: [string, string, boolean?][] = [
    [t("record.status"), all(run.stoppedEarly && run.status === "success" ? "runState.stopped" : `runState.${run.status}`)],
    [t("record.by"), run.requestedBy],
    [t("record.started"), formatMoment(run.startedAt, offset)],
    [t("record.took"), formatSpan(took)],
    [t("record.planStart"), run.planStartDate],
    [t("record.evaluations"), t("record.of", { done: formatNumber(evaluations.total), limit: formatNumber(evaluations.limit) })],
    [t("record.components"), formatNumber(evaluations.components.length)],
    ...(run.baseRunId !== null || run.basePlan
      ? ([
          [t("record.base"), run.basePlan ? t("record.basePlan") : `#${run.baseRunId}`],
          [t("record.stability"), formatNumber(run.stabilityWeight)],
          [t("record.frozen"), formatNumber(run.frozenDays)],
        ] as [string, string][])
      : []),
    [t("record.seed"), String(facts.seed)],
    [t("record.code"), facts.codeVersion],
    [t("record.hash"), facts.snapshotSha256, true],
  ];
  return (
    <section aria-label={t("record.label")}>
      <h3 className={classes.part}>{t("record.label")}</h3>
      <dl className={classes.record}>
        {rows.map(([label, value, mono]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className={mono ? classes.mono : undefined}>{value}</dd>
          </div>
        ))}
      </dl>
      <p className={classes.quiet}>{t("record.repeat")}</p>
    </section>
  );
}
