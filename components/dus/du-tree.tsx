"use client";
import { IconBuilding, IconCheckbox, IconChevronRight, IconMap2, IconMapPin } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { type KeyboardEvent, useLayoutEffect, useRef } from "react";
import { StatusTag } from "#components/ui/status-tag.tsx";
import { formatNumber } from "#lib/core/format.ts";
import type { TreeKind } from "#lib/rollout-plan/du-tree/limits.ts";
import type { TreeNode } from "#lib/rollout-plan/du-tree/queries.ts";
import { duTone } from "./du-tone.ts";
import classes from "./du-tree.module.css";
import { findTyped, type TreeRow, treeMove } from "./tree-rows.ts";

/** Milliseconds within which letters belong to one word. */
const typingMs = 600;
const icons: Record<TreeKind, typeof IconMap2> = { region: IconMap2, site: IconBuilding, du: IconMapPin, activity: IconCheckbox };

type Props = {
  rows: readonly TreeRow[];
  active: string | null;
  label: string;
  onActive: (key: string) => void;
  onToggle: (keys: readonly string[], open: boolean) => void;
  /** Enter or a double click: opens a DU in the plan, opens or closes another node, reads on. */
  onAct: (row: TreeRow) => void;
};

/** The lines of the tree with the keys of a tree; one line is a step of Tab. */
export function DuTree({ rows, active, label, onActive, onToggle, onAct }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const typed = useRef({ text: "", at: 0 });
  const moved = useRef(false);
  // With the drawing itself: a later one would take the focus of the next key for its own.
  useLayoutEffect(() => {
    if (!moved.current || active === null) return;
    const line = frame.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(active)}"]`);
    line?.focus();
    moved.current = line?.dataset.kind === "loading";
  });

  const goTo = (at: number) => {
    const row = rows[at];
    if (!row) return;
    moved.current = true;
    onActive(row.key);
  };
  const act = (row: TreeRow) => {
    // What is read takes the place of the line, and the focus with it.
    if (row.kind !== "node") moved.current = true;
    onAct(row);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return;
    const at = Math.max(
      0,
      rows.findIndex((row) => row.key === active),
    );
    const move = treeMove(event.key, rows, at);
    if (move) {
      event.preventDefault();
      if ("to" in move) goTo(move.to);
      else if ("open" in move) onToggle([move.open], true);
      else if ("close" in move) onToggle([move.close], false);
      else if ("openAll" in move) onToggle(move.openAll, true);
      else act(rows[move.act] as TreeRow);
      return;
    }
    if ([...event.key].length !== 1 || event.key === " ") return;
    const { timeStamp } = event;
    const text = timeStamp - typed.current.at < typingMs ? typed.current.text + event.key : event.key;
    typed.current = { text, at: timeStamp };
    const found = findTyped(rows, at, text);
    if (found !== null) goTo(found);
  };

  return (
    <div ref={frame} className={classes.tree} role="tree" aria-label={label} tabIndex={-1} onKeyDown={onKeyDown} data-scroll>
      {rows.map((row) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys belong to the tree
        <div
          key={row.key}
          data-key={row.key}
          data-kind={row.kind}
          role="treeitem"
          aria-level={row.level}
          aria-selected={row.key === active}
          {...(row.kind === "node"
            ? {
                "aria-posinset": row.place,
                "aria-setsize": row.setSize,
                ...(row.node.expandable ? { "aria-expanded": row.expanded } : {}),
              }
            : {})}
          tabIndex={row.key === active ? 0 : -1}
          className={classes.row}
          onFocus={() => onActive(row.key)}
          onClick={() => {
            onActive(row.key);
            if (row.kind === "more" || row.kind === "failed") act(row);
          }}
          onDoubleClick={() => row.kind === "node" && onAct(row)}
        >
          <span className={classes.label} style={{ paddingInlineStart: (row.level - 1) * 20 }}>
            {row.kind === "node" ? <Named row={row} onToggle={() => onToggle([row.key], !row.expanded)} /> : <Rest row={row} />}
          </span>
          {row.kind === "node" ? <Facts node={row.node} /> : null}
        </div>
      ))}
    </div>
  );
}

function Named({ row, onToggle }: { row: Extract<TreeRow, { kind: "node" }>; onToggle: () => void }) {
  const t = useTranslations("du-tree");
  const { node } = row;
  const Icon = icons[node.kind];
  return (
    <>
      {node.expandable ? (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys belong to the tree
        // biome-ignore lint/a11y/noStaticElementInteractions: for the pointer alone; the line says whether it is open
        <span
          className={classes.arrow}
          data-open={row.expanded || undefined}
          onClick={(event) => {
            event.stopPropagation();
            onToggle();
          }}
          onDoubleClick={(event) => event.stopPropagation()}
        >
          <IconChevronRight size={14} stroke={1.7} aria-hidden />
        </span>
      ) : (
        <span className={classes.arrow} />
      )}
      <Icon size={16} stroke={1.4} aria-hidden className={classes.icon} />
      {node.code !== null ? <b>{node.code}</b> : null}
      <span className={node.code === null ? classes.title : classes.name}>{node.name ?? t("noRegion")}</span>
    </>
  );
}

function Rest({ row }: { row: Exclude<TreeRow, { kind: "node" }> }) {
  const t = useTranslations("du-tree");
  const common = useTranslations("common");
  if (row.kind === "loading") return <span className={classes.rest}>{common("loading")}</span>;
  if (row.kind === "failed") return <span className={classes.rest}>{t("again", { problem: row.problem })}</span>;
  return <span className={classes.rest}>{t("more")}</span>;
}

function Facts({ node }: { node: TreeNode }) {
  const t = useTranslations("du-tree");
  const status = useTranslations("dus.status");
  const done = node.applicable === undefined ? null : { done: node.done ?? 0, total: node.applicable };
  return (
    <>
      <span>{node.status ? <StatusTag status={duTone(node.status)} text={status(node.status)} plain /> : null}</span>
      <span className={classes.number} title={done ? t("doneOf", done) : undefined}>
        {done ? `${done.done} / ${done.total}` : ""}
      </span>
      <span>{node.actualEnd ?? node.planEnd ?? ""}</span>
      <span className={classes.number}>{node.dus ? t("dus", { count: node.dus, number: formatNumber(node.dus) }) : ""}</span>
    </>
  );
}
