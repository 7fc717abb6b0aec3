"use client";
import { Button, NumberInput, Select, TextInput } from "@mantine/core";
import { IconEye } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { ConditionEditor, type EditedRow } from "#components/plan-rules/condition-picker.tsx";
import { useEdited } from "#components/ui/close-guard.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { FormModal, type GuardedForm } from "#components/ui/form-modal.tsx";
import { lookup } from "#components/ui/query-client.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useList } from "#components/ui/use-list.ts";
import { useTellEdited } from "#components/ui/use-tell-edited.ts";
import { saveFlowRule } from "#lib/activity-flows/flow-rules/actions.ts";
import { priorityMax, ruleNameChars } from "#lib/activity-flows/flow-rules/limits.ts";
import type { FlowRuleRow } from "#lib/activity-flows/flow-rules/queries.ts";
import { previewFlowRules } from "#lib/activity-flows/rule-runs/actions.ts";
import type { Preview } from "#lib/activity-flows/rule-runs/queries.ts";
import type { Answer } from "#lib/core/error.ts";
import type { ConditionObject } from "#lib/plan-rules/conditions/logic.ts";
import { PreviewResult } from "./rule-preview.tsx";
import classes from "./rules.module.css";

type Props = {
  row: FlowRuleRow | "new" | null;
  objects: readonly ConditionObject[];
  onClose: () => void;
  onSaved: () => unknown;
};

/** A rule: what it binds to, in which region, under which conditions, and what it would do now. */
export function RuleDialog({ row, onClose, ...rest }: Props) {
  const t = useTranslations("flow-rules");
  return (
    <FormModal opened={row !== null} title={row === "new" ? t("new") : (row?.name ?? "")} size={980} onClose={onClose}>
      {(guarded) =>
        row ? (
          <RuleForm key={row === "new" ? "new" : row.id} row={row === "new" ? null : row} onClose={onClose} {...guarded} {...rest} />
        ) : null
      }
    </FormModal>
  );
}

const flowsShown = 200;
const released = [{ field: "status", type: "in" as const, values: ["released"] }];

type FormProps = Omit<Props, "row"> & GuardedForm & { row: FlowRuleRow | null };

