"use client";

import { Button } from "@mantine/core";
import { IconAlertTriangle, IconFilter, IconPlus } from "@tabler/icons-react";
import { useFormatter, useTranslations } from "next-intl";
import { useState } from "react";
import type { GridColumn, GridHead } from "#components/grid/grid-model.ts";
import { DropPanel } from "#components/ui/drop-panel.tsx";
import { FilterChip } from "#components/ui/filter-chip.tsx";
import { useCopy } from "#components/ui/use-copy.ts";
import { useOpened } from "#components/ui/use-loaded.ts";
import menu from "./menu.module.css";
import { menuWidth } from "./menu-width.ts";
import styles from "./plan-bar.module.css";
import { columnTitle } from "./plan-columns.ts";
import { type ChipTexts, chipText, type PlanFilter, type PlanQuestion } from "./plan-filters.ts";

const loadFilter = () => import("./column-filter.tsx").then((module) => module.ColumnFilter);

/** Words of filter chips. */
export function useChipTexts(): ChipTexts {
  const t = useTranslations("plan-grid");
  return {
    empty: t("filter.empty"),
    notEmpty: t("filter.notEmpty"),
    more: (first, count) => t("filter.more", { first, count }),
    preset: (preset) => t(`period.${preset}`),
    from: (value) => t("filter.fromValue", { value }),
    to: (value) => t("filter.toValue", { value }),
  };
}

type Props = {
  head: GridHead;
  shown: readonly GridColumn[];
  question: PlanQuestion;
  /** Found and all DUs; null where numbers are hidden or not known yet. */
  total: number | null;
  whole: number | null;
  unmatched: readonly string[];
  entries: number;
  onFilter: (key: string, filter: PlanFilter | null) => void;
  onClear: () => void;
  /** Opens the exceptions, where the view has them. */
  onExceptions?: () => void;
  onDropException: () => void;
  /** Shows all DUs again, where a stored selection limits them. */
  onDropSelection?: (() => void) | undefined;
};

/** Conditions as chips, what a search did not find, and how many DUs are shown. */
export function FilterBar({ head, shown, question, total, whole, unmatched, entries, onFilter, onClear, ...also }: Props) {
  const t = useTranslations("plan-grid");
  const format = useFormatter();
  const texts = useChipTexts();
  const [editing, setEditing] = useState<string | null>(null);
  const { Part: ColumnFilter } = useOpened(loadFilter, editing !== null, () => setEditing(null));
  const { filters } = question;
  const columns = new Map(head.groups.flatMap((group) => group.columns.map((column) => [column.key, column])));
  const close = (key: string, filter: PlanFilter | null) => {
    onFilter(key, filter);
    setEditing(null);
  };
  return (
    <div className={`${styles.bar} ${styles.chips}`}>
      <span className={styles.icon}>
        <IconFilter size={16} stroke={1.4} aria-hidden />
      </span>
      {also.onDropSelection ? <FilterChip name={t("selected.name")} value={t("selected.stored")} onDrop={also.onDropSelection} /> : null}
      {filters.map((filter) => {
        const column = columns.get(filter.key);
        const title = columnTitle(head, filter.key);
        return (
          <DropPanel
            key={filter.key}
            // Its first field takes the focus when the panel opens, so it has to be there.
            opened={editing === filter.key && ColumnFilter !== null}
            width={menuWidth}
            onChange={(open) => !open && setEditing(null)}
            position="bottom-start"
            trapFocus
            padding={4}
            label={title}
            trigger={
              <span>
                <FilterChip
                  name={title}
                  value={chipText(filter, texts)}
                  onDrop={() => onFilter(filter.key, null)}
                  onEdit={() => setEditing(filter.key)}
                />
              </span>
            }
          >
            <div className={menu.title}>{title}</div>
            {column && ColumnFilter && (
              <ColumnFilter column={column} filter={filter} question={question} onApply={(next) => close(filter.key, next)} />
            )}
          </DropPanel>
        );
      })}
      {question.exception && (
        <FilterChip
          name={t("exception.label")}
          value={t(`exception.${question.exception}`)}
          onDrop={also.onDropException}
          {...(also.onExceptions ? { onEdit: also.onExceptions } : {})}
        />
      )}
      <AddFilter head={head} shown={shown} question={question} onFilter={onFilter} />
      {filters.length > 1 && (
        <button type="button" className={styles.add} onClick={onClear}>
          {t("filter.clearAll")}
        </button>
      )}
      {unmatched.length > 0 && <Unmatched unmatched={unmatched} entries={entries} />}
      <span className={styles.grow} />
      {also.onExceptions && (
        <button type="button" className={styles.add} aria-haspopup="dialog" onClick={also.onExceptions}>
          <IconAlertTriangle size={14} stroke={1.4} aria-hidden />
          {t("exception.button")}
        </button>
      )}
      {total !== null && (
        <span className={styles.count} role="status">
          <b>{format.number(total)}</b>
          {whole !== null && ` / ${format.number(whole)}`} DU
        </span>
      )}
    </div>
  );
}

