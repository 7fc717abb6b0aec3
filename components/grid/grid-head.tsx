"use client";

import { IconArrowDown, IconArrowUp, IconChevronDown, IconChevronRight, IconFilter } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { memo, useSyncExternalStore } from "react";
import type { ColumnLayout, PlacedColumn, PlacedGroup } from "./column-layout.ts";
import type { AnyGrid } from "./grid-controller.ts";
import styles from "./grid-head.module.css";
import { asColumnHead, asNothing, asRow, asRows } from "./grid-roles.ts";
import type { ScrollWindow } from "./scroll-window.ts";
import type { ResizeStart } from "./use-grid-table.ts";

export type ColumnSort = { key: string; dir: "asc" | "desc" };

type HeadProps = {
  controller: AnyGrid;
  layout: ColumnLayout;
  lockedTitle: string;
  /** Small text after the title of a group, such as done / total. */
  notes: ReadonlyMap<string, string>;
  sorts: readonly ColumnSort[];
  filtered: ReadonlySet<string>;
  resizeStart: ResizeStart;
  onResetWidth: (key: string) => void;
  onFold: (groupKey: string) => void;
  onMenu: ((key: string, element: HTMLElement) => void) | undefined;
  /** Orders by a sortable column, where there are no menus. */
  onSort: ((key: string) => void) | undefined;
  menuOpen: string | null;
};

const join = (...names: (string | false | null | undefined)[]) => names.filter(Boolean).join(" ");

/** The two head rows: groups with their fold arrows, columns with sort and filter marks. Sideways scrolling adds and takes away single heads. */
export const GridHeadRows = memo(function GridHeadRows({ scroll, ...props }: HeadProps & { scroll: ScrollWindow }) {
  const { layout } = props;
  const span = useSyncExternalStore(scroll.subscribe, scroll.headSpan, scroll.firstHeadSpan);
  const [firstColumn, lastColumn] = span.split(" ").map(Number) as [number, number];
  const shown = (placed: PlacedColumn) => placed.index >= firstColumn && placed.index <= lastColumn;
  const locked = layout.columns.slice(0, layout.lockedCount);
  const free = layout.columns.filter((placed) => !placed.locked && shown(placed));
  const lockedGroups = layout.groups.filter((group) => group.locked);
  const freeGroups = layout.groups.filter((group) => !group.locked && group.last >= firstColumn && group.first <= lastColumn);
  return (
    <div {...asRows} className={styles.head} style={{ width: layout.width }}>
      <div {...asRow(1)} className={styles.row}>
        <div {...asNothing} className={styles.locked} style={{ width: layout.lockedWidth }}>
          <AllRows controller={props.controller} width={layout.numberWidth} />
          {lockedGroups.map((group) => (
            <GroupHead key="locked" {...props} group={group} />
          ))}
        </div>
        {freeGroups.map((group) => (
          <GroupHead key={`${group.group?.key}-${group.first}`} {...props} group={group} />
        ))}
      </div>
      <div {...asRow(2)} className={styles.row}>
        <div {...asNothing} className={styles.locked} style={{ width: layout.lockedWidth }}>
          <NumberHead width={layout.numberWidth} />
          {locked.map((placed) => (
            <ColumnHead key={placed.column.key} {...props} placed={placed} />
          ))}
        </div>
        {free.map((placed) => (
          <ColumnHead key={placed.column.key} {...props} placed={placed} />
        ))}
      </div>
    </div>
  );
});

function AllRows({ controller, width }: { controller: HeadProps["controller"]; width: number }) {
  const t = useTranslations("grid");
  const list = useSyncExternalStore(
    controller.rows.subscribe,
    () => controller.rows.list,
    () => controller.rows.list,
  );
  const total = controller.source.total;
  const all = list.length > 0 && list.length >= total;
  return (
    <div {...asColumnHead(1)} className={join(styles.cell, styles.group, styles.all)} style={{ left: 0, width }}>
      {/* biome-ignore lint/a11y/useSemanticElements: drawn at 14 px with a hit area of the whole cell. */}
      <button
        type="button"
        role="checkbox"
        tabIndex={-1}
        aria-checked={all ? true : list.length > 0 ? "mixed" : false}
        aria-label={t("selectAllRows")}
        className={styles.allButton}
        onClick={() => {
          controller.toggleAllRows();
          controller.viewport?.focus();
        }}
      >
        <i className={join(styles.box, all && styles.boxOn, !all && list.length > 0 && styles.boxSome)} />
      </button>
    </div>
  );
}

