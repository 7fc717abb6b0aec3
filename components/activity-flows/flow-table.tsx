"use client";
import { useTranslations } from "next-intl";
import { useCallback, useId, useRef } from "react";
import { toast } from "#components/ui/toast.ts";
import { pasteRows, type TableColumn } from "#lib/activity-flows/editor/logic.ts";
import { parsePredecessors } from "#lib/activity-flows/graph/logic.ts";
import classes from "./flow-table.module.css";
import { FlowTableRow } from "./flow-table-row.tsx";
import { NewActivityRow } from "./new-activity-row.tsx";
import { type LibraryChoice, nodeFlags } from "./node-flags.ts";
import type { FlowEditing } from "./use-flow-editor.ts";
import { usePredecessors } from "./use-predecessors.ts";

type Props = { editing: FlowEditing; library: readonly LibraryChoice[] };

/** The flow as a table for mass editing: every cell is typed into, a block of a spreadsheet may be pasted, the last row adds activities. */
export function FlowTable({ editing, library }: Props) {
  const { state, graph, editable, change, selection, setSelection, findings } = editing;
  const t = useTranslations("activity-flows");
  const common = useTranslations("common");
  const body = useRef<HTMLTableSectionElement>(null);
  const proposals = useId();
  const predecessors = usePredecessors(graph, change);
  const wrong = new Set(findings.filter((finding) => finding.weight === "error").flatMap((finding) => finding.keys));

  const focusCell = useCallback((row: number, column: string) => {
    body.current?.querySelector<HTMLInputElement>(`[data-place="${row} ${column}"]`)?.focus();
  }, []);
  const nameOf = (id: number | null | undefined) => library.find((activity) => activity.id === id);
  const linkOf = useCallback(
    (name: string) => library.find((activity) => activity.name.trim().toLowerCase() === name.trim().toLowerCase())?.id ?? null,
    [library],
  );
  const paste = (row: number, column: TableColumn, text: string): boolean => {
    const { graph: next, added, faults } = pasteRows(state, { row, column }, text);
    change({ do: "replace", graph: next, added });
    if (faults.length > 0) {
      const shown = faults.slice(0, 5).map((fault) => t("table.pasteFault", { row: fault.row + 1, text: fault.text }));
      toast.problem(t("table.pasteFaults", { count: faults.length, list: shown.join(", ") }));
    }
    return true;
  };
  const toggle = (key: string) => {
    const nodes = new Set(selection.nodes);
    if (!nodes.delete(key)) nodes.add(key);
    setSelection({ nodes, relations: new Set() });
  };

  return (
    <section className={classes.scroll} aria-label={t("view.table")}>
      <datalist id={proposals}>
        {library.map((activity) => (
          <option key={activity.id} value={activity.name}>
            {activity.code}
          </option>
        ))}
      </datalist>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col" className={classes.number}>
              #
            </th>
            <th scope="col" className={classes.nameHead}>
              {common("activity")}
            </th>
            <th scope="col">{t("table.library")}</th>
            <th scope="col" className={classes.right}>
              {t("field.leadTime")}
            </th>
            <th scope="col" title={t("field.predecessorsHelp")}>
              {t("field.predecessors")}
            </th>
            {nodeFlags.map((flag) => (
              <th key={flag} scope="col" className={classes.flag} title={t(`flag.${flag}Help`)}>
                {t(`flag.${flag}`)}
              </th>
            ))}
            {editable ? (
              <th scope="col" className={classes.verbs}>
                <span className="visually-hidden">{t("table.actions")}</span>
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody ref={body}>
          {graph.nodes.map((node, row) => (
            <FlowTableRow
              key={node.key}
              node={node}
              row={row}
              rows={graph.nodes.length}
              editable={editable}
              selected={selection.nodes.has(node.key)}
              wrong={wrong.has(node.key)}
              activity={nameOf(node.activityId)}
              predecessors={predecessors.text(node.key)}
              proposals={proposals}
              onToggle={() => toggle(node.key)}
              onChange={change}
              onPredecessors={(text) => predecessors.commit(node.key, text)}
              link={linkOf}
              onMove={(column, step) => focusCell(row + step, column)}
              onPaste={(column, text) => paste(row, column, text)}
              onFocusCell={focusCell}
            />
          ))}
          {editable ? (
            <NewActivityRow
              row={graph.nodes.length}
              proposals={proposals}
              onPaste={(text) => paste(graph.nodes.length, "name", text)}
              onMove={(step) => focusCell(graph.nodes.length + step, "name")}
              onAdd={(name, leadTimeDays, typed) => {
                const key = `new${state.nextKey}`;
                const parsed = parsePredecessors(typed, key, [...graph.nodes.map((node) => node.key), key]);
                if (parsed.faults.length > 0) return predecessors.faultText(parsed.faults);
                change({ do: "add", node: { name, leadTimeDays, activityId: linkOf(name) }, relations: parsed.relations });
                return null;
              }}
            />
          ) : null}
        </tbody>
      </table>
      {graph.nodes.length === 0 && !editable ? <p className={classes.none}>{t("table.empty")}</p> : null}
    </section>
  );
}
