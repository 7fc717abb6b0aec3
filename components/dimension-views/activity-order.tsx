"use client";
import { ActionIcon, Select } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconX } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { fieldNoteId } from "#components/ui/field.tsx";
import { tabActivitiesMax } from "#lib/dimension-views/limits.ts";
import type { Activity } from "./use-tabs.ts";
import classes from "./views.module.css";

type Props = { id: string; activities: readonly Activity[]; chosen: readonly number[]; onChange: (chosen: number[]) => void };

/** Activities in an order: added by name, moved up and down, taken out. */
export function ActivityOrder({ id, activities, chosen, onChange }: Props) {
  const t = useTranslations("dimension-views.editor");
  const names = new Map(activities.map((activity) => [activity.id, activity.name]));
  const move = (at: number, step: number) => {
    const next = [...chosen];
    const [moved] = next.splice(at, 1);
    next.splice(at + step, 0, moved as number);
    onChange(next);
  };
  const full = chosen.length >= tabActivitiesMax;
  return (
    <>
      <Select
        id={id}
        searchable
        disabled={full}
        placeholder={t(full ? "full" : "add", { max: tabActivitiesMax })}
        aria-describedby={fieldNoteId(id)}
        data={activities
          .filter((activity) => !chosen.includes(activity.id))
          .map(({ id: value, name }) => ({ value: String(value), label: name }))}
        value={null}
        onChange={(value) => value !== null && onChange([...chosen, Number(value)])}
      />
      {chosen.length > 0 ? (
        <ol className={classes.order} aria-label={t("activities")}>
          {chosen.map((activityId, at) => {
            const name = names.get(activityId) ?? `#${activityId}`;
            return (
              <li key={activityId}>
                <span title={name}>{name}</span>
                <ActionIcon size={24} aria-label={t("up", { name })} disabled={at === 0} onClick={() => move(at, -1)}>
                  <IconArrowUp size={14} stroke={1.4} />
                </ActionIcon>
                <ActionIcon size={24} aria-label={t("down", { name })} disabled={at === chosen.length - 1} onClick={() => move(at, 1)}>
                  <IconArrowDown size={14} stroke={1.4} />
                </ActionIcon>
                <ActionIcon
                  size={24}
                  aria-label={t("remove", { name })}
                  onClick={() => onChange(chosen.filter((given) => given !== activityId))}
                >
                  <IconX size={14} stroke={1.4} />
                </ActionIcon>
              </li>
            );
          })}
        </ol>
      ) : null}
    </>
  );
}