function RuleForm({ row, objects, onEdited, onCancel, onClose, onSaved }: FormProps) {
  const t = useTranslations("flow-rules");
  const common = useTranslations("common");
  const id = useId();
  const [name, setName] = useState(row?.name ?? "");
  const [flowId, setFlowId] = useState<string | null>(row ? String(row.flowId) : null);
  const [regionId, setRegionId] = useState<string | null>(row?.regionId ? String(row.regionId) : null);
  const [priority, setPriority] = useState<number | string>(row?.priority ?? "");
  const [rows, setRows] = useState<EditedRow[]>(() => (row?.conditions ?? []).map((condition, key) => ({ ...condition, key })));
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const [preview, setPreview] = useState<Preview | null>(null);
  const [save, saving] = useAction(saveFlowRule);
  useTellEdited(useEdited([name, flowId, regionId, priority, rows]), onEdited);
  const [look, looking] = useAction(previewFlowRules);
  const flows = useList<{ id: number; name: string }>({ address: "flow/list", page: 1, size: flowsShown, filters: released, meta: lookup });
  const offered = flows.data?.records ?? [];
  const known = row && !offered.some((flow) => flow.id === row.flowId) ? [{ id: row.flowId, name: row.flowName }, ...offered] : offered;
  const regions = objects.find(({ key }) => key === "du.region")?.choices ?? [];
  const change = <Value,>(set: (value: Value) => void) => {
    return (value: Value) => {
      set(value);
      setProblems(new Map());
      setPreview(null);
    };
  };

  const input = () => {
    const missing = new Map<string, string>();
    if (name.trim() === "") missing.set("name", t("form.nameMissing"));
    if (flowId === null) missing.set("flowId", t("form.flowMissing"));
    if (missing.size > 0) {
      setProblems(missing);
      return null;
    }
    return {
      name,
      flowId: Number(flowId),
      regionId: regionId === null ? null : Number(regionId),
      ...(priority === "" ? {} : { priority: Number(priority) }),
      conditions: rows.map(({ open, object, operator, values, close, logic }) => ({ open, object, operator, values, close, logic })),
    };
  };
  const tell = (answer: Answer<unknown>) => {
    const told = new Map((answer.problems ?? []).map(({ path, msg }) => [path.replace(/^rule\./, ""), msg]));
    setProblems(told.size > 0 ? told : new Map([["", answer.msg ?? t("failed")]]));
  };
  const onLook = async () => {
    const rule = input();
    if (!rule) return;
    const answer = await look({ rule: { ...rule, ...(row ? { id: row.id } : {}) } });
    if (answer.data) setPreview(answer.data);
    else tell(answer);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const rule = input();
    if (!rule) return;
    const answer = await save({ ...rule, ...(row ? { id: row.id, rowVersion: row.rowVersion } : {}) });
    if (answer.status >= 400) return tell(answer);
    await onSaved();
    onClose();
  };
  const atRows = new Map(
    [...problems].flatMap(([path, text]) => (path.startsWith("conditions.") ? [[path.slice(11), text] as const] : [])),
  );
  const fields = ["name", "flowId", "regionId", "priority"];
  const whole = [...problems].find(([path]) => !fields.includes(path) && !/^conditions\.\d/.test(path))?.[1];
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <div className={classes.basics}>
        <Field
          id={`${id}-name`}
          label={common("name")}
          required
          count={{ used: name.length, max: ruleNameChars }}
          error={problems.get("name")}
        >
          <TextInput
            id={`${id}-name`}
            data-autofocus
            required
            maxLength={ruleNameChars}
            value={name}
            error={problems.has("name")}
            aria-describedby={fieldNoteId(`${id}-name`)}
            onChange={(event) => change(setName)(event.currentTarget.value)}
          />
        </Field>
        <Field id={`${id}-flow`} label={t("form.flow")} required error={problems.get("flowId")}>
          <Select
            id={`${id}-flow`}
            searchable
            required
            data={known.map((flow) => ({ value: String(flow.id), label: flow.name }))}
            value={flowId}
            error={problems.has("flowId")}
            aria-describedby={fieldNoteId(`${id}-flow`)}
            onChange={change(setFlowId)}
          />
        </Field>
        <Field id={`${id}-region`} label={t("form.region")} help={t("form.regionHelp")} error={problems.get("regionId")}>
          <Select
            id={`${id}-region`}
            searchable
            clearable
            clearButtonProps={{ "aria-label": common("clear") }}
            placeholder={t("everyRegion")}
            data={regions.map(({ value, title }) => ({ value, label: title }))}
            value={regionId}
            error={problems.has("regionId")}
            aria-describedby={fieldNoteId(`${id}-region`)}
            onChange={change(setRegionId)}
          />
        </Field>
        <Field
          id={`${id}-priority`}
          label={t("column.priority")}
          range={{ min: 1, max: priorityMax }}
          help={t("form.priorityHelp")}
          error={problems.get("priority")}
        >
          <NumberInput
            id={`${id}-priority`}
            min={1}
            max={priorityMax}
            allowDecimal={false}
            value={priority}
            error={problems.has("priority")}
            aria-describedby={fieldNoteId(`${id}-priority`)}
            onChange={change(setPriority)}
          />
        </Field>
      </div>
      <ConditionEditor objects={objects} rows={rows} onChange={change(setRows)} problems={atRows} />
      <div className={classes.line}>
        <Button leftSection={<IconEye size={16} stroke={1.4} />} loading={looking} onClick={onLook}>
          {t("preview.verb")}
        </Button>
        <span className={classes.help}>{t("preview.help")}</span>
      </div>
      {preview ? <PreviewResult preview={preview} /> : null}
      <DialogFoot problem={whole} busy={saving} verb={row ? common("save") : common("create")} onClose={onCancel} />
    </form>
  );
}
