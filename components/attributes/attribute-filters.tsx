"use client";
import { Button, NativeSelect, NumberInput, TextInput } from "@mantine/core";
import { IconFilter } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { DayInput } from "#components/ui/day-input.tsx";
import { DropPanel } from "#components/ui/drop-panel.tsx";
import { Field } from "#components/ui/field.tsx";
import { FilterChip } from "#components/ui/filter-chip.tsx";
import { attributeFlags, attributeLevels, sortMax, sortMin } from "#lib/attributes/limits.ts";
import type { AttributeChoices } from "#lib/attributes/queries.ts";
import type { Filter } from "#lib/core/paging.ts";
import { attributeTypes } from "#lib/rollout-plan/columns/limits.ts";
import classes from "./attributes.module.css";

const texts = ["standardName", "default"] as const;
const picks = ["type", "level", "classification", "duTab", "flow", ...attributeFlags, "used", "updatedBy"] as const;
const ranges = ["sortNo", "updatedAt"] as const;
type Pick = (typeof picks)[number];
type Key = (typeof texts)[number] | Pick | `${(typeof ranges)[number]}.${"from" | "to"}`;

/** What is typed into the conditions, by column; a range has two entries. */
export type AttributeConditions = Partial<Record<Key, string>>;

const named: readonly Pick[] = ["duTab", "flow", "updatedBy"];

/** The conditions as the list takes them. */
export function conditionFilters(given: AttributeConditions): Filter[] {
  const range = (field: (typeof ranges)[number]): Filter[] => {
    const [from, to] = [given[`${field}.from`] || null, given[`${field}.to`] || null];
    if (from === null && to === null) return [];
    const value = (text: string | null) => (text === null || field === "updatedAt" ? text : Number(text));
    return [{ field, type: "range", values: [value(from), value(to)] }];
  };
  return [
    ...texts.flatMap((field): Filter[] => {
      const text = given[field]?.trim();
      return text ? [{ field, type: "like", values: [text] }] : [];
    }),
    ...picks.flatMap((field): Filter[] => {
      const value = given[field];
      if (!value) return [];
      const plain = value === "true" || value === "false" ? value === "true" : value;
      return [{ field, type: "eq", values: [named.includes(field) ? Number(value) : plain] }];
    }),
    ...ranges.flatMap(range),
  ];
}

type Props = { choices: AttributeChoices; value: AttributeConditions; onChange: (value: AttributeConditions) => void };

/** A condition for every column of the list, in a panel; those that are set stand beside it. */
export function AttributeFilters({ choices, value, onChange }: Props) {
  const t = useTranslations("attributes");
  const common = useTranslations("common");
  const id = useId();
  const [opened, setOpened] = useState(false);
  const set = (key: Key, text: string) => onChange({ ...value, [key]: text });
  const answers = [
    { value: "true", label: common("yes") },
    { value: "false", label: common("no") },
  ];
  const list = (items: readonly { id: number; name: string }[]) => items.map((one) => ({ value: String(one.id), label: one.name }));
  const isFlag = (key: Pick) => (attributeFlags as readonly string[]).includes(key);
  const choicesOf = (key: Pick): { value: string; label: string }[] => {
    switch (key) {
      case "type":
        return attributeTypes.map((one) => ({ value: one, label: t(`type.${one}`) }));
      case "level":
        return attributeLevels.map((one) => ({ value: one, label: t(`level.${one}`) }));
      case "classification":
        return choices.classifications.map((name) => ({ value: name, label: name }));
      case "duTab":
        return list(choices.tabs);
      case "flow":
        return list(choices.flows);
      case "updatedBy":
        return list(choices.people);
      default:
        return answers;
    }
  };
  const title = (key: string): string => {
    if (isFlag(key as Pick)) return t(`flag.${key}` as "flag.required");
    const fields: Record<string, string> = { duTab: "duTabId", flow: "flows", default: "defaultValue", used: "usedBy" };
    return t(`field.${fields[key] ?? key}` as "field.name");
  };
  const chips: { name: string; value: string; keys: Key[] }[] = [
    ...texts.flatMap((key) => (value[key]?.trim() ? [{ name: title(key), value: value[key] as string, keys: [key as Key] }] : [])),
    ...picks.flatMap((key) =>
      value[key]
        ? [{ name: title(key), value: choicesOf(key).find((one) => one.value === value[key])?.label ?? "", keys: [key as Key] }]
        : [],
    ),
    ...ranges.flatMap((key) => {
      const keys: Key[] = [`${key}.from`, `${key}.to`];
      const [from = "", to = ""] = keys.map((one) => value[one] ?? "");
      return from || to ? [{ name: title(key), value: `${from} – ${to}`, keys }] : [];
    }),
  ];
  return (
    <>
      <DropPanel
        opened={opened}
        onChange={setOpened}
        position="bottom-start"
        width={640}
        trapFocus
        label={t("filter.title")}
        trigger={
          <Button
            leftSection={<IconFilter size={14} stroke={1.7} />}
            aria-haspopup="dialog"
            aria-expanded={opened}
            onClick={() => setOpened((shown) => !shown)}
          >
            {t("filter.title")}
          </Button>
        }
      >
        <div className={classes.filters}>
          {texts.map((key) => (
            <Field key={key} id={`${id}-${key}`} label={title(key)}>
              <TextInput id={`${id}-${key}`} value={value[key] ?? ""} onChange={(event) => set(key, event.currentTarget.value)} />
            </Field>
          ))}
          {picks.map((key) => (
            <Field key={key} id={`${id}-${key}`} label={title(key)}>
              <NativeSelect
                id={`${id}-${key}`}
                value={value[key] ?? ""}
                data={[{ value: "", label: t("filter.any") }, ...choicesOf(key)]}
                onChange={(event) => set(key, event.currentTarget.value)}
              />
            </Field>
          ))}
          <Field id={`${id}-sortNo`} label={title("sortNo")} range={{ min: sortMin, max: sortMax }}>
            <span className={classes.range}>
              {(["from", "to"] as const).map((end) => (
                <NumberInput
                  key={end}
                  id={end === "from" ? `${id}-sortNo` : undefined}
                  aria-label={`${title("sortNo")}: ${t(`filter.${end}`)}`}
                  hideControls
                  value={value[`sortNo.${end}`] ?? ""}
                  onChange={(given) => set(`sortNo.${end}`, String(given))}
                />
              ))}
            </span>
          </Field>
          <div className={classes.wide}>
            <Field id={`${id}-updatedAt`} label={title("updatedAt")}>
              <span className={classes.range}>
                {(["from", "to"] as const).map((end) => (
                  <DayInput
                    key={end}
                    {...(end === "from" ? { id: `${id}-updatedAt` } : {})}
                    aria-label={`${title("updatedAt")}: ${t(`filter.${end}`)}`}
                    clearable
                    value={value[`updatedAt.${end}`] ?? ""}
                    onChange={(day) => set(`updatedAt.${end}`, day)}
                  />
                ))}
              </span>
            </Field>
          </div>
        </div>
      </DropPanel>
      {chips.map(({ name, value: text, keys }) => (
        <FilterChip
          key={keys[0]}
          name={name}
          value={text}
          onEdit={() => setOpened(true)}
          onDrop={() => onChange(Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key as Key))))}
        />
      ))}
    </>
  );
}
