"use client";
import { Button, Checkbox, MultiSelect, NumberInput, Select, Textarea, TextInput } from "@mantine/core";
import { IconEye } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useEdited } from "#components/ui/close-guard.tsx";
import { DayInput } from "#components/ui/day-input.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { FormModal, type GuardedForm } from "#components/ui/form-modal.tsx";
import { useAction } from "#components/ui/use-action.ts";
import { refreshList } from "#components/ui/use-list.ts";
import { useTellEdited } from "#components/ui/use-tell-edited.ts";
import type { Answer } from "#lib/core/error.ts";
import { saveOwnerRule } from "#lib/owners/owner-rules/actions.ts";
import {
  descriptionChars,
  type FillMode,
  fillModes,
  type RuleField,
  ruleFieldNames,
  ruleNameChars,
  sortNoMax,
} from "#lib/owners/owner-rules/limits.ts";
import type { OwnerRuleDetail, OwnerRuleRow } from "#lib/owners/owner-rules/queries.ts";
import { previewOwnerRules } from "#lib/owners/owner-runs/actions.ts";
import { ownersMax } from "#lib/rollout-plan/plan-rows/limits.ts";
import classes from "./owners.module.css";
import { PeopleField, type Person } from "./people-field.tsx";
import { type EditedCondition, RuleConditions } from "./rule-conditions.tsx";
import { rulesAddress } from "./rules-tab.tsx";
import { RunResult } from "./run-result.tsx";
import { useRuleChoices } from "./use-rules.ts";

type Props = { row: OwnerRuleRow | "new" | null; onClose: () => void };

/** A rule: which owners it fills, where, with whom, and what it would do now. */
export function RuleDialog({ row, onClose }: Props) {
  const t = useTranslations("owners");
  return (
    <FormModal opened={row !== null} title={row === "new" ? t("rules.new") : (row?.name ?? "")} size={980} onClose={onClose}>
      {(guarded) =>
        row ? (
          <LoadedForm key={row === "new" ? "new" : row.id} id={row === "new" ? undefined : row.id} onClose={onClose} {...guarded} />
        ) : null
      }
    </FormModal>
  );
}

type FormProps = GuardedForm & { onClose: () => void };

function LoadedForm({ id, ...rest }: FormProps & { id: number | undefined }) {
  const t = useTranslations("owners");
  const found = useRuleChoices(id);
  if (found.isError && !found.data) return <ErrorPanel title={t("notRead")} failed={found.error} onRetry={() => found.refetch()} />;
  return found.data ? <RuleForm key={String(id)} detail={found.data} {...rest} /> : <div aria-busy="true" />;
}

const options = (list: readonly { id: number; name: string }[]) => list.map(({ id, name }) => ({ value: String(id), label: name }));

