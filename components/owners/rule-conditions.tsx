"use client";
import { ActionIcon, Button, MultiSelect, NumberInput, Select, TagsInput, TextInput } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { DayInput } from "#components/ui/day-input.tsx";
import { type RuleOperator, ruleOperators } from "#lib/owners/owner-rules/limits.ts";
import type { OwnerCondition } from "#lib/owners/owner-rules/logic.ts";
import { conditionRowsMax, conditionTextChars, conditionValuesMax } from "#lib/plan-rules/conditions/limits.ts";
import { type ConditionObject, refKey } from "#lib/plan-rules/conditions/logic.ts";
import classes from "./owners.module.css";

/** A condition with a key of its own on screen. */
export type EditedCondition = OwnerCondition & { key: number };

type Props = {
  objects: readonly ConditionObject[];
  rows: readonly EditedCondition[];
  onChange: (rows: EditedCondition[]) => void;
  /** What the server said of rows, by `row.part`. */
  problems: ReadonlyMap<string, string>;
};

/** Conditions on attributes and fields of a DU, one for each, all of which have to hold. [OWN-06] */
export function RuleConditions({ objects, rows, onChange, problems }: Props) {
  const t = useTranslations("owners");
  const used = new Set(rows.map(({ object }) => refKey(object)));
  const free = objects.filter(({ key }) => !used.has(key));
  const patch = (key: number, part: Partial<EditedCondition>) => onChange(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  const add = () => {
    const [first] = free;
    if (!first) return;
    const key = 1 + Math.max(0, ...rows.map((row) => row.key));
    onChange([...rows, { key, object: first.ref as OwnerCondition["object"], operator: ruleOperators[first.type][0], values: [] }]);
  };
  return (
    <fieldset className={classes.conditions}>
      <legend>{t("column.conditions")}</legend>
      {rows.length > 0 ? (
        <ul className={classes.rows}>
          {rows.map((row, at) => {
            const object = objects.find(({ key }) => key === refKey(row.object));
            const told = [...problems].filter(([path]) => path.startsWith(`${at}.`)).map(([, text]) => text);
            return (
              <li key={row.key} className={classes.condition}>
                <Select
                  aria-label={t("conditions.object", { number: at + 1 })}
                  searchable
                  allowDeselect={false}
                  data={[...(object ? [object] : []), ...free].map(({ key, title }) => ({ value: key, label: title }))}
                  value={object?.key ?? null}
                  placeholder={object ? undefined : t("rules.gone")}
                  onChange={(key) => {
                    const next = objects.find((one) => one.key === key);
                    if (next && next.key !== object?.key)
                      patch(row.key, { object: next.ref as OwnerCondition["object"], operator: ruleOperators[next.type][0], values: [] });
                  }}
                />
                <select
                  className={classes.select}
                  aria-label={t("conditions.operator", { number: at + 1 })}
                  value={row.operator}
                  onChange={(event) => {
                    const operator = event.currentTarget.value as RuleOperator;
                    const most = operator === "EQ" ? 1 : operator === "IN" || operator === "NOT_IN" ? conditionValuesMax : 0;
                    patch(row.key, { operator, values: row.values.slice(0, most) });
                  }}
                >
                  {(object ? ruleOperators[object.type] : [row.operator]).map((operator) => (
                    <option key={operator} value={operator}>
                      {t(`operator.${operator}`)}
                    </option>
                  ))}
                </select>
                <Values row={row} number={at + 1} object={object} onValues={(values) => patch(row.key, { values })} />
                <ActionIcon
                  size={24}
                  aria-label={t("conditions.remove", { number: at + 1 })}
                  onClick={() => onChange(rows.filter((other) => other !== row))}
                >
                  <IconX size={16} stroke={1.4} />
                </ActionIcon>
                {told.length > 0 ? (
                  <p className={classes.problem} role="alert">
                    {[...new Set(told)].join("; ")}
                  </p>
                ) : null}
              </li>
            );
          })}
        </ul>
      ) : null}
      <div className={classes.line}>
        <Button
          leftSection={<IconPlus size={16} stroke={1.4} />}
          disabled={rows.length >= conditionRowsMax || free.length === 0}
          onClick={add}
        >
          {t("conditions.add")}
        </Button>
        <span className={classes.help}>
          {rows.length === 0 ? t("rules.everyDu") : t("conditions.count", { count: rows.length, max: conditionRowsMax })}
        </span>
      </div>
    </fieldset>
  );
}

type ValuesProps = {
  row: EditedCondition;
  number: number;
  object: ConditionObject | undefined;
  onValues: (values: (string | number)[]) => void;
};

function Values({ row, number, object, onValues }: ValuesProps) {
  const t = useTranslations("owners");
  const label = t("conditions.value", { number });
  if (!object || row.operator === "IS_EMPTY" || row.operator === "IS_NOT_EMPTY") return <span />;
  const many = row.operator !== "EQ";
  const texts = row.values.map(String);
  if (object.type === "choice")
    return (
      <MultiSelect
        aria-label={label}
        searchable
        maxValues={many ? conditionValuesMax : 1}
        data={object.choices?.map(({ value, title }) => ({ value, label: title })) ?? []}
        value={texts}
        onChange={onValues}
      />
    );
  if (many)
    return <TagsInput aria-label={label} maxTags={conditionValuesMax} maxLength={conditionTextChars} value={texts} onChange={onValues} />;
  const value = row.values[0] ?? "";
  if (object.type === "number") return <NumberInput aria-label={label} value={value} onChange={(next) => onValues([next])} />;
  if (object.type === "date") return <DayInput aria-label={label} value={String(value)} onChange={(day) => onValues([day])} />;
  return (
    <TextInput
      aria-label={label}
      maxLength={conditionTextChars}
      value={String(value)}
      onChange={(event) => onValues([event.currentTarget.value])}
    />
  );
}
