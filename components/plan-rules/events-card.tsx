"use client";
import { ActionIcon, Button, Select } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { eventsMax, type Moment, moments } from "#lib/plan-rules/limits.ts";
import type { RuleEvent } from "#lib/plan-rules/logic.ts";
import type { RuleObjects } from "#lib/plan-rules/rule-set/queries.ts";
import type { CardProps } from "./basics-card.tsx";
import classes from "./plan-rules.module.css";
import { chosenLabel, eventObject, eventObjects, withChosen } from "./rule-form.ts";

/** Documents tell of no events yet. */
const offered = moments.filter((moment) => moment !== "DOCUMENT_PUBLISHED");

type Props = CardProps & {
  /** What the flow has. */
  known: Pick<RuleObjects, "activities" | "fields">;
  /** Everything that was ever on offer. */
  ever: Pick<RuleObjects, "activities" | "fields">;
  /** Whether the flow has not what an event is of. */
  isElsewhere: (event: RuleEvent) => boolean;
};

/** The events a rule waits for; what one is of and its flow has not stays in sight until another is chosen. */
export function EventsCard({ form, problems, known, ever, isElsewhere, onPatch }: Props) {
  const t = useTranslations("plan-rules");
  const { events } = form;
  const change = (at: number, event: RuleEvent) => onPatch({ events: events.toSpliced(at, 1, event) });
  const choose = (moment: Moment, value: string | null): RuleEvent => {
    if (value === null) return { moment };
    return moment === "ATTRIBUTE_CHANGED" ? { moment, attributeId: Number(value) } : { moment, activityId: Number(value) };
  };
  const optionsOf = (event: RuleEvent) => {
    const chosen = eventObject(event);
    const label = (value: string) => chosenLabel(t, eventObjects(event.moment, ever).get(value), isElsewhere(event));
    const options = [...eventObjects(event.moment, known)].map(([value, title]) => ({ value, label: title }));
    return withChosen(options, chosen === null ? [] : [chosen], label);
  };
  /** Another moment keeps the activity, where it is of one too. */
  const move = (event: RuleEvent, moment: Moment) => choose(moment, eventObject({ ...event, moment }));
  return (
    <section className={classes.card}>
      <h2>
        {t("form.events")}
        <small>{`${events.length} / ${eventsMax}`}</small>
      </h2>
      <div className={classes.body}>
        {events.map((event, at) => (
          <div key={at}>
            <div className={classes.line}>
              <Select
                aria-label={t("form.moment", { number: at + 1 })}
                w={200}
                allowDeselect={false}
                data={offered.map((value) => ({ value, label: t(`moment.${value}`) }))}
                value={event.moment}
                onChange={(value) => change(at, move(event, value as Moment))}
              />
              <Select
                aria-label={t("form.eventOf", { number: at + 1 })}
                w={260}
                searchable
                data={optionsOf(event)}
                error={isElsewhere(event)}
                value={eventObject(event)}
                onChange={(value) => change(at, choose(event.moment, value))}
              />
              <ActionIcon
                size={24}
                aria-label={t("form.removeEvent", { number: at + 1 })}
                onClick={() => onPatch({ events: events.toSpliced(at, 1) })}
              >
                <IconX size={16} stroke={1.4} />
              </ActionIcon>
            </div>
            {problems.has(`events.${at}`) ? (
              <p className={classes.problem} role="alert">
                {problems.get(`events.${at}`)}
              </p>
            ) : null}
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
