"use client";
import { ActionIcon, Button, Select } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import type { Operator } from "#lib/plan-rules/conditions/limits.ts";
import { type ConditionObject, valueCount } from "#lib/plan-rules/conditions/logic.ts";
import { filtersMax, filterTypes } from "#lib/plan-rules/limits.ts";
import { filterOperator } from "#lib/plan-rules/logic.ts";
import type { RuleObjects } from "#lib/plan-rules/rule-set/queries.ts";
import type { CardProps } from "./basics-card.tsx";
import { ConditionValues } from "./condition-picker.tsx";
import classes from "./plan-rules.module.css";
import type { RuleForm } from "./rule-form.ts";

type Filter = RuleForm["duFilter"][number];

/** Further filters of the DUs a rule looks at, all of which have to hold. */
export function DuFilters({ form, problems, objects, onPatch }: CardProps & Pick<RuleObjects, "objects">) {
  const t = useTranslations("plan-rules");
  const filters = form.duFilter;
  const fields = objects.filter(({ ref }) => ref.k === "DU");
  const nameOf = ({ ref }: ConditionObject) => (ref.k === "DU" ? ref.f : "");
  const change = (key: number, part: Partial<Filter>) =>
    onPatch({ duFilter: filters.map((filter) => (filter.key === key ? { ...filter, ...part } : filter)) });
  const add = () => {
    const [first] = fields;
    if (!first) return;
    const key = 1 + Math.max(0, ...filters.map((filter) => filter.key));
    onPatch({ duFilter: [...filters, { key, field: nameOf(first), type: filterTypes[first.type][0], values: [] }] });
  };
  return (
    <div className={classes.filters}>
      {filters.map((filter, at) => {
        const object = fields.find((field) => nameOf(field) === filter.field);
        const said = [...problems].filter(([path]) => path.startsWith(`duFilter.${at}.`)).map(([, text]) => text);
        return (
          <FilterLine
            key={filter.key}
            filter={filter}
            number={at + 1}
            object={object}
            fields={fields.map((field) => ({ value: nameOf(field), label: field.title, type: field.type }))}
            said={said}
            onChange={(part) => change(filter.key, part)}
            onRemove={() => onPatch({ duFilter: filters.filter((other) => other !== filter) })}
          />
        );
      })}
      <div className={classes.line}>
        <Button
          leftSection={<IconPlus size={16} stroke={1.4} />}
          disabled={filters.length >= filtersMax || fields.length === 0}
          onClick={add}
        >
          {t("form.addFilter")}
        </Button>
        <span className={classes.help}>{t("form.filterHelp", { count: filters.length, max: filtersMax })}</span>
      </div>
    </div>
  );
}

type LineProps = {
  filter: Filter;
  number: number;
  object: ConditionObject | undefined;
  fields: { value: string; label: string; type: ConditionObject["type"] }[];
  said: readonly string[];
  onChange: (part: Partial<Filter>) => void;
  onRemove: () => void;
};

function FilterLine({ filter, number, object, fields, said, onChange, onRemove }: LineProps) {
  const t = useTranslations("plan-rules");
  const words = useTranslations("conditions");
  const operatorOf = (type: string) => filterOperator(type, object?.type === "choice");
  const operator = operatorOf(filter.type);
  return (
    <div className={classes.filter}>
      <Select
        aria-label={t("form.filterField", { number })}
        searchable
        allowDeselect={false}
        data={fields}
        value={object ? filter.field : null}
        placeholder={object ? undefined : words("gone")}
        onChange={(field) => {
          const next = fields.find(({ value }) => value === field);
          if (!next) return;
          const same = next.type === object?.type && next.type !== "choice";
          onChange({ field: next.value, ...(same ? {} : { type: filterTypes[next.type][0], values: [] }) });
        }}
      />
      <Select
        aria-label={t("form.filterOperator", { number })}
        allowDeselect={false}
        data={(object ? filterTypes[object.type] : [filter.type]).map((type) => ({
          value: type,
          label: words(`operator.${operatorOf(type) as Operator}`),
        }))}
        value={filter.type}
        onChange={(type) =>
          type &&
          onChange({ type: type as Filter["type"], values: filter.values.slice(0, valueCount(operatorOf(type), filter.values.length)[1]) })
        }
      />
      {object ? (
        <ConditionValues
          row={{ operator, values: filter.values }}
          object={object}
          label={(at, most) => t(most < 2 ? "form.filterValue" : at === 0 ? "form.filterFrom" : "form.filterTo", { number })}
          onValues={(values) => onChange({ values })}
        />
      ) : (
        <span />
      )}
      <ActionIcon size={24} aria-label={t("form.removeFilter", { number })} onClick={onRemove}>
        <IconX size={16} stroke={1.4} />
      </ActionIcon>
      {said.length > 0 ? (
        <p className={classes.problem} role="alert">
          {said.join("; ")}
        </p>
      ) : null}
    </div>
  );
}
