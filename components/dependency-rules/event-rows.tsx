"use client";
import { ActionIcon, Button, NativeSelect, Select } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { MarkGlyph } from "#components/ui/status-glyph.tsx";
import type { DependencyChoices } from "#lib/dependency-rules/queries.ts";
import { activityEvents } from "#lib/dependency-rules/rule-set/limits.ts";
import type { DependencyEvent } from "#lib/dependency-rules/rule-set/logic.ts";
import classes from "./dependencies.module.css";

/** A row that is typed; `object` is the id of an activity, or that of an attribute behind an a. */
export type EventDraft = { key: number; object: string; event: DependencyEvent };

type Props = {
  legend: string;
  help: string;
  add: string;
  rows: readonly EventDraft[];
  max: number;
  choices: DependencyChoices;
  faultOf: (at: number) => string | undefined;
  onChange: (rows: EventDraft[]) => void;
};

/** Activities with one of their events each, or attributes, which are only ever maintained. */
export function EventRows({ legend, help, add, rows, max, choices, faultOf, onChange }: Props) {
  const t = useTranslations("dependency-rules");
  const put = (at: number, given: Partial<EventDraft>) => onChange(rows.map((row, index) => (index === at ? { ...row, ...given } : row)));
  const objects = [
    { group: t("form.activities"), items: choices.activities.map(({ id, name }) => ({ value: String(id), label: name })) },
    { group: t("form.attributes"), items: choices.attributes.map(({ id, name }) => ({ value: `a${id}`, label: name })) },
  ].filter(({ items }) => items.length > 0);
  return (
    <fieldset className={classes.rows}>
      <legend>
        {legend}
        <small>{help}</small>
      </legend>
      {rows.map((row, at) => {
        const isAttribute = row.object.startsWith("a");
        const fault = faultOf(at);
        return (
          <div key={row.key} className={classes.row}>
            <Select
              searchable
              limit={100}
              data={objects}
              value={row.object || null}
              error={Boolean(fault)}
              placeholder={t("form.object")}
              aria-label={t("form.objectNo", { legend, number: at + 1 })}
              nothingFoundMessage={t("form.noObject")}
              onChange={(object) =>
                put(at, {
                  object: object ?? "",
                  event: object?.startsWith("a") ? "MAINTAIN" : row.event === "MAINTAIN" ? "COMPLETE" : row.event,
                })
              }
            />
            <NativeSelect
              value={isAttribute ? "MAINTAIN" : row.event}
              disabled={isAttribute}
              aria-label={t("form.eventNo", { legend, number: at + 1 })}
              data={(isAttribute ? (["MAINTAIN"] as const) : activityEvents).map((event) => ({ value: event, label: t(`event.${event}`) }))}
              onChange={(event) => put(at, { event: event.currentTarget.value as DependencyEvent })}
            />
            <ActionIcon
              size={28}
              variant="subtle"
              color="gray"
              disabled={rows.length === 1}
              aria-label={t("form.remove", { legend, number: at + 1 })}
              onClick={() => onChange(rows.toSpliced(at, 1))}
            >
              <IconX size={16} stroke={1.4} />
            </ActionIcon>
            {fault ? (
              <p className={classes.fault} role="alert">
                <MarkGlyph mark="refused" /> {fault}
              </p>
            ) : null}
          </div>
        );
      })}
      {max > 1 ? (
        <Button
          size="xs"
          leftSection={<IconPlus size={14} stroke={1.7} />}
          disabled={rows.length >= max}
          onClick={() => onChange([...rows, { key: Math.max(...rows.map(({ key }) => key)) + 1, object: "", event: "COMPLETE" }])}
        >
          {add}
        </Button>
      ) : null}
    </fieldset>
  );
}
