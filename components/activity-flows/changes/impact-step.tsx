"use client";
import { Button } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { LinkButton } from "#components/ui/link-button.tsx";
import { useHref } from "#components/ui/use-href.ts";
import { type Impact, sumImpacts } from "#lib/activity-flows/changes/logic.ts";
import type { ChangeCheck, ChangeFlow, MappingRow } from "./change-data.ts";
import classes from "./changes.module.css";
import { ImpactFigures } from "./impact-figures.tsx";
import type { Draft } from "./new-change-page.tsx";
import { PairTable } from "./pair-table.tsx";

type Props = {
  draft: Draft;
  check: UseQueryResult<ChangeCheck>;
  mappings: readonly MappingRow[];
  mapping: MappingRow | null;
  /** null when the DUs follow several flows. */
  oldFlow: ChangeFlow | null;
  newFlow: ChangeFlow | null;
  onChange: (change: Partial<Draft>) => void;
};

/** Second step: what is deleted and kept, in numbers and activity by activity, and which DUs must stay as they are. */
export function ImpactStep({ draft, check, mappings, mapping, oldFlow, newFlow, onChange }: Props) {
  const t = useTranslations("flow-changes");
  const href = useHref();
  const id = useId();
  if (check.isError) return <ErrorPanel title={t("check.failed")} failed={check.error} onRetry={() => check.refetch()} />;
  const dus = check.data?.dus ?? [];
  const refused = dus.filter((du) => du.problems.length > 0);
  const impacts = dus.flatMap((du) => (du.problems.length === 0 && du.impact ? [du.impact as Impact] : []));
  const leaveOut = () => {
    const out = new Set(refused.map((du) => du.duId));
    onChange({ chosen: new Map([...draft.chosen].filter(([duId]) => !out.has(duId))) });
  };
  return (
    <div className={classes.page} aria-busy={check.isFetching}>
      <section className={classes.section} aria-live="polite">
        {check.data ? <h2>{t("check.title", { count: impacts.length })}</h2> : null}
        {check.data ? <ImpactFigures impact={sumImpacts(impacts)} /> : <p className={classes.help}>{t("check.running")}</p>}
        {check.data ? <p className={classes.help}>{t(check.data.needsApproval ? "check.asks" : "check.now")}</p> : null}
      </section>
      {refused.length > 0 ? (
        <section className={classes.refused} role="alert">
          <h2>{t("check.refused", { count: refused.length })}</h2>
          <Problems dus={refused} />
          <Button disabled={refused.length === draft.chosen.size} onClick={leaveOut}>
            {t("check.leaveOut", { count: refused.length })}
          </Button>
        </section>
      ) : null}
      {draft.kind === "change" ? (
        <section className={classes.section}>
          <h2>{t("mapping.title")}</h2>
          {oldFlow ? (
            <div className={classes.mappingChoice}>
              <label htmlFor={`${id}-mapping`}>{t("mapping.choose")}</label>
              <select
                id={`${id}-mapping`}
                className={classes.select}
                value={mapping?.id ?? ""}
                onChange={(event) => onChange({ mappingId: event.currentTarget.value === "" ? null : Number(event.currentTarget.value) })}
              >
                <option value="">{t("mapping.none")}</option>
                {mappings.map((one) => (
                  <option key={one.id} value={one.id}>
                    {one.isDefault ? t("mapping.default", { name: one.name }) : one.name}
                  </option>
                ))}
              </select>
              <LinkButton href={href("retentionMappings")}>{t("toMappings")}</LinkButton>
            </div>
          ) : (
            <p className={classes.help}>{t("mapping.several")}</p>
          )}
        </section>
      ) : null}
      {oldFlow ? <PairTable from={oldFlow} to={newFlow} pairs={mapping?.rows ?? []} /> : null}
    </div>
  );
}

function Problems({ dus }: { dus: ChangeCheck["dus"] }) {
  const errors = useTranslations("errors");
  return (
    <ul className={classes.lines}>
      {dus.map((du) => (
        <li key={du.duId}>
          <strong>{du.code}</strong> {du.problems.map(({ code, params }) => errors(code, params)).join("; ")}
        </li>
      ))}
    </ul>
  );
}
