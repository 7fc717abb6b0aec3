"use client";
import { Button, Checkbox } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { TableFoot } from "#components/ui/table-foot.tsx";
import { type Column, TableHead, TableRow } from "#components/ui/table-parts.tsx";
import { toast } from "#components/ui/toast.ts";
import { useList } from "#components/ui/use-list.ts";
import { useLoading } from "#components/ui/use-loading.ts";
import { useSearchText } from "#components/ui/use-search-text.ts";
import { bindDusMax } from "#lib/activity-flows/binding/limits.ts";
import { searchCondition } from "#lib/activity-flows/binding/logic.ts";
import { signalAnswer } from "#lib/core/answer-signal.ts";
import { callDoor, listAddress } from "#lib/core/call-door.ts";
import { searchEntriesMax } from "#lib/core/filter-limits.ts";
import { formatNumber } from "#lib/core/format.ts";
import type { Filter, Page, Sort } from "#lib/core/paging.ts";
import classes from "./du-choice.module.css";
import type { DuRow } from "./flow-data.ts";
import { SearchField } from "./search-field.tsx";

export type DuFacets = { regions: readonly { id: number; name: string }[]; deliveryTypes: readonly string[] };

type Props = {
  label: string;
  /** Conditions every row meets: with or without a flow, of one flow. */
  fixed: readonly Filter[];
  facets: DuFacets;
  columns: readonly Column<DuRow>[];
  chosen: ReadonlyMap<number, DuRow>;
  onChosen: (chosen: ReadonlyMap<number, DuRow>) => void;
  /** DUs that may be chosen: a size pages may have. */
  max?: number;
  /** Further filters above the table. */
  children?: ReactNode;
  empty: ReactNode;
};

