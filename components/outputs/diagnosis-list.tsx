"use client";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { PagedRows } from "#components/ui/paged-rows.tsx";
import plain from "#components/ui/plain-table.module.css";
import { MarkGlyph } from "#components/ui/status-glyph.tsx";
import { emptyText, formatNumber } from "#lib/core/format.ts";
import type { RunFacts } from "#lib/planning-engine/outputs/schema.ts";
import type { DiagnosisRow, RunHead } from "#lib/planning-engine/runs/schema.ts";
import { DatedText } from "./dated-text.tsx";
import classes from "./outputs.module.css";

type Found = NonNullable<RunFacts["diagnosis"]>;
type Row = Found["rows"][number] & Partial<Pick<DiagnosisRow, "needed" | "available" | "relax">>;
type Props = { run: RunHead; diagnosis: Found; onOpenDu: ((duId: number) => void) | undefined };

/** Why there is no plan, or what stands against a better one: which DU, which limit, and the smallest change that helps. */
export function DiagnosisList({ run, diagnosis, onOpenDu }: Props) {
  const t = useTranslations("outputs.diagnosis");
  const common = useTranslations("common");
  const [code, setCode] = useState<string | null>(null);
  const rows = (diagnosis.rows as Row[]).filter((row) => code === null || row.code === code);
  const named = (given: string) => (t.has(`code.${given}` as never) ? t(`code.${given}` as "code.LOOP") : given);
  const helps = (row: Row) => {
    if (row.relax === undefined || row.relax === null || !t.has(`relax.${row.code}` as never)) return emptyText;
    return t(`relax.${row.code}` as "relax.TEAM_OVERLOAD", { count: row.relax, number: formatNumber(row.relax) });
  };
  const title = run.hasOutput ? "warnings" : run.status === "no_feasible" ? "proved" : "notFound";
  return (
    <section aria-label={t(title)} className={classes.diagnosis}>
      <h3 className={classes.part}>
        {run.hasOutput ? null : <MarkGlyph mark="refused" size={14} />} {t(title)}
      </h3>
      <p className={classes.quiet}>{t(`${title}Text`)}</p>
      <fieldset className={classes.chips}>
        <legend className="visually-hidden">{t("codes")}</legend>
        <button type="button" aria-pressed={code === null} onClick={() => setCode(null)}>
          {common("all")}
        </button>
        {Object.entries(diagnosis.counts).map(([name, count]) => (
          <button key={name} type="button" aria-pressed={code === name} onClick={() => setCode(code === name ? null : name)}>
            {named(name)} <b>{formatNumber(count)}</b>
          </button>
        ))}
      </fieldset>
      <PagedRows key={code} rows={rows} startSize={20} label={t(title)} className={classes.kept}>
        {(shown) => (
          <table className={`${plain.table} ${classes.dense}`}>
            <thead>
              <tr>
                <th scope="col">{t("limit")}</th>
                <th scope="col">{common("du")}</th>
                <th scope="col">{common("activity")}</th>
                <th scope="col">{t("what")}</th>
                <th scope="col" data-align="right">
                  {t("needed")}
                </th>
                <th scope="col" data-align="right">
                  {t("available")}
                </th>
                <th scope="col">{t("helps")}</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((row, at) => (
                <tr key={at}>
                  <th scope="row">{named(row.code)}</th>
                  <td>
                    {row.duId !== null && onOpenDu && run.hasOutput ? (
                      <button type="button" className={classes.link} onClick={() => onOpenDu(row.duId ?? 0)}>
                        {row.duCode}
                      </button>
                    ) : (
                      (row.duCode ?? emptyText)
                    )}
                  </td>
                  <td>{row.activity ?? emptyText}</td>
                  <td className={classes.wrap}>
                    <DatedText>{row.detail}</DatedText>
                  </td>
                  <td data-align="right">{formatNumber(row.needed)}</td>
                  <td data-align="right">{formatNumber(row.available)}</td>
                  <td className={classes.wrap}>{helps(row)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </PagedRows>
    </section>
  );
}
