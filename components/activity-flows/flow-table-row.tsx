"use client";
import { ActionIcon } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconTrash } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useSession } from "#components/ui/use-session.tsx";
import type { EditorEvent, EditorNode, NodeFlag, TableColumn } from "#lib/activity-flows/editor/logic.ts";
import { leadTimeDaysMax, nodeNameChars } from "#lib/activity-flows/graph/limits.ts";
import { parseLeadTime } from "#lib/activity-flows/graph/logic.ts";
import { emptyText } from "#lib/core/format.ts";
import { DraftInput } from "./draft-input.tsx";
import classes from "./flow-table.module.css";
import { type LibraryChoice, nodeFlags } from "./node-flags.ts";

type Props = {
  node: EditorNode;
  row: number;
  rows: number;
  editable: boolean;
  selected: boolean;
  wrong: boolean;
  activity: LibraryChoice | undefined;
  predecessors: string;
  proposals: string;
  onToggle: () => void;
  onChange: (event: EditorEvent) => void;
  onPredecessors: (text: string) => string | null;
  /** Library activity of a name, null when a new one will be made. */
  link: (name: string) => number | null;
  onMove: (column: string, step: number) => void;
  onPaste: (column: TableColumn, text: string) => boolean;
  onFocusCell: (row: number, column: string) => void;
};

/** One activity of the table. */
export function FlowTableRow(props: Props) {
  const { node, row, rows, editable, selected, wrong, activity, predecessors, proposals, onToggle, onChange, onMove } = props;
  const t = useTranslations("activity-flows");
  const common = useTranslations("common");
  const { can } = useSession();
  const keys = [node.key];
  const cell = { className: classes.cell, disabled: !editable };
  const label = (column: string) => `${node.name || row + 1}: ${column}`;
  const mayRemove = !node.originNodeId || can("flow.releaseNodeDelete");
  const reorder = (by: number) => {
    onChange({ do: "reorder", key: node.key, by });
    requestAnimationFrame(() => props.onFocusCell(row + by, "name"));
  };
  const setFlag = (flag: NodeFlag, value: boolean) => onChange({ do: "patch", keys, patch: { [flag]: value } });
  return (
    <tr data-selected={selected || undefined} data-wrong={wrong || undefined}>
      <td className={classes.number}>
        <button
          type="button"
          className={classes.pick}
          aria-pressed={selected}
          aria-label={t("table.select", { row: row + 1, name: node.name })}
          onClick={onToggle}
        >
          {row + 1}
        </button>
      </td>
      <td>
        <DraftInput
          {...cell}
          label={label(common("name"))}
          value={node.name}
          maxLength={nodeNameChars}
          list={proposals}
          invalid={wrong}
          place={`${row} name`}
          onCommit={(text) => {
            if (text.trim() === "") return t("form.nameMissing");
            onChange({ do: "rename", key: node.key, name: text.trim(), activityId: props.link(text) });
            return null;
          }}
          onMove={(step) => onMove("name", step)}
          onPasteText={(text) => props.onPaste("name", text)}
        />
      </td>
      <td className={classes.library} title={activity?.name}>
        {activity
          ? activity.name === node.name
            ? activity.code
            : `${activity.code} · ${activity.name}`
          : node.activityId
            ? emptyText
            : t("table.newActivity")}
      </td>
      <td>
        <DraftInput
          {...cell}
          label={label(t("field.leadTime"))}
          value={String(node.leadTimeDays)}
          inputMode="numeric"
          align="right"
          place={`${row} leadTimeDays`}
          onCommit={(text) => {
            const days = parseLeadTime(text);
            if (days === null) return t("field.leadTimeWrong", { max: leadTimeDaysMax });
            onChange({ do: "patch", keys, patch: { leadTimeDays: days } });
            return null;
          }}
          onMove={(step) => onMove("leadTimeDays", step)}
          onPasteText={(text) => props.onPaste("leadTimeDays", text)}
        />
      </td>
      <td>
        <DraftInput
          {...cell}
          label={label(t("field.predecessors"))}
          value={predecessors}
          place={`${row} predecessors`}
          onCommit={props.onPredecessors}
          onMove={(step) => onMove("predecessors", step)}
          onPasteText={(text) => props.onPaste("predecessors", text)}
        />
      </td>
      {nodeFlags.map((flag) => (
        <td key={flag} className={classes.flag}>
          <input
            type="checkbox"
            className={classes.check}
            aria-label={label(t(`flag.${flag}`))}
            checked={node[flag]}
            disabled={!editable}
            onChange={(event) => setFlag(flag, event.currentTarget.checked)}
          />
        </td>
      ))}
      {editable ? (
        <td className={classes.verbs}>
          <ActionIcon size={24} aria-label={label(t("table.up"))} disabled={row === 0} onClick={() => reorder(-1)}>
            <IconArrowUp size={14} stroke={1.4} />
          </ActionIcon>
          <ActionIcon size={24} aria-label={label(t("table.down"))} disabled={row === rows - 1} onClick={() => reorder(1)}>
            <IconArrowDown size={14} stroke={1.4} />
          </ActionIcon>
          <ActionIcon
            size={24}
            aria-label={label(common("delete"))}
            title={mayRemove ? undefined : t("field.removeRight")}
            disabled={!mayRemove}
            onClick={() => onChange({ do: "remove", keys })}
          >
            <IconTrash size={14} stroke={1.4} />
          </ActionIcon>
        </td>
      ) : null}
    </tr>
  );
}