function NumberHead({ width }: { width: number }) {
  const t = useTranslations("grid");
  return (
    <div {...asColumnHead(1)} className={styles.cell} style={{ left: 0, width }}>
      <span className="visually-hidden">{t("rowNumber")}</span>
    </div>
  );
}

const GroupHead = memo(function GroupHead({ group, layout, lockedTitle, notes, onFold }: HeadProps & { group: PlacedGroup }) {
  const t = useTranslations("grid");
  const className = join(styles.cell, styles.group, styles.edge);
  const place = { left: group.left, width: group.width };
  const role = asColumnHead(group.first + 2, group.last - group.first + 1);
  if (!group.group) {
    return (
      <div {...role} className={className} style={place}>
        <span className={styles.title}>{lockedTitle}</span>
        <span className={styles.note}>{t("lockedColumns", { count: layout.lockedCount })}</span>
      </div>
    );
  }
  const { key, title, bar } = group.group;
  const note = notes.get(key);
  if (!bar) {
    return (
      <div {...role} className={className} style={place} title={title}>
        <span className={styles.title}>{title}</span>
        {note && <span className={styles.note}>{note}</span>}
      </div>
    );
  }
  return (
    <div {...role} className={styles.slot} style={place}>
      <button
        type="button"
        tabIndex={-1}
        aria-expanded={!group.folded}
        className={className}
        style={{ left: 0, width: group.width }}
        title={title}
        onClick={() => onFold(key)}
      >
        {group.folded ? <IconChevronRight aria-hidden /> : <IconChevronDown aria-hidden />}
        <span className={styles.title}>{title}</span>
        {note && !group.folded && <span className={styles.note}>{note}</span>}
      </button>
    </div>
  );
});

const ColumnHead = memo(function ColumnHead({
  controller,
  placed,
  sorts,
  filtered,
  resizeStart,
  onResetWidth,
  onMenu,
  onSort,
  menuOpen,
}: HeadProps & { placed: PlacedColumn }) {
  const t = useTranslations("grid");
  const { column, left, width } = placed;
  const at = sorts.findIndex((sort) => sort.key === column.key);
  const sort = sorts[at];
  const isFiltered = filtered.has(column.key);
  const className = join(styles.cell, (placed.groupEnd || placed.lastLocked) && styles.edge, sort && styles.hot);
  const inner = (
    <>
      <span className={styles.title}>{column.short ?? column.title}</span>
      {(sort || isFiltered) && (
        <span className={styles.glyphs}>
          {isFiltered && <IconFilter aria-hidden className={styles.filtered} />}
          {sort && (sort.dir === "asc" ? <IconArrowUp aria-hidden /> : <IconArrowDown aria-hidden />)}
        </span>
      )}
    </>
  );
  return (
    <div {...asColumnHead(placed.index + 2, 1, sort?.dir)} className={styles.slot} style={{ left, width }}>
      {(onMenu || (onSort && column.sortable)) && column.kind !== "bar" ? (
        <button
          type="button"
          tabIndex={-1}
          data-column={column.key}
          {...(onMenu ? { "aria-haspopup": "dialog" as const, "aria-expanded": menuOpen === column.key } : {})}
          aria-label={isFiltered ? t("columnFiltered", { title: column.title }) : column.title}
          title={column.title}
          className={className}
          style={{ left: 0, width }}
          onClick={(event) => {
            if (!event.ctrlKey && !event.metaKey && !event.shiftKey) {
              if (onMenu) onMenu(column.key, event.currentTarget);
              else onSort?.(column.key);
              return;
            }
            controller.selectColumn(placed.index, event.shiftKey);
            controller.viewport?.focus();
          }}
        >
          {inner}
        </button>
      ) : (
        <span className={className} style={{ left: 0, width }} title={column.title}>
          {inner}
        </span>
      )}
      {column.kind !== "bar" && (
        // biome-ignore lint/a11y/noStaticElementInteractions: the column menu fits and resets widths by key.
        <i
          className={styles.resizer}
          style={{ left: width - 4 }}
          onMouseDown={(event) => resizeStart(column.key, event)}
          onTouchStart={(event) => resizeStart(column.key, event)}
          onDoubleClick={() => onResetWidth(column.key)}
        />
      )}
    </div>
  );
});
