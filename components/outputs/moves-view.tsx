"use client";
import { Button } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import listFrame from "#components/ui/list-frame.module.css";
import plain from "#components/ui/plain-table.module.css";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { MarkGlyph } from "#components/ui/status-glyph.tsx";
import { TableFoot } from "#components/ui/table-foot.tsx";
import { CallError } from "#components/ui/use-list.ts";
import { useSearchText } from "#components/ui/use-search-text.ts";
import { searchCondition } from "#lib/activity-flows/binding/logic.ts";
import { emptyText, formatNumber } from "#lib/core/format.ts";
import type { Filter } from "#lib/core/paging.ts";
import type { Moves } from "#lib/planning-engine/outputs/schema.ts";
import { BarSelect, SearchField } from "./bar-fields.tsx";
import { useBindingWords } from "./binding-words.ts";
import { Bones } from "./bones.tsx";
import { DatedText } from "./dated-text.tsx";
import classes from "./outputs.module.css";
import { useOutput } from "./use-output.ts";
import { usePaging } from "./use-paging.ts";

/** Days with their sign, and their direction as a mark. */
export function Shift({ days }: { days: number | null }) {
  if (days === null) return emptyText;
  return (
    <span className={days > 0 ? classes.bad : days < 0 ? classes.good : undefined}>
      {days === 0 ? null : <MarkGlyph mark={days > 0 ? "later" : "earlier"} />} {days > 0 ? "+" : ""}
      {formatNumber(days)}
    </span>
  );
}

/** What a re-planning moved against its base, and what each move comes from. */
export function MovesView({ runId, onOpen }: { runId: number; onOpen: (duId: number) => void }) {
  const t = useTranslations("outputs.moves");
  const common = useTranslations("common");
  const words = useBindingWords();
  const [search, setSearch] = useState("");
  const [sought] = useDebouncedValue(search, 300);
  const [direction, setDirection] = useState("");
  const [sort, setSort] = useState<"days" | "duCode">("days");
  const { page, size, first, foot } = usePaging();
  const { take, onPaste } = useSearchText((text) => {
    setSearch(text);
    first();
  });
  const searched = searchCondition(sought);
  const filters: Filter[] = [
    ...(searched ? [searched] : []),
    ...(direction ? [{ field: "direction", type: "eq" as const, values: [direction] }] : []),
  ];
  const found = useOutput<Moves>("engine/output/find/moves", {
    runId,
    page,
    size,
    filters,
    sort: [{ field: sort, dir: sort === "days" ? "desc" : "asc" }],
  });
  if (found.error instanceof CallError && found.error.answer.code === "NO_BASE")
    return <EmptyState title={t("noBase")} text={t("noBaseText")} />;
  if (found.isError) return <ErrorPanel title={t("failed")} failed={found.error} onRetry={() => void found.refetch()} />;
  if (!found.data) return <Bones />;
  const { totals, records, total } = found.data;
  return (
    <>
      <div className={listFrame.bar}>
        <p className={classes.sentence} aria-live="polite">
          {totals.activities === 0
            ? t("nothing")
            : t("sentence", {
                activities: totals.activities,
                dus: totals.dus,
                later: formatNumber(totals.later),
                earlier: formatNumber(totals.earlier),
                days: formatNumber(totals.days),
              })}
        </p>
        <span className={listFrame.grow} />
        <SearchField label={t("search")} hint={t("searchHint")} value={search} onChange={take} onPaste={onPaste} />
        <BarSelect
          label={t("direction")}
          value={direction}
          data={["", "later", "earlier"].map((value) => ({ value, label: t(`directions.${value === "" ? "all" : (value as "later")}`) }))}
          onChange={(chosen) => {
            setDirection(chosen);
            first();
          }}
        />
        <Button onClick={() => setSort(sort === "days" ? "duCode" : "days")}>{t(sort === "days" ? "byDu" : "byDays")}</Button>
      </div>
      {records.length === 0 ? (
        <EmptyState title={totals.activities === 0 ? t("nothing") : undefined} />
      ) : (
        <ScrollRegion className={plain.scroll} label={t("label")} busy={found.isFetching}>
          <table className={`${plain.table} ${classes.dense}`} aria-label={t("label")}>
            <thead>
              <tr>
                <th scope="col">{common("du")}</th>
                <th scope="col">{common("activity")}</th>
                <th scope="col">{t("old")}</th>
                <th scope="col">{t("new")}</th>
                <th scope="col" data-align="right">
                  {t("days")}
                </th>
                <th scope="col">{t("team")}</th>
                <th scope="col">{t("cause")}</th>
                <th scope="col">{t("bound")}</th>
              </tr>
            </thead>
            <tbody>
              {records.map((row) => (
                <tr key={`${row.duId} ${row.activityName}`}>
                  <th scope="row">
                    <button type="button" className={classes.link} onClick={() => onOpen(row.duId)}>
                      {row.duCode}
                    </button>
                  </th>
                  <td title={row.activityName}>{row.activityName}</td>
                  <td className={classes.old}>{row.oldStart}</td>
                  <td>{row.newStart}</td>
                  <td data-align="right">
                    <Shift days={row.days} />
                  </td>
                  <td>{row.poolChanged ? t("otherPool") : emptyText}</td>
                  <td className={classes.wrap}>
                    <DatedText>{row.cause.text}</DatedText>
                  </td>
                  <td className={classes.wrap}>
                    <DatedText>{row.binding.text || words(row.binding.code, row.binding.ref)}</DatedText>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
      {total > 0 ? <TableFoot {...foot} total={total} /> : null}
    </>
  );
}
