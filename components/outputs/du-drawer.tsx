"use client";
import { Drawer } from "@mantine/core";
import { IconPin } from "@tabler/icons-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import plain from "#components/ui/plain-table.module.css";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { MarkGlyph } from "#components/ui/status-glyph.tsx";
import { useHref } from "#components/ui/use-href.ts";
import { emptyText, formatNumber, formatRange } from "#lib/core/format.ts";
import { teamText } from "#lib/planning-engine/outputs/logic.ts";
import type { OutputActivity, OutputDetails, Pegging } from "#lib/planning-engine/outputs/schema.ts";
import { Bones } from "./bones.tsx";
import { DatedText } from "./dated-text.tsx";
import { GapReason } from "./gap-reason.tsx";
import classes from "./outputs.module.css";
import { useOutput } from "./use-output.ts";

type Props = { runId: number; duId: number; onOpenDu: (duId: number) => void; onClose: () => void };

/** One DU of an output: who does what when, why each date is what it is, where its material comes from and what is missing. */
export function DuDrawer({ runId, duId, onOpenDu, onClose }: Props) {
  const t = useTranslations("outputs.detail");
  const common = useTranslations("common");
  const href = useHref();
  const found = useOutput<OutputDetails>("engine/output/find/outputPlan/details", { runId, duId });
  // While the next DU is read, the one before is not shown under its name.
  const data = found.isPlaceholderData ? undefined : found.data;
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={860}
      title={data ? `${data.du.duCode} ${data.du.duName}` : t("title")}
      closeButtonProps={{ "aria-label": common("close") }}
    >
      {found.isError ? (
        <ErrorPanel title={t("failed")} failed={found.error} onRetry={() => void found.refetch()} />
      ) : !data ? (
        <Bones />
      ) : (
        <div className={classes.drawer}>
          <DuFacts du={data.du} />
          <p className={classes.quiet}>
            <Link href={href("rolloutPlan", { query: { du: data.du.duCode } })} prefetch={false}>
              {t("inPlan")}
            </Link>
          </p>
          <section aria-label={t("activities")}>
            <h3 className={classes.part}>{t("activities")}</h3>
            <Activities activities={data.activities} onOpenDu={onOpenDu} />
          </section>
          {data.gaps.length > 0 ? (
            <section aria-label={t("gaps")}>
              <h3 className={classes.part}>{t("gaps")}</h3>
              <ScrollRegion className={plain.scroll} label={t("gaps")}>
                <table className={`${plain.table} ${classes.dense}`}>
                  <thead>
                    <tr>
                      <th scope="col">{t("item")}</th>
                      <th scope="col" data-align="right">
                        {t("required")}
                      </th>
                      <th scope="col" data-align="right">
                        {t("short")}
                      </th>
                      <th scope="col">{t("needDate")}</th>
                      <th scope="col">{t("coverDate")}</th>
                      <th scope="col">{common("reason")}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {data.gaps.map((gap) => (
                      <tr key={gap.itemCode}>
                        <th scope="row">{gap.itemCode}</th>
                        <td data-align="right">{formatNumber(gap.requiredQty)}</td>
                        <td data-align="right">{formatNumber(gap.shortQty)}</td>
                        <td>{gap.needDate}</td>
                        <td>{gap.coverDate ?? emptyText}</td>
                        <td>
                          <GapReason reason={gap.reason} />
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </ScrollRegion>
            </section>
          ) : null}
          <section aria-label={t("pegging")}>
            <h3 className={classes.part}>{t("pegging")}</h3>
            {data.pegging.length === 0 ? (
              <p className={classes.quiet}>{t("noPegging")}</p>
            ) : (
              <PeggingTable rows={data.pegging} onOpenDu={onOpenDu} />
            )}
          </section>
        </div>
      )}
    </Drawer>
  );
}

function DuFacts({ du }: { du: OutputDetails["du"] }) {
  const t = useTranslations("outputs.detail");
  const facts: [label: string, value: string, tone?: "late"][] = [
    [t("flow"), du.workflowName],
    [t("region"), du.region ?? emptyText],
    ...(du.cluster
      ? [[t("cluster"), du.clusterGate ? t("gate", { cluster: du.cluster, day: du.clusterGate }) : du.cluster] as [string, string]]
      : []),
    [t("span"), formatRange(du.firstStart, du.lastEnd)],
    [t("anchor"), du.anchorEnd ?? emptyText],
    [t("due"), du.dueDate ?? t("noDue")],
    du.lateDays > 0 ? [t("late"), t("lateDays", { count: du.lateDays }), "late"] : [t("late"), t("onTime")],
    [t("rank"), formatNumber(du.rank)],
  ];
  return (
    <dl className={classes.facts}>
      {facts.map(([label, value, tone]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd data-tone={tone}>
            {tone ? <MarkGlyph mark="warning" /> : null} {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Activities({ activities, onOpenDu }: { activities: readonly OutputActivity[]; onOpenDu: (duId: number) => void }) {
  const t = useTranslations("outputs.detail");
  const common = useTranslations("common");
  return (
    <ScrollRegion className={plain.scroll} label={t("activities")}>
      <table className={`${plain.table} ${classes.dense}`}>
        <thead>
          <tr>
            <th scope="col">{common("activity")}</th>
            <th scope="col">{t("start")}</th>
            <th scope="col">{t("end")}</th>
            <th scope="col">{t("team")}</th>
            <th scope="col">{t("why")}</th>
          </tr>
        </thead>
        <tbody>
          {activities.map((activity) => (
            <tr key={activity.position}>
              <th scope="row" title={activity.activityName}>
                {activity.fixed ? <IconPin size={12} stroke={1.7} role="img" aria-label={t("kept")} /> : null} {activity.activityName}
              </th>
              <td>{activity.start ?? emptyText}</td>
              <td>{activity.end ?? emptyText}</td>
              <td title={activity.poolRegion ?? undefined}>
                {activity.skillType === null ? emptyText : teamText({ ...activity, skillType: activity.skillType }, activity.team)}
                {activity.skillType !== null && activity.team === 0 ? <span className={classes.warn}> {t("noTeam")}</span> : null}
              </td>
              <td className={classes.wrap}>
                {activity.binding ? (
                  <>
                    <DatedText>{activity.binding.text}</DatedText>{" "}
                    {activity.binding.refDuId === null ? null : (
                      <button type="button" className={classes.link} onClick={() => onOpenDu(activity.binding?.refDuId ?? 0)}>
                        {t("openDu", { du: activity.binding.ref ?? "" })}
                      </button>
                    )}
                  </>
                ) : (
                  emptyText
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function PeggingTable({ rows, onOpenDu }: { rows: readonly Pegging[]; onOpenDu: (duId: number) => void }) {
  const t = useTranslations("outputs.detail");
  return (
    <ScrollRegion className={plain.scroll} label={t("pegging")}>
      <table className={`${plain.table} ${classes.dense}`}>
        <thead>
          <tr>
            <th scope="col">{t("item")}</th>
            <th scope="col">{t("taken")}</th>
            <th scope="col" data-align="right">
              {t("qty")}
            </th>
            <th scope="col" data-align="right">
              {t("covers")}
            </th>
            <th scope="col">{t("source")}</th>
            <th scope="col">{t("available")}</th>
            <th scope="col">{t("needDate")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              <th scope="row">{row.designItemCode}</th>
              <td>{row.substituteGroup === null ? row.itemCode : t("substitute", { item: row.itemCode, group: row.substituteGroup })}</td>
              <td data-align="right">{formatNumber(row.qty)}</td>
              <td data-align="right">{formatNumber(row.coversQty)}</td>
              <td>
                {t(`from.${row.source}`)} {row.warehouse ?? ""}
                {row.donorDuId !== null ? (
                  <button type="button" className={classes.link} onClick={() => onOpenDu(row.donorDuId ?? 0)}>
                    {row.donorDuCode}
                  </button>
                ) : null}
              </td>
              <td>{row.availableDate}</td>
              <td>{row.needDate}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