/** DUs to choose from: search of many codes at once, region, delivery type; a page or everything found, up to the bound of one call. */
export function DuChoice({ label, fixed, facets, columns, chosen, onChosen, max = bindDusMax, children, empty }: Props) {
  const t = useTranslations("activity-flows");
  const common = useTranslations("common");
  const ui = useTranslations("ui");
  const [text, setText] = useState("");
  const { take, onPaste } = useSearchText(setText);
  const [region, setRegion] = useState("");
  const [type, setType] = useState("");
  const [page, setPage] = useState(1);
  const [size, setSize] = useState(50);
  const [sort, setSort] = useState<Sort | undefined>();
  const [current, setCurrent] = useState(0);
  const [typed] = useDebouncedValue(text, 300);
  const search = useMemo(() => searchCondition(typed), [typed]);
  const filters = useMemo<Filter[]>(
    () => [
      ...fixed,
      ...(search ? [search] : []),
      ...(region ? [{ field: "regionId", type: "eq" as const, values: [Number(region)] }] : []),
      ...(type ? [{ field: "deliveryType", type: "eq" as const, values: [type] }] : []),
    ],
    [fixed, search, region, type],
  );
  const conditions = JSON.stringify(filters);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other conditions start at their first page
  useEffect(() => setPage(1), [conditions]);
  const list = useList<DuRow>({ address: "duFlow/list", page, size, filters, ...(sort ? { sort: [sort] } : {}) });
  const loading = useLoading(list.isPending);
  const rows = list.data?.records ?? [];
  const total = list.data?.total ?? null;

  const put = (added: readonly DuRow[], removed: readonly DuRow[] = []) => {
    const next = new Map(chosen);
    for (const row of removed) next.delete(row.id);
    for (const row of added) {
      if (next.size >= max && !next.has(row.id)) {
        toast.note(t("du.most", { max }));
        break;
      }
      next.set(row.id, row);
    }
    onChosen(next);
  };
  const allShown = rows.length > 0 && rows.every((row) => chosen.has(row.id));
  const chooseFound = async () => {
    const { data, msg } = signalAnswer(
      await callDoor<Page<DuRow>>(listAddress("duFlow/list", 1, max, filters), sort ? { sort: [sort] } : {}, { reading: true }),
    );
    if (!data) return toast.problem(msg ?? t("du.failed"));
    onChosen(new Map(data.records.map((row) => [row.id, row])));
  };

  return (
    <div className={classes.frame}>
      <div className={classes.bar}>
        <SearchField
          label={t("du.search")}
          hint={t("du.searchHint")}
          title={t("du.searchHelp", { max: searchEntriesMax })}
          value={text}
          onChange={take}
          onPaste={onPaste}
        />
        {facets.regions.length > 0 ? (
          <select
            className={classes.select}
            aria-label={common("region")}
            value={region}
            onChange={(event) => setRegion(event.currentTarget.value)}
          >
            <option value="">{t("du.everyRegion")}</option>
            {facets.regions.map((one) => (
              <option key={one.id} value={one.id}>
                {one.name}
              </option>
            ))}
          </select>
        ) : null}
        {facets.deliveryTypes.length > 0 ? (
          <select
            className={classes.select}
            aria-label={t("du.deliveryType")}
            value={type}
            onChange={(event) => setType(event.currentTarget.value)}
          >
            <option value="">{t("du.everyType")}</option>
            {facets.deliveryTypes.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        ) : null}
        {children}
      </div>
      <div className={classes.bar}>
        <span aria-live="polite">{t("du.chosen", { count: chosen.size, max })}</span>
        <Button variant="subtle" color="gray" disabled={rows.length === 0} onClick={chooseFound}>
          {t("du.chooseFound", { max })}
        </Button>
        <Button variant="subtle" color="gray" disabled={chosen.size === 0} onClick={() => onChosen(new Map())}>
          {common("clear")}
        </Button>
        <span className={classes.count}>{total === null ? "" : formatNumber(total)}</span>
      </div>
      <section className={classes.scroll} aria-label={label} aria-busy={list.isFetching}>
        {(list.isError && rows.length === 0) || loading.state === "late" ? (
          <ErrorPanel
            title={t("du.failed")}
            text={list.isError ? undefined : ui("error.late")}
            failed={list.error}
            onRetry={() => {
              loading.again();
              void list.refetch();
            }}
          />
        ) : list.isSuccess && rows.length === 0 ? (
          filters.length > fixed.length ? (
            <EmptyState icon={<IconSearch size={28} stroke={1} aria-hidden="true" />}>
              <Button
                onClick={() => {
                  setText("");
                  setRegion("");
                  setType("");
                }}
              >
                {common("clear")}
              </Button>
            </EmptyState>
          ) : (
            empty
          )
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: rows that can be selected make a grid of a table
          <table className={classes.table} role="grid" aria-label={label} aria-multiselectable="true">
            <thead>
              <tr>
                <th className={classes.check}>
                  <Checkbox
                    size="xs"
                    aria-label={t("du.choosePage")}
                    checked={allShown}
                    indeterminate={!allShown && rows.some((row) => chosen.has(row.id))}
                    onChange={() => (allShown ? put([], rows) : put(rows))}
                  />
                </th>
                {columns.map((column) => (
                  <TableHead key={column.key} column={column} sort={sort} onSort={setSort} />
                ))}
              </tr>
            </thead>
            <tbody>
              {list.isPending
                ? loading.state === "shown" && <Bones columns={columns.length + 1} />
                : rows.map((row, index) => (
                    <TableRow
                      key={row.id}
                      row={row}
                      rowNumber={(page - 1) * size + index + 2}
                      columns={columns}
                      isCurrent={index === current}
                      selected={chosen.has(row.id)}
                      onToggle={() => (chosen.has(row.id) ? put([], [row]) : put([row]))}
                      onOpen={undefined}
                      onMove={(step) => {
                        const to = Math.max(0, Math.min(rows.length - 1, index + step));
                        setCurrent(to);
                        document.querySelectorAll<HTMLTableRowElement>(`.${classes.table} tr[data-row]`)[to]?.focus();
                      }}
                      onFocus={() => setCurrent(index)}
                    />
                  ))}
            </tbody>
          </table>
        )}
      </section>
      {total === null || total === 0 ? null : (
        <TableFoot
          page={page}
          size={size}
          total={total}
          onPage={setPage}
          onSize={(next) => {
            setSize(next);
            setPage(1);
          }}
        />
      )}
    </div>
  );
}

function Bones({ columns }: { columns: number }) {
  return Array.from({ length: 8 }, (_, row) => (
    <tr key={row}>
      {Array.from({ length: columns }, (_, column) => (
        <td key={column}>
          <span className={classes.bone} />
        </td>
      ))}
    </tr>
  ));
}
