"use client";
import { ActionIcon, Button, MultiSelect, NumberInput, Select, TagsInput, TextInput } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconPlus, IconX } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { DayInput } from "#components/ui/day-input.tsx";
import {
  conditionRowsMax,
  conditionTextChars,
  conditionValuesMax,
  type Logic,
  logics,
  type Operator,
  operators,
  parenthesesMax,
} from "#lib/plan-rules/conditions/limits.ts";
import {
  type ConditionObject,
  type ConditionRow,
  parseConditions,
  refKey,
  sentenceOf,
  structureFaults,
  valueCount,
} from "#lib/plan-rules/conditions/logic.ts";
import classes from "./condition-picker.module.css";
import cards from "./plan-rules.module.css";

/** A row with a key of its own on screen. */
export type EditedRow = ConditionRow & { key: number };

type Props = {
  objects: readonly ConditionObject[];
  rows: readonly EditedRow[];
  onChange: (rows: EditedRow[]) => void;
  /** What the server said of rows, by `row.part`. */
  problems: ReadonlyMap<string, string>;
  /** One of the cards of an editor that shows the sentence by itself. */
  card?: boolean;
};

/** Conditions row by row, with the sentence they make below; what is wrong with parentheses and joints is said at once. */
export function ConditionEditor({ objects, rows, onChange, problems, card = false }: Props) {
  const t = useTranslations("conditions");
  const sentence = useConditionText(objects)(rows);
  const faults = structureFaults(rows);
  const patch = (key: number, part: Partial<EditedRow>) => onChange(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  const keep = (list: EditedRow[]) =>
    // A row that is no longer the last needs a joint, and the last has none.
    onChange(list.map((row, at) => ({ ...row, logic: at === list.length - 1 ? null : (row.logic ?? "AND") })));
  const add = () => {
    const [first] = objects;
    if (!first) return;
    const operator = operators[first.type][0] as Operator;
    const key = 1 + Math.max(0, ...rows.map((row) => row.key));
    keep([...rows, { key, open: 0, object: first.ref, operator, values: [], close: 0, logic: null }]);
  };
  const move = (at: number, by: number) => keep(rows.toSpliced(at, 1).toSpliced(at + by, 0, rows[at] as EditedRow));
  const lines = (
    <>
      {rows.length > 0 ? (
        <ol className={classes.rows}>
          {rows.map((row, at) => {
            const said = [...problems].filter(([place]) => place.startsWith(`${at}.`)).map(([, text]) => text);
            const own = faults.filter((fault) => fault.row === at).map(({ code }) => t(`structure.${code as "CONDITION_LOGIC"}`));
            return (
              <li key={row.key} className={classes.item}>
                <ConditionLine
                  row={row}
                  number={at + 1}
                  last={at === rows.length - 1}
                  objects={objects}
                  onPatch={(part) => patch(row.key, part)}
                />
                <span className={classes.verbs}>
                  <ActionIcon size={24} aria-label={t("up", { number: at + 1 })} disabled={at === 0} onClick={() => move(at, -1)}>
                    <IconArrowUp size={16} stroke={1.4} />
                  </ActionIcon>
                  <ActionIcon
                    size={24}
                    aria-label={t("down", { number: at + 1 })}
                    disabled={at === rows.length - 1}
                    onClick={() => move(at, 1)}
                  >
                    <IconArrowDown size={16} stroke={1.4} />
                  </ActionIcon>
                  <ActionIcon
                    size={24}
                    aria-label={t("remove", { number: at + 1 })}
                    onClick={() => keep(rows.filter((other) => other !== row))}
                  >
                    <IconX size={16} stroke={1.4} />
                  </ActionIcon>
                </span>
                {said.length + own.length > 0 ? (
                  <p className={classes.problem} role="alert">
                    {[...new Set([...own, ...said])].join("; ")}
                  </p>
                ) : null}
              </li>
            );
          })}
        </ol>
      ) : null}
      <div className={classes.line}>
        <Button
          leftSection={<IconPlus size={16} stroke={1.4} />}
          disabled={rows.length >= conditionRowsMax || objects.length === 0}
          onClick={add}
        >
          {t("add")}
        </Button>
        <span className={classes.help}>{rows.length === 0 ? t("everyDu") : t("count", { count: rows.length, max: conditionRowsMax })}</span>
      </div>
    </>
  );
  if (card)
    return (
      <section className={cards.card}>
        <h2>
          {t("title")}
          <small>{`${rows.length} / ${conditionRowsMax}`}</small>
        </h2>
        <div className={cards.body}>{lines}</div>
      </section>
    );
  return (
    <fieldset className={classes.conditions}>
      <legend>{t("title")}</legend>
      {lines}
      <p className={classes.sentence} aria-live="polite">
        {sentence ?? t("unreadable")}
      </p>
    </fieldset>
  );
}

type LineProps = {
  row: EditedRow;
  number: number;
  last: boolean;
  objects: readonly ConditionObject[];
  onPatch: (part: Partial<EditedRow>) => void;
};

function ConditionLine({ row, number, last, objects, onPatch }: LineProps) {
  const t = useTranslations("conditions");
  const key = refKey(row.object);
  const object = objects.find((one) => one.key === key);
  const parentheses = (which: "open" | "close") => (
    <select
      className={classes.parenthesis}
      aria-label={t(`${which}`, { number })}
      value={row[which]}
      onChange={(event) => onPatch({ [which]: Number(event.currentTarget.value) })}
    >
      {Array.from({ length: parenthesesMax + 1 }, (_, count) => (
        <option key={count} value={count}>
          {(which === "open" ? "(" : ")").repeat(count) || "·"}
        </option>
      ))}
    </select>
  );
  return (
    <div className={classes.condition}>
      {parentheses("open")}
      <Select
        aria-label={t("object", { number })}
        searchable
        allowDeselect={false}
        data={objects.map((one) => ({ value: one.key, label: one.title }))}
        value={object ? key : null}
        placeholder={object ? undefined : t("gone")}
        onChange={(chosen) => {
          const next = objects.find((one) => one.key === chosen);
          if (!next) return;
          const same = next.type === object?.type && next.type !== "choice";
          onPatch({ object: next.ref, ...(same ? {} : { operator: operators[next.type][0] as Operator, values: [] }) });
        }}
      />
      <select
        className={classes.select}
        aria-label={t("operatorOf", { number })}
        value={row.operator}
        onChange={(event) => {
          const operator = event.currentTarget.value as Operator;
          onPatch({ operator, values: row.values.slice(0, valueCount(operator, conditionValuesMax)[1]) });
        }}
      >
        {(object ? operators[object.type] : [row.operator]).map((operator) => (
          <option key={operator} value={operator}>
            {t(`operator.${operator}`)}
          </option>
        ))}
      </select>
      {object ? (
        <ConditionValues
          row={row}
          object={object}
          label={(at, most) => (most === 2 ? t(at === 0 ? "from" : "to", { number }) : t("value", { number }))}
          onValues={(values) => onPatch({ values })}
        />
      ) : (
        <span />
      )}
      {parentheses("close")}
      {last ? (
        <span />
      ) : (
        <select
          className={classes.select}
          aria-label={t("joint", { number })}
          value={row.logic ?? ""}
          onChange={(event) => onPatch({ logic: event.currentTarget.value as Logic })}
        >
          {logics.map((logic) => (
            <option key={logic} value={logic}>
              {t(`${logic}`)}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}

type ValuesProps = {
  row: Pick<ConditionRow, "operator" | "values">;
  object: ConditionObject;
  /** Name of a value by its place among those there may be. */
  label: (at: number, most: number) => string;
  onValues: (values: (string | number)[]) => void;
};

/** The values a condition compares with, as its operator and the type of its object ask for them. */
export function ConditionValues({ row, object, label: nameOf, onValues }: ValuesProps) {
  const [, most] = valueCount(row.operator, conditionValuesMax);
  const label = (at: number) => nameOf(at, most);
  const texts = row.values.map(String);
  if (most === 0) return <span />;
  if (object.type === "choice")
    return (
      <MultiSelect
        aria-label={label(0)}
        searchable
        maxValues={conditionValuesMax}
        data={object.choices?.map(({ value, title }) => ({ value, label: title })) ?? []}
        value={texts}
        onChange={onValues}
      />
    );
  if (most > 2)
    return (
      <TagsInput aria-label={label(0)} maxTags={conditionValuesMax} maxLength={conditionTextChars} value={texts} onChange={onValues} />
    );
  const set = (at: number, value: string | number) =>
    onValues(Array.from({ length: most }, (_, place) => (place === at ? value : (row.values[place] ?? ""))));
  return (
    <span className={classes.values}>
      {Array.from({ length: most }, (_, at) => {
        const value = row.values[at] ?? "";
        const given = { key: at, "aria-label": label(at) };
        if (object.type === "number") return <NumberInput {...given} key={given.key} value={value} onChange={(next) => set(at, next)} />;
        if (object.type === "date") return <DayInput {...given} key={given.key} value={String(value)} onChange={(day) => set(at, day)} />;
        return (
          <TextInput
            {...given}
            key={given.key}
            maxLength={conditionTextChars}
            placeholder={object.type === "time" ? "09:30" : object.type === "datetime" ? "2026-10-14T09:30:00" : undefined}
            value={String(value)}
            onChange={(event) => set(at, event.currentTarget.value)}
          />
        );
      })}
    </span>
  );
}

/** Conditions as a sentence with all its parentheses; null while they cannot be read as one. */
export function useConditionText(objects: readonly ConditionObject[]): (rows: readonly ConditionRow[]) => string | null {
  const t = useTranslations("conditions");
  const known = new Map(objects.map((object) => [object.key, object]));
  const row = ({ object, operator, values }: ConditionRow): string => {
    const found = known.get(refKey(object));
    const shown = values.map((value) => found?.choices?.find((choice) => choice.value === String(value))?.title ?? String(value));
    const text = operator === "between" ? shown.join(" – ") : shown.join(", ");
    return [found?.title ?? t("gone"), t(`operator.${operator as Operator}`), text].filter(Boolean).join(" ");
  };
  return (rows) => {
    if (rows.length === 0) return t("everyDu");
    if (structureFaults(rows).length > 0) return null;
    const tree = parseConditions(rows);
    if (tree === null) return null;
    return sentenceOf(tree, { row: (at) => row(rows[at] as ConditionRow), AND: t("AND"), OR: t("OR") });
  };
}
