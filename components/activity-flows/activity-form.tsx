"use client";
import { Button, Checkbox } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { useSession } from "#components/ui/use-session.tsx";
import type { EditorNode } from "#lib/activity-flows/editor/logic.ts";
import { leadTimeDaysMax, nodeNameChars } from "#lib/activity-flows/graph/limits.ts";
import { parseLeadTime } from "#lib/activity-flows/graph/logic.ts";
import { DraftInput } from "./draft-input.tsx";
import classes from "./editor-panel.module.css";
import { type LibraryChoice, nodeFlags } from "./node-flags.ts";
import { SubFlowChoice } from "./sub-flow-choice.tsx";
import type { FlowEditing } from "./use-flow-editor.ts";
import { usePredecessors } from "./use-predecessors.ts";

/** What is known of the chosen activities; with several of them only what they may share. */
export function ActivityForm({
  editing,
  nodes,
  library,
}: {
  editing: FlowEditing;
  nodes: readonly EditorNode[];
  library: readonly LibraryChoice[];
}) {
  const { graph, editable, change, removeSelected } = editing;
  const t = useTranslations("activity-flows");
  const common = useTranslations("common");
  const { can } = useSession();
  const id = useId();
  const predecessors = usePredecessors(graph, change);
  const single = nodes.length === 1 ? nodes[0] : undefined;
  const keys = nodes.map((node) => node.key);
  const activity = single && library.find((one) => one.id === single.activityId);
  const same = new Set(nodes.map((node) => node.leadTimeDays)).size === 1;
  const mayRemove = can("flow.releaseNodeDelete") || nodes.every((node) => !node.originNodeId);
  const field = { className: classes.input, disabled: !editable };
  return (
    <section className={classes.section} aria-label={t("panel.activity")}>
      <h2 className={classes.title}>{single ? single.name || t("diagram.unnamed") : t("panel.several", { count: nodes.length })}</h2>
      {single ? (
        <label className={classes.field} htmlFor={`${id}-name`}>
          <span>{common("name")}</span>
          <DraftInput
            {...field}
            id={`${id}-name`}
            label={common("name")}
            list={`${id}-library`}
            maxLength={nodeNameChars}
            value={single.name}
            onCommit={(text) => {
              if (text.trim() === "") return t("form.nameMissing");
              const link = library.find((one) => one.name.trim().toLowerCase() === text.trim().toLowerCase())?.id ?? null;
              change({ do: "rename", key: single.key, name: text.trim(), activityId: link });
              return null;
            }}
          />
          <datalist id={`${id}-library`}>
            {library.map((one) => (
              <option key={one.id} value={one.name}>
                {one.code}
              </option>
            ))}
          </datalist>
          <small>
            {activity ? t("panel.library", { code: activity.code, name: activity.name }) : single.activityId ? "" : t("table.newActivity")}
          </small>
        </label>
      ) : null}
      <label className={classes.field} htmlFor={`${id}-lead`}>
        <span>{t("field.leadTimeLong", { max: leadTimeDaysMax })}</span>
        <DraftInput
          {...field}
          id={`${id}-lead`}
          label={t("field.leadTime")}
          inputMode="numeric"
          value={same ? String(nodes[0]?.leadTimeDays ?? "") : ""}
          onCommit={(text) => {
            const days = parseLeadTime(text);
            if (days === null) return t("field.leadTimeWrong", { max: leadTimeDaysMax });
            change({ do: "patch", keys, patch: { leadTimeDays: days } });
            return null;
          }}
        />
      </label>
      {single ? (
        <label className={classes.field} htmlFor={`${id}-before`}>
          <span>{t("field.predecessors")}</span>
          <DraftInput
            {...field}
            id={`${id}-before`}
            label={t("field.predecessors")}
            value={predecessors.text(single.key)}
            onCommit={(text) => predecessors.commit(single.key, text)}
          />
          <small>{t("field.predecessorsHelp")}</small>
        </label>
      ) : null}
      <div className={classes.flags}>
        {nodeFlags.map((flag) => {
          const on = nodes.filter((node) => node[flag]).length;
          return (
            <Checkbox
              key={flag}
              size="xs"
              label={t(`flag.${flag}Long`)}
              checked={on === nodes.length}
              indeterminate={on > 0 && on < nodes.length}
              disabled={!editable}
              onChange={(event) => change({ do: "patch", keys, patch: { [flag]: event.currentTarget.checked } })}
            />
          );
        })}
      </div>
      <SubFlowChoice
        id={`${id}-subFlow`}
        value={new Set(nodes.map((node) => node.subFlowId)).size === 1 ? (nodes[0]?.subFlowId ?? null) : undefined}
        disabled={!editable || !can("flow.edit")}
        onChange={(subFlowId) => change({ do: "patch", keys, patch: { subFlowId } })}
      />
      {editable ? (
        <Button
          leftSection={<IconTrash size={16} stroke={1.4} />}
          disabled={!mayRemove}
          title={mayRemove ? undefined : t("field.removeRight")}
          onClick={removeSelected}
        >
          {t("panel.delete", { count: nodes.length })}
        </Button>
      ) : null}
    </section>
  );
}
