"use client";
import { IconCalendarPlus, IconClockExclamation, IconClockOff } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { Tag, type Tone } from "#components/ui/status-tag.tsx";
import { type Validity, validityOf } from "#lib/access/logic.ts";
import { dayNumber } from "#lib/core/clock.ts";
import { emptyText, roleName } from "#lib/core/format.ts";
import classes from "./access.module.css";

const tones: Record<Validity, Tone> = { future: "info", valid: "neutral", ending: "warn", ended: "danger" };
const icons = { future: IconCalendarPlus, valid: null, ending: IconClockExclamation, ended: IconClockOff };
/** Days before the end from which it is shown as urgent. */
const urgentDays = 7;

type Period = { validFrom: string; validTo: string | null };

/** A role with its validity: the end or the begin stands in it where there is one to mind. */
export function RoleTag({ role, period, today }: { role: string; period: Period; today: string }) {
  const t = useTranslations("access");
  const state = validityOf(period, today);
  const name = roleName(role);
  const Icon = icons[state];
  return (
    <Tag tone={tones[state]} icon={Icon ? <Icon size={12} stroke={1.7} role="img" aria-label={t(`states.${state}`)} /> : null}>
      {state === "future"
        ? t("members.since", { role: name, date: period.validFrom })
        : period.validTo
          ? t("members.until", { role: name, date: period.validTo })
          : name}
    </Tag>
  );
}

/** State of a validity in a word. */
export function ValidityTag({ period, today }: { period: Period; today: string }) {
  const t = useTranslations("access");
  const state = validityOf(period, today);
  const Icon = icons[state];
  return (
    <Tag tone={state === "valid" ? "ok" : tones[state]} icon={Icon ? <Icon size={12} stroke={1.7} aria-hidden="true" /> : null}>
      {t(`states.${state}`)}
    </Tag>
  );
}

/** The next day on which a role ends, with the days left: amber within a month, red within a week. */
export function Expiry({ day, today }: { day: string | null; today: string }) {
  const t = useTranslations("access");
  if (!day) return emptyText;
  const days = dayNumber(day) - dayNumber(today);
  const state = validityOf({ validFrom: today, validTo: day }, today);
  const tone = days <= urgentDays ? "danger" : state === "ending" ? "warn" : undefined;
  return (
    <span className={classes.expiry} data-tone={tone}>
      {tone ? <IconClockExclamation size={12} stroke={1.7} aria-hidden="true" /> : null}
      {t("members.inDays", { date: day, days })}
    </span>
  );
}
