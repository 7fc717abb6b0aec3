"use client";
import { Checkbox } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import type { KeyboardEvent, ReactNode } from "react";
import { emptyText } from "#lib/core/format.ts";
import type { Sort } from "#lib/core/paging.ts";
import classes from "./data-table.module.css";
import { RowGrip } from "./row-grip.tsx";

export type Column<Row> = {
  /** Field of the row; also the name it is sorted by. */
  key: string;
  label: string;
  /** Full name where the label is a short form. */
  title?: string;
  width?: number;
  align?: "right";
  sortable?: boolean;
  /** Long texts may take several lines. */
  wrap?: boolean;
  /** Default: the field as text. */
  render?: (row: Row) => ReactNode;
};

type HeadProps<Row> = { column: Column<Row>; sort: Sort | undefined; onSort: (sort: Sort | undefined) => void };

/** Head of a column; a click sorts up, then down, then not at all. */
export function TableHead<Row>({ column, sort, onSort }: HeadProps<Row>) {
  const dir = sort?.field === column.key ? sort.dir : undefined;
  const next = (): Sort | undefined =>
    dir === undefined ? { field: column.key, dir: "asc" } : dir === "asc" ? { field: column.key, dir: "desc" } : undefined;
  return (
    <th
      scope="col"
      data-align={column.align}
      title={column.title}
      style={column.width ? { width: column.width } : undefined}
      aria-sort={dir === "asc" ? "ascending" : dir === "desc" ? "descending" : undefined}
    >
      {column.sortable ? (
        <button type="button" className={classes.sort} onClick={() => onSort(next())}>
          {column.label}
          {dir === "asc" ? <IconArrowUp size={12} stroke={1.7} /> : dir === "desc" ? <IconArrowDown size={12} stroke={1.7} /> : null}
        </button>
      ) : (
        column.label
      )}
    </th>
  );
}

type RowProps<Row> = {
  row: Row;
  rowNumber: number;
  columns: readonly Column<Row>[];
  isCurrent: boolean;
  /** Undefined where rows cannot be selected. */
  selected: boolean | undefined;
  onToggle: () => void;
  onOpen: (() => void) | undefined;
  onMove: (step: number) => void;
  onFocus: () => void;
  /** Where rows can be put into another order. */
  grip?: Grip | undefined;
};

type Grip = {
  name: string;
  rowKey: string | number;
  dragging: boolean;
  isOver: boolean;
  onMove: (step: number) => void;
  onDrag: () => void;
  onOver: () => void;
  onDrop: () => void;
  onEnd: () => void;
};

/** A row: click or Enter opens it, Space selects it, the arrows move along the rows. */
export function TableRow<Row>({ row, rowNumber, columns, isCurrent, selected, onToggle, onOpen, onMove, onFocus, grip }: RowProps<Row>) {
  const t = useTranslations("ui");
  const interactive = selected !== undefined || onOpen !== undefined;
  const onKeyDown = (event: KeyboardEvent<HTMLTableRowElement>) => {
    if (event.target !== event.currentTarget) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") onMove(event.key === "ArrowDown" ? 1 : -1);
    else if (event.key === "Enter" && onOpen) onOpen();
    else if (event.key === " " && selected !== undefined) onToggle();
    else return;
    event.preventDefault();
  };
  return (
    <tr
      data-row
      aria-rowindex={rowNumber}
      aria-selected={selected}
      tabIndex={interactive ? (isCurrent ? 0 : -1) : undefined}
      onKeyDown={interactive ? onKeyDown : undefined}
      onFocus={interactive ? onFocus : undefined}
      onClick={onOpen ? (event) => opensRow(event.target) && onOpen() : undefined}
      data-over={grip?.isOver || undefined}
      onDragOver={
        grip?.dragging
          ? (event) => {
              event.preventDefault();
              grip.onOver();
            }
          : undefined
      }
      onDrop={grip?.dragging ? grip.onDrop : undefined}
    >
      {grip ? <GripCell grip={grip} /> : null}
      {selected === undefined ? null : (
        <td className={classes.check}>
          <Checkbox size="xs" tabIndex={-1} aria-label={t("table.select")} checked={selected} onChange={onToggle} />
        </td>
      )}
      {columns.map((column) => (
        <td key={column.key} data-align={column.align} data-wrap={column.wrap || undefined}>
          {column.render ? column.render(row) : fieldText(row, column.key)}
        </td>
      ))}
    </tr>
  );
}

/** The grip of a row: dragged, or moved with Alt and the arrow keys. */
function GripCell({ grip }: { grip: Grip }) {
  const t = useTranslations("ui");
  return (
    <td className={classes.order}>
      <RowGrip
        rowKey={grip.rowKey}
        label={t("table.move", { name: grip.name })}
        help={t("table.moveHelp")}
        onDrag={grip.onDrag}
        onEnd={grip.onEnd}
        onStep={grip.onMove}
      />
    </td>
  );
}

/** A click on a control inside a row, or at the end of marking text, does not open the row. */
function opensRow(target: EventTarget): boolean {
  return target instanceof Element && target.closest("a, button, input, label, select") === null && !window.getSelection()?.toString();
}

function fieldText<Row>(row: Row, key: string): ReactNode {
  const value = (row as Record<string, unknown>)[key];
  return value === null || value === undefined || value === "" ? emptyText : String(value);
}
