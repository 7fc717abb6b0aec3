"use client";
import { Modal, NativeSelect } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useCloseGuard, useEdited } from "#components/ui/close-guard.tsx";
import { DayInput } from "#components/ui/day-input.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toast.ts";
import { callDoor } from "#lib/core/call-door.ts";
import type { Answer } from "#lib/core/error.ts";
import type { NamedEvent } from "#lib/dependency-rules/logic.ts";
import type { DependencyChoices, DependencyEntry } from "#lib/dependency-rules/queries.ts";
import { prerequisitesMax, targetsMax } from "#lib/dependency-rules/rule-set/limits.ts";
import classes from "./dependencies.module.css";
import { DependencyGraph } from "./dependency-graph.tsx";
import { type EventDraft, EventRows } from "./event-rows.tsx";

type Props = {
  /** null for new rules. */
  row: DependencyEntry | null;
  choices: DependencyChoices;
  inForce: readonly DependencyEntry[];
  onClose: () => void;
  onSaved: () => Promise<void>;
};

const draftOf = ({ activityId, attributeId, event }: NamedEvent, key: number): EventDraft => ({
  key,
  object: activityId === undefined ? `a${attributeId}` : String(activityId),
  event,
});
const emptyRow = (key: number): EventDraft => ({ key, object: "", event: "COMPLETE" });
/** What is sent of a row: an attribute is only ever maintained. */
const nodeOf = ({ object, event }: EventDraft) =>
  object.startsWith("a") ? { attributeId: Number(object.slice(1)), event: "MAINTAIN" } : { activityId: Number(object), event };

/** Prerequisites and what needs them; for every target a rule of its own is stored. A circle is refused and drawn. */
export function DependencyDialog({ row, choices, inForce, onClose, onSaved }: Props) {
  const t = useTranslations("dependency-rules");
  const common = useTranslations("common");
  const id = useId();
  const [flowId, setFlowId] = useState(row?.flowId ? String(row.flowId) : "");
  const [expireDate, setExpireDate] = useState(row?.expireDate ?? "");
  const [prerequisites, setPrerequisites] = useState<EventDraft[]>(() => row?.prerequisites.map(draftOf) ?? [emptyRow(0)]);
  const [targets, setTargets] = useState<EventDraft[]>(() => (row ? [draftOf(row.target, 0)] : [{ ...emptyRow(0), event: "START" }]));
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Answer | null>(null);
  const { close, question } = useCloseGuard(useEdited([flowId, expireDate, prerequisites, targets]), onClose);
  const changed =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      setRefusal(null);
      set(value);
    };
  const faults = Object.fromEntries((refusal?.problems ?? []).map(({ path, msg }) => [path, msg]));
  const loop = refusal?.code === "DEP_LOOP" ? (refusal.beside as { path: NamedEvent[] } | undefined)?.path : undefined;
  const complete = [...prerequisites, ...targets].every(({ object }) => object !== "");
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const answer = await callDoor<{ ids: number[] }>("rollPlanDependency/save", {
      ...(row && { id: row.id, rowVersion: row.rowVersion }),
      flowId: flowId === "" ? null : Number(flowId),
      prerequisites: prerequisites.map(nodeOf),
      targets: targets.map(nodeOf),
      expireDate: expireDate || null,
    });
    setBusy(false);
    if (answer.status >= 400) return setRefusal(answer);
    await onSaved();
    toast.done(t("saved", { count: answer.data?.ids.length ?? 0 }));
    onClose();
  };
  const own = Object.keys(faults).some((path) => path !== "");
  return (
    <Modal opened onClose={close} title={row ? t("edit") : t("new")} size={760} closeButtonProps={{ "aria-label": common("close") }}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <EventRows
          legend={t("form.prerequisites")}
          help={t("form.prerequisitesHelp", { max: prerequisitesMax })}
          add={t("form.addPrerequisite")}
          rows={prerequisites}
          max={prerequisitesMax}
          choices={choices}
          faultOf={(at) => faults[`prerequisites.${at}`] ?? (at === 0 ? faults.prerequisites : undefined)}
          onChange={changed(setPrerequisites)}
        />
        <EventRows
          legend={t("form.targets")}
          help={row ? t("form.oneTarget") : t("form.targetsHelp", { max: targetsMax })}
          add={t("form.addTarget")}
          rows={targets}
          max={row ? 1 : targetsMax}
          choices={choices}
          faultOf={(at) => faults[`targets.${at}`] ?? (at === 0 ? faults.targets : undefined)}
          onChange={changed(setTargets)}
        />
        <div className={classes.pair}>
          <Field id={`${id}-flow`} label={t("column.flow")} error={faults.flowId}>
            <NativeSelect
              id={`${id}-flow`}
              value={flowId}
              error={Boolean(faults.flowId)}
              aria-describedby={fieldNoteId(`${id}-flow`)}
              data={[{ value: "", label: t("everyFlow") }, ...choices.flows.map((flow) => ({ value: String(flow.id), label: flow.name }))]}
              onChange={(event) => changed(setFlowId)(event.currentTarget.value)}
            />
          </Field>
          <Field id={`${id}-expire`} label={t("column.expireDate")} help={t("form.expireHelp")} error={faults.expireDate}>
            <DayInput
              id={`${id}-expire`}
              value={expireDate}
              clearable
              error={Boolean(faults.expireDate)}
              aria-describedby={fieldNoteId(`${id}-expire`)}
              onChange={changed(setExpireDate)}
            />
          </Field>
        </div>
        {loop ? <DependencyGraph rules={inForce} loop={loop} /> : null}
        <DialogFoot
          problem={refusal && !own ? (refusal.msg ?? common("failed")) : undefined}
          verb={common("save")}
          busy={busy}
          disabled={!complete}
          onClose={close}
        />
      </form>
      {question}
    </Modal>
  );
}