function RuleForm({ detail, onEdited, onCancel, onClose }: FormProps & { detail: OwnerRuleDetail }) {
  // The rule as it was opened: a later reading brings no version that nobody has seen.
  const [{ rule, objects, flows, activities, groups }] = useState(detail);
  const t = useTranslations("owners");
  const common = useTranslations("common");
  const client = useQueryClient();
  const id = useId();
  const [name, setName] = useState(rule?.name ?? "");
  const [order, setOrder] = useState<number | string>(rule?.sortNo ?? "");
  const [flowIds, setFlowIds] = useState(rule?.flowIds.map(String) ?? []);
  const [activityIds, setActivityIds] = useState(rule?.activityIds.map(String) ?? []);
  const [fields, setFields] = useState<readonly RuleField[]>(rule?.ownerFields ?? ["PLAN_OWNER"]);
  const [mode, setMode] = useState<FillMode>(rule?.fillMode ?? "REGION_OWNER");
  const [people, setPeople] = useState<readonly Person[]>(rule?.people ?? []);
  const [attributeId, setAttributeId] = useState<string | null>(rule?.fillValue.attributeId ? String(rule.fillValue.attributeId) : null);
  const [groupId, setGroupId] = useState<string | null>(rule?.fillValue.groupId ? String(rule.fillValue.groupId) : null);
  const [overwrite, setOverwrite] = useState(rule?.overwrite ?? false);
  const [expires, setExpires] = useState(rule?.expireDate ?? "");
  const [description, setDescription] = useState(rule?.description ?? "");
  const [rows, setRows] = useState<EditedCondition[]>(() => (rule?.conditions ?? []).map((condition, key) => ({ ...condition, key })));
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map());
  const [runId, setRunId] = useState<number | null>(null);
  const [save, saving] = useAction(saveOwnerRule);
  const typed = [name, order, flowIds, activityIds, fields, mode, people, attributeId, groupId, overwrite, expires, description, rows];
  useTellEdited(useEdited(typed), onEdited);
  const [look, looking] = useAction(previewOwnerRules);
  const change = <Value,>(set: (value: Value) => void) => {
    return (value: Value) => {
      set(value);
      setProblems(new Map());
      setRunId(null);
    };
  };
  const chosen = new Set(flowIds.map(Number));
  const within = new Set(flows.flatMap((flow) => (chosen.has(flow.id) ? flow.activityIds : [])));
  const offered = activities.filter(
    (activity) => within.size === 0 || within.has(activity.id) || activityIds.includes(String(activity.id)),
  );
  const attributes = objects.filter(({ ref, type }) => ref.k === "ATTR" && type === "text");

  const input = () => ({
    name,
    ...(order === "" ? {} : { sortNo: Number(order) }),
    flowIds: flowIds.map(Number),
    activityIds: activityIds.map(Number),
    ownerFields: [...fields],
    fillMode: mode,
    fillValue: {
      ...(mode === "FIXED" && people.length > 0 ? { accounts: people.map(({ account }) => account) } : {}),
      ...(mode === "ATTRIBUTE" && attributeId ? { attributeId: Number(attributeId) } : {}),
      ...(mode === "GROUP_LEADER" && groupId ? { groupId: Number(groupId) } : {}),
    },
    overwrite,
    description: description.trim() === "" ? null : description,
    expireDate: expires === "" ? null : expires,
    conditions: rows.map(({ object, operator, values }) => ({ object, operator, values })),
    ...(rule ? { id: rule.id, rowVersion: rule.rowVersion } : {}),
  });
  /** What is missing, told before the server is asked. */
  const isWhole = () => {
    const missing = new Map<string, string>();
    if (name.trim() === "") missing.set("name", t("form.nameMissing"));
    if (flowIds.length === 0) missing.set("flowIds", t("form.missing"));
    if (fields.length === 0) missing.set("ownerFields", t("form.fieldsMissing"));
    if (mode === "FIXED" && people.length === 0) missing.set("fillValue.accounts", t("form.missing"));
    if (mode === "ATTRIBUTE" && !attributeId) missing.set("fillValue.attributeId", t("form.missing"));
    if (mode === "GROUP_LEADER" && !groupId) missing.set("fillValue.groupId", t("form.missing"));
    setProblems(missing);
    return missing.size === 0;
  };
  const tell = (answer: Answer<unknown>) => {
    const told = new Map((answer.problems ?? []).map(({ path, msg }) => [path.replace(/^rule\./, ""), msg]));
    setProblems(told.size > 0 ? told : new Map([["", answer.msg ?? t("failed")]]));
  };
  const onLook = async () => {
    if (!isWhole()) return;
    const answer = await look({ rule: input() });
    if (answer.data) setRunId(answer.data.runId);
    else tell(answer);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isWhole()) return;
    const answer = await save(input());
    if (answer.status >= 400) return tell(answer);
    await refreshList(client, rulesAddress);
    onClose();
  };
  const at = (path: string) => ({
    id: `${id}-${path}`,
    error: problems.has(path),
    "aria-describedby": fieldNoteId(`${id}-${path}`),
  });
  const field = (path: string, label: string) => ({ id: `${id}-${path}`, label, error: problems.get(path) });
  const known = ["name", "sortNo", "flowIds", "activityIds", "ownerFields", "expireDate", "description"];
  const whole = [...problems].find(
    ([path]) => !known.includes(path) && !path.startsWith("fillValue.") && !/^conditions\.\d/.test(path),
  )?.[1];
  const atRows = new Map(
    [...problems].flatMap(([path, text]) => (path.startsWith("conditions.") ? [[path.slice(11), text] as const] : [])),
  );
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <div className={classes.grid}>
        <Field {...field("name", t("form.name"))} required count={{ used: name.length, max: ruleNameChars }}>
          <TextInput
            {...at("name")}
            data-autofocus
            required
            maxLength={ruleNameChars}
            value={name}
            onChange={(event) => change(setName)(event.currentTarget.value)}
          />
        </Field>
        <Field {...field("sortNo", t("form.order"))} range={{ min: 1, max: sortNoMax }} help={t("form.orderHelp")}>
          <NumberInput {...at("sortNo")} min={1} max={sortNoMax} allowDecimal={false} value={order} onChange={change(setOrder)} />
        </Field>
        <Field {...field("flowIds", t("form.flows"))} required>
          <MultiSelect {...at("flowIds")} searchable data={options(flows)} value={flowIds} onChange={change(setFlowIds)} />
        </Field>
        <Field {...field("activityIds", t("form.activities"))} help={t("form.activitiesHelp")}>
          <MultiSelect {...at("activityIds")} searchable data={options(offered)} value={activityIds} onChange={change(setActivityIds)} />
        </Field>
        <Field {...field("fillMode", t("form.mode"))} required>
          <Select
            {...at("fillMode")}
            allowDeselect={false}
            data={fillModes.map((value) => ({ value, label: t(`mode.${value}`) }))}
            value={mode}
            onChange={(value) => value && change(setMode)(value as FillMode)}
          />
        </Field>
        {mode === "FIXED" ? (
          <Field {...field("fillValue.accounts", t("form.people"))} required help={t("form.peopleHelp", { max: ownersMax })}>
            <PeopleField {...at("fillValue.accounts")} value={people} onChange={change(setPeople)} />
          </Field>
        ) : null}
        {mode === "ATTRIBUTE" ? (
          <Field {...field("fillValue.attributeId", t("form.attribute"))} required>
            <Select
              {...at("fillValue.attributeId")}
              searchable
              data={attributes.map(({ key, title }) => ({ value: key.slice(1), label: title }))}
              value={attributeId}
              onChange={change(setAttributeId)}
            />
          </Field>
        ) : null}
        {mode === "GROUP_LEADER" ? (
          <Field {...field("fillValue.groupId", t("form.group"))} required>
            <Select {...at("fillValue.groupId")} searchable data={options(groups)} value={groupId} onChange={change(setGroupId)} />
          </Field>
        ) : null}
        <fieldset className={classes.checks}>
          <legend>{t("form.fields")}</legend>
          {ruleFieldNames.map((value) => (
            <Checkbox
              key={value}
              size="xs"
              label={t(`field.${value}`)}
              checked={fields.includes(value)}
              onChange={(event) =>
                change(setFields)(ruleFieldNames.filter((one) => (one === value ? event.currentTarget.checked : fields.includes(one))))
              }
            />
          ))}
          <Checkbox
            size="xs"
            label={t("form.overwrite")}
            checked={overwrite}
            onChange={(event) => change(setOverwrite)(event.currentTarget.checked)}
          />
          {problems.has("ownerFields") ? (
            <p className={classes.problem} role="alert">
              {problems.get("ownerFields")}
            </p>
          ) : null}
        </fieldset>
        <Field {...field("expireDate", t("form.expires"))} help={t("form.expiresHelp")}>
          <DayInput {...at("expireDate")} clearable value={expires} onChange={change(setExpires)} />
        </Field>
        <div className={classes.wide}>
          <Field {...field("description", t("form.description"))} count={{ used: description.length, max: descriptionChars }}>
            <Textarea
              {...at("description")}
              autosize
              minRows={2}
              maxRows={5}
              maxLength={descriptionChars}
              value={description}
              onChange={(event) => change(setDescription)(event.currentTarget.value)}
            />
          </Field>
        </div>
      </div>
      <RuleConditions objects={objects} rows={rows} onChange={change(setRows)} problems={atRows} />
      <div className={classes.line}>
        <Button leftSection={<IconEye size={16} stroke={1.4} />} loading={looking} onClick={onLook}>
          {t("verb.preview")}
        </Button>
        <span className={classes.help}>{t("result.help")}</span>
      </div>
      {runId === null ? null : <RunResult runId={runId} />}
      <DialogFoot problem={whole} busy={saving} verb={rule ? common("save") : common("create")} onClose={onCancel} />
    </form>
  );
}
