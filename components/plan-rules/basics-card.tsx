"use client";
import { MultiSelect, NumberInput, Select, Switch, Textarea, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { Confirm } from "#components/ui/confirm.tsx";
import { DayInput } from "#components/ui/day-input.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { useList } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { formatMoment } from "#lib/core/format.ts";
import { descriptionChars, frequencies, type RuleType, ruleNameChars, ruleTypes, sortMax } from "#lib/plan-rules/limits.ts";
import type { RuleDetail, RuleObjects } from "#lib/plan-rules/rule-set/queries.ts";
import { DuFilters } from "./du-filters.tsx";
import classes from "./plan-rules.module.css";
import { isFilled, newAction, type RuleForm } from "./rule-form.ts";

export type CardProps = { form: RuleForm; problems: ReadonlyMap<string, string>; onPatch: (part: Partial<RuleForm>) => void };

/** Name, type, place, dates, and whether the rule runs by itself. */
export function BasicsCard({ form, problems, rule, onPatch }: CardProps & { rule: RuleDetail | null }) {
  const t = useTranslations("plan-rules");
  const common = useTranslations("common");
  const { offset } = useSession();
  const id = useId();
  const [asked, setAsked] = useState<RuleType | null>(null);
  const setType = (ruleType: RuleType) => onPatch({ ruleType, actions: [newAction(0, ruleType)] });
  const chooseType = (ruleType: RuleType) => (form.actions.some(isFilled) ? setAsked(ruleType) : setType(ruleType));
  const timed = form.ruleType !== "EXT_EVENT" && form.ruleType !== "ORG_TARGET";
  return (
    <section className={classes.card}>
      <h2>{t("form.basics")}</h2>
      <div className={classes.body}>
        <div className={classes.fields}>
          <Field
            id={`${id}-name`}
            label={common("name")}
            required
            count={{ used: form.name.length, max: ruleNameChars }}
            error={problems.get("name")}
          >
            <TextInput
              id={`${id}-name`}
              maxLength={ruleNameChars}
              value={form.name}
              error={problems.has("name")}
              aria-describedby={fieldNoteId(`${id}-name`)}
              onChange={(event) => onPatch({ name: event.currentTarget.value })}
            />
          </Field>
          <Field id={`${id}-type`} label={t("column.type")} required error={problems.get("ruleType")}>
            <Select
              id={`${id}-type`}
              allowDeselect={false}
              data={ruleTypes.map((value) => ({ value, label: t(`type.${value}`) }))}
              value={form.ruleType}
              aria-describedby={fieldNoteId(`${id}-type`)}
              onChange={(value) => value && chooseType(value as RuleType)}
            />
          </Field>
          <Field id={`${id}-sort`} label={t("column.sortNo")} range={{ min: 1, max: sortMax }} error={problems.get("sortNo")}>
            <NumberInput
              id={`${id}-sort`}
              min={1}
              max={sortMax}
              allowDecimal={false}
              value={form.sortNo}
              aria-describedby={fieldNoteId(`${id}-sort`)}
              onChange={(value) => onPatch({ sortNo: value === "" ? "" : Number(value) })}
            />
          </Field>
        </div>
        <div className={classes.line}>
          {timed ? (
            <>
              <Switch
                label={t("form.auto")}
                checked={form.autoExecute}
                error={problems.get("autoExecute")}
                onChange={(event) => onPatch({ autoExecute: event.currentTarget.checked })}
              />
              {form.autoExecute ? (
                <Select
                  aria-label={t("form.frequency")}
                  w={130}
                  allowDeselect={false}
                  data={frequencies.map((hours) => ({ value: String(hours), label: t("every", { hours }) }))}
                  value={String(form.frequency)}
                  onChange={(value) => onPatch({ frequency: Number(value) })}
                />
              ) : null}
              {rule?.nextRunAt ? (
                <span className={classes.help}>{t("form.nextRun", { at: formatMoment(rule.nextRunAt, offset) })}</span>
              ) : null}
            </>
          ) : null}
          <label className={classes.line} htmlFor={`${id}-from`}>
            <span className={classes.help}>{t("form.effectiveAt")}</span>
            <DayInput id={`${id}-from`} clearable value={form.effectiveAt} onChange={(effectiveAt) => onPatch({ effectiveAt })} />
          </label>
          <label className={classes.line} htmlFor={`${id}-to`}>
            <span className={classes.help}>{t("form.expireDate")}</span>
            <DayInput id={`${id}-to`} clearable value={form.expireDate} onChange={(expireDate) => onPatch({ expireDate })} />
          </label>
        </div>
        {problems.has("expireDate") || problems.has("effectiveAt") ? (
          <p className={classes.problem}>{problems.get("expireDate") ?? problems.get("effectiveAt")}</p>
        ) : null}
        <Field
          id={`${id}-text`}
          label={t("form.description")}
          count={{ used: form.description.length, max: descriptionChars }}
          error={problems.get("description")}
        >
          <Textarea
            id={`${id}-text`}
            autosize
            minRows={1}
            maxRows={4}
            maxLength={descriptionChars}
            value={form.description}
            aria-describedby={fieldNoteId(`${id}-text`)}
            onChange={(event) => onPatch({ description: event.currentTarget.value })}
          />
        </Field>
      </div>
      <Confirm
        opened={asked !== null}
        verb={t("form.typeVerb")}
        danger
        onConfirm={() => asked && setType(asked)}
        onClose={() => setAsked(null)}
      >
        {t("form.typeText")}
      </Confirm>
    </section>
  );
}

const flowsShown = 200;
const released = [{ field: "status", type: "in" as const, values: ["released"] }];

type ScopeProps = CardProps & Pick<RuleObjects, "objects"> & { flowName: string | null; count: string | null };

/** Whom the rule concerns: the DUs of a flow, in some regions or all, that further filters let through. */
export function ScopeCard({ form, problems, flowName, objects, count, onPatch }: ScopeProps) {
  const t = useTranslations("plan-rules");
  const id = useId();
  const flows = useList<{ id: number; name: string }>({ address: "flow/list", page: 1, size: flowsShown, filters: released });
  const regions = objects.find(({ key }) => key === "du.region")?.choices ?? [];
  const offered = (flows.data?.records ?? []).map((flow) => ({ value: String(flow.id), label: flow.name }));
  const data =
    flowName !== null && form.flowId !== null && !offered.some(({ value }) => value === form.flowId)
      ? [{ value: form.flowId, label: flowName }, ...offered]
      : offered;
  return (
    <section className={classes.card}>
      <h2>
        {t("form.scope")}
        <small aria-live="polite">{count ?? ""}</small>
      </h2>
      <div className={classes.body}>
        {flows.isError && !flows.data ? (
          <ErrorPanel title={t("form.flowsFailed")} failed={flows.error} onRetry={() => flows.refetch()} />
        ) : null}
        <div className={classes.fields}>
          <Field id={`${id}-flow`} label={t("column.flow")} required error={problems.get("flowId")}>
            <Select
              id={`${id}-flow`}
              searchable
              data={data}
              value={form.flowId}
              error={problems.has("flowId")}
              aria-describedby={fieldNoteId(`${id}-flow`)}
              onChange={(flowId) => onPatch({ flowId })}
            />
          </Field>
          <Field id={`${id}-region`} label={t("column.region")} help={t("form.regionHelp")} error={problems.get("regionIds")}>
            <MultiSelect
              id={`${id}-region`}
              searchable
              data={regions.map(({ value, title }) => ({ value, label: title }))}
              value={form.regionIds}
              aria-describedby={fieldNoteId(`${id}-region`)}
              onChange={(regionIds) => onPatch({ regionIds })}
            />
          </Field>
        </div>
        {form.ruleType === "ORG_TARGET" ? null : <DuFilters form={form} problems={problems} objects={objects} onPatch={onPatch} />}
      </div>
    </section>
  );
}
