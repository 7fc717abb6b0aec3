"use client";
import { ActionIcon, Button, Checkbox, MultiSelect, NumberInput, Select, TextInput } from "@mantine/core";
import { IconCopy, IconPlus, IconX } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { DayInput } from "#components/ui/day-input.tsx";
import { actionRowsMax, aggregates, blankModes, fixedChars, offsetMax, type RuleType, sourcesMax } from "#lib/plan-rules/limits.ts";
import { attributeOf, isPlanDate } from "#lib/plan-rules/logic.ts";
import type { RuleObjects } from "#lib/plan-rules/rule-set/queries.ts";
import type { CardProps } from "./basics-card.tsx";
import classes from "./plan-rules.module.css";
import { type ActionRow, chosenLabel, fixedKey, newAction, withChosen } from "./rule-form.ts";

type Field = RuleObjects["fields"][number];

function sourcesFor(type: RuleType, fields: readonly Field[]): readonly Field[] {
  if (type === "MULTI_ACT") return fields.filter(({ ref, kind }) => ref.k === "ACT" && (kind === "day" || kind === "datetime"));
  if (type === "ACT_TO_ACT" || type === "ACT_TO_ATTR") return fields.filter(({ ref }) => isPlanDate(ref));
  return type === "EXT_EVENT" ? fields : fields.filter(({ ref }) => attributeOf(ref) !== null);
}

function targetsFor(type: RuleType, fields: readonly Field[]): readonly Field[] {
  const fillable = fields.filter((field) => field.fillable);
  if (type === "ACT_TO_ACT" || type === "ATTR_TO_ACT") return fillable.filter(({ ref }) => isPlanDate(ref));
  return type === "ACT_TO_ATTR" || type === "ATTR_TO_ATTR" ? fillable.filter(({ ref }) => attributeOf(ref) !== null) : fillable;
}

const takesFixed: readonly RuleType[] = ["ACT_TO_ATTR", "ATTR_TO_ATTR", "EXT_EVENT"];

type Props = CardProps &
  Pick<RuleObjects, "objects" | "fields"> & {
    /** Whether the flow has nothing of this key. */
    isElsewhere: (key: string) => boolean;
    /** The title of any field that was ever on offer, where it is known. */
    titleOf: (key: string) => string | undefined;
  };