function AddFilter({ head, shown, question, onFilter }: Pick<Props, "head" | "shown" | "question" | "onFilter">) {
  const t = useTranslations("plan-grid");
  const [opened, setOpened] = useState(false);
  const [chosen, setChosen] = useState<GridColumn | null>(null);
  const free = shown.filter(
    (column) => column.filterable && column.kind !== "bar" && !question.filters.some((filter) => filter.key === column.key),
  );
  const toggle = (open: boolean) => {
    setOpened(open);
    setChosen(null);
  };
  const { Part: ColumnFilter } = useOpened(loadFilter, opened, () => toggle(false));
  return (
    <DropPanel
      opened={opened}
      onChange={toggle}
      width={menuWidth}
      position="bottom-start"
      trapFocus
      padding={4}
      label={t("filter.add")}
      trigger={
        <button type="button" className={styles.add} aria-haspopup="dialog" aria-expanded={opened} onClick={() => toggle(!opened)}>
          <IconPlus size={12} stroke={1.7} aria-hidden />
          {t("filter.add")}
        </button>
      }
    >
      {chosen && ColumnFilter ? (
        <>
          <div className={menu.title}>{columnTitle(head, chosen.key)}</div>
          <ColumnFilter
            column={chosen}
            filter={undefined}
            question={question}
            onApply={(filter) => {
              onFilter(chosen.key, filter);
              toggle(false);
            }}
          />
        </>
      ) : (
        <div className={menu.values} style={{ margin: 0, maxHeight: 320 }}>
          {free.map((column) => (
            <button key={column.key} type="button" className={menu.item} onClick={() => setChosen(column)}>
              {columnTitle(head, column.key)}
            </button>
          ))}
        </div>
      )}
    </DropPanel>
  );
}

/** `37 of 40 found`, with the entries that were not. */
function Unmatched({ unmatched, entries }: { unmatched: readonly string[]; entries: number }) {
  const t = useTranslations("plan-grid");
  const copy = useCopy();
  const [opened, setOpened] = useState(false);
  return (
    <DropPanel
      opened={opened}
      onChange={setOpened}
      position="bottom-start"
      trapFocus
      label={t("search.unmatched", { count: unmatched.length })}
      trigger={
        <button type="button" className={styles.link} aria-haspopup="dialog" aria-expanded={opened} onClick={() => setOpened(!opened)}>
          {t("search.found", { found: entries - unmatched.length, entries })}
        </button>
      }
    >
      <b>{t("search.unmatched", { count: unmatched.length })}</b>
      <div className={styles.unmatched}>{unmatched.join("\n")}</div>
      <Button mt={8} onClick={() => copy(unmatched.join("\n"), { done: t("search.copied"), shown: true })}>
        {t("search.copy")}
      </Button>
    </DropPanel>
  );
}
