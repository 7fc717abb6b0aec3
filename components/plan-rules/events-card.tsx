"use client";
import { ActionIcon, Button, Select } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { eventsMax, type Moment, moments } from "#lib/plan-rules/limits.ts";
import { attributeId, attributeOf } from "#lib/plan-rules/logic.ts";
import type { RuleObjects } from "#lib/plan-rules/rule-set/queries.ts";
import type { CardProps } from "./basics-card.tsx";
import classes from "./plan-rules.module.css";

/** Documents tell of no events yet. */
const offered = moments.filter((moment) => moment !== "DOCUMENT_PUBLISHED");

type Props = CardProps & Pick<RuleObjects, "activities" | "fields">;

/** The events a rule waits for. */
export function EventsCard({ form, problems, activities, fields, onPatch }: Props) {
  const t = useTranslations("plan-rules");
  const { events } = form;
  const attributes = new Map(
    fields.flatMap(({ ref, title }) => {
      const key = attributeOf(ref);
      return key === null ? [] : [[String(attributeId(key)), ref.k === "ACT" ? title.split(" · ").at(-1)! : title] as const];
    }),
  );
  const change = (at: number, event: (typeof events)[number]) => onPatch({ events: events.toSpliced(at, 1, event) });
  return (
    <section className={classes.card}>
      <h2>
        {t("form.events")}
        <small>{`${events.length} / ${eventsMax}`}</small>
      </h2>
      <div className={classes.body}>
        {events.map((event, at) => (
          <div key={at} className={classes.line}>
            <Select
              aria-label={t("form.moment", { number: at + 1 })}
              w={200}
              allowDeselect={false}
              data={offered.map((value) => ({ value, label: t(`moment.${value}`) }))}
              value={event.moment}
              onChange={(value) => change(at, { moment: value as Moment })}
            />
            {event.moment === "ATTRIBUTE_CHANGED" ? (
              <Select
                aria-label={t("form.eventOf", { number: at + 1 })}
                w={260}
                searchable
                data={[...attributes].map(([value, label]) => ({ value, label }))}
                value={event.attributeId === undefined ? null : String(event.attributeId)}
                onChange={(value) => change(at, { moment: event.moment, ...(value ? { attributeId: Number(value) } : {}) })}
              />
            ) : (
              <Select
                aria-label={t("form.eventOf", { number: at + 1 })}
                w={260}
                searchable
                data={activities.map(({ id, name }) => ({ value: String(id), label: name }))}
                value={event.activityId === undefined ? null : String(event.activityId)}
                onChange={(value) => change(at, { moment: event.moment, ...(value ? { activityId: Number(value) } : {}) })}
              />
            )}
            <ActionIcon
              size={24}
              aria-label={t("form.removeEvent", { number: at + 1 })}
              onClick={() => onPatch({ events: events.toSpliced(at, 1) })}
            >
              <IconX size={16} stroke={1.4} />
            </ActionIcon>
          </div>
        ))}
        {problems.has("events") ? <p className={classes.problem}>{problems.get("events")}</p> : null}
        <div className={classes.line}>
          <Button
            leftSection={<IconPlus size={16} stroke={1.4} />}
            disabled={events.length >= eventsMax}
            onClick={() => onPatch({ events: [...events, { moment: "ACTUAL_END_SET" }] })}
          >
            {t("form.addEvent")}
          </Button>
        </div>
      </div>
    </section>
  );
}