/** The rows from sources to targets; what a row names and its flow has not stays in sight until another is chosen. */
export function ActionsCard({ form, objects, fields, isElsewhere, titleOf, problems, onPatch }: Props) {
  const t = useTranslations("plan-rules");
  const rows = form.actions;
  const change = (key: number, part: Partial<ActionRow>) =>
    onPatch({ actions: rows.map((row) => (row.key === key ? { ...row, ...part } : row)) });
  const next = 1 + Math.max(0, ...rows.map(({ key }) => key));
  const full = rows.length >= actionRowsMax;
  const sources = [
    ...(takesFixed.includes(form.ruleType) ? [{ value: fixedKey, label: t("form.fixed") }] : []),
    ...sourcesFor(form.ruleType, fields).map(({ key, title }) => ({ value: key, label: title })),
  ];
  const targets = targetsFor(form.ruleType, fields).map(({ key, title }) => ({ value: key, label: title }));
  const labelOf = (key: string) => chosenLabel(t, titleOf(key), isElsewhere(key));
  return (
    <section className={classes.card}>
      <h2>
        {t("form.actions")}
        <small>{`${rows.length} / ${actionRowsMax}`}</small>
      </h2>
      <div className={classes.body}>
        {rows.map((row, at) => {
          const said = [...problems].filter(([path]) => path.startsWith(`actions.${at}.`)).map(([, text]) => text);
          const number = at + 1;
          return (
            <div key={row.key}>
              <div className={classes.action}>
                <span className={classes.number}>{number}</span>
                <div className={classes.sources}>
                  {form.ruleType === "MULTI_ACT" ? (
                    <MultiSelect
                      aria-label={t("form.source", { number })}
                      searchable
                      maxValues={sourcesMax}
                      data={withChosen(sources, row.sources, labelOf)}
                      error={row.sources.some(isElsewhere)}
                      value={row.sources}
                      placeholder={row.sources.length === 0 ? t("form.sources") : ""}
                      onChange={(value) => change(row.key, { sources: value })}
                    />
                  ) : (
                    <Select
                      aria-label={t("form.source", { number })}
                      searchable
                      data={withChosen(sources, row.sources, labelOf)}
                      error={row.sources.some(isElsewhere)}
                      value={row.sources[0] ?? null}
                      placeholder={t("form.sourceHint")}
                      onChange={(value) => change(row.key, { sources: value === null ? [] : [value] })}
                    />
                  )}
                  {row.sources[0] === fixedKey ? (
                    <FixedValue
                      label={t("form.fixedValue", { number })}
                      target={objects.find(({ key }) => key === row.target)}
                      value={row.fixed}
                      onChange={(fixed) => change(row.key, { fixed })}
                    />
                  ) : null}
                  {form.ruleType === "MULTI_ACT" ? (
                    <span className={classes.line}>
                      <Select
                        aria-label={t("form.aggregate", { number })}
                        w={140}
                        allowDeselect={false}
                        data={aggregates.map((value) => ({ value, label: t(`aggregate.${value}`) }))}
                        value={row.aggregate}
                        onChange={(value) => change(row.key, { aggregate: value as ActionRow["aggregate"] })}
                      />
                      <Select
                        aria-label={t("form.blanks", { number })}
                        w={170}
                        allowDeselect={false}
                        data={blankModes.map((value) => ({ value, label: t(`blanks.${value}`) }))}
                        value={row.blanks}
                        onChange={(value) => change(row.key, { blanks: value as ActionRow["blanks"] })}
                      />
                    </span>
                  ) : null}
                </div>
                <NumberInput
                  aria-label={t("form.offset", { number })}
                  min={0}
                  max={offsetMax}
                  allowDecimal={false}
                  prefix="+ "
                  value={row.offset}
                  onChange={(value) => change(row.key, { offset: Number(value) || 0 })}
                />
                <Select
                  aria-label={t("form.target", { number })}
                  searchable
                  data={withChosen(targets, row.target === null ? [] : [row.target], labelOf)}
                  error={row.target !== null && isElsewhere(row.target)}
                  value={row.target}
                  placeholder={t("form.targetHint")}
                  // A fixed value is one of its target.
                  onChange={(target) => change(row.key, { target, fixed: "" })}
                />
                <Checkbox
                  label={t("form.overwrite")}
                  checked={row.overwrite}
                  onChange={(event) => change(row.key, { overwrite: event.currentTarget.checked })}
                />
                <span>
                  <ActionIcon
                    size={24}
                    disabled={full}
                    aria-label={t("form.copyRow", { number })}
                    onClick={() => onPatch({ actions: rows.toSpliced(at + 1, 0, { ...row, key: next, target: null }) })}
                  >
                    <IconCopy size={16} stroke={1.4} />
                  </ActionIcon>
                  <ActionIcon
                    size={24}
                    disabled={rows.length === 1}
                    aria-label={t("form.removeRow", { number })}
                    onClick={() => onPatch({ actions: rows.toSpliced(at, 1) })}
                  >
                    <IconX size={16} stroke={1.4} />
                  </ActionIcon>
                </span>
              </div>
              {said.length > 0 ? (
                <p className={classes.problem} role="alert">
                  {said.join("; ")}
                </p>
              ) : null}
            </div>
          );
        })}
        <div className={classes.line}>
          <Button
            leftSection={<IconPlus size={16} stroke={1.4} />}
            disabled={full}
            onClick={() => onPatch({ actions: [...rows, newAction(next, form.ruleType)] })}
          >
            {t("form.addRow")}
          </Button>
          <span className={classes.help}>{t("form.rowsMax", { max: actionRowsMax })}</span>
        </div>
      </div>
    </section>
  );
}

type FixedProps = { label: string; target: RuleObjects["objects"][number] | undefined; value: string; onChange: (value: string) => void };

/** A value that is typed or chosen as its target holds it. */
function FixedValue({ label, target, value, onChange }: FixedProps) {
  if (target?.choices)
    return (
      <Select
        aria-label={label}
        searchable
        data={target.choices.map((choice) => ({ value: choice.value, label: choice.title }))}
        value={value || null}
        onChange={(chosen) => onChange(chosen ?? "")}
      />
    );
  if (target?.type === "date") return <DayInput aria-label={label} value={value} onChange={onChange} />;
  if (target?.type === "number") return <NumberInput aria-label={label} value={value} onChange={(next) => onChange(String(next))} />;
  const hint = target?.type === "time" ? "09:30" : target?.type === "datetime" ? "2026-10-14T09:30:00" : undefined;
  return (
    <TextInput
      aria-label={label}
      maxLength={fixedChars}
      placeholder={hint}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
