"use client";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { Hint } from "#components/ui/hint.tsx";
import { useSession } from "#components/ui/use-session.tsx";
import { formatMinute } from "#lib/core/format.ts";
import classes from "./header.module.css";

const tickMs = 10_000;

/** The project's time by the server's clock; the person's own stands in the tool tip. */
export function ProjectClock({ serverTime }: { serverTime: string }) {
  const t = useTranslations("shell");
  const { offset } = useSession();
  const [now, setNow] = useState(() => Date.parse(serverTime));
  useEffect(() => {
    const ahead = Date.parse(serverTime) - Date.now();
    const timer = setInterval(() => setNow(Date.now() + ahead), tickMs);
    return () => clearInterval(timer);
  }, [serverTime]);
  const clock = (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the tool tip holds what is shown nowhere else
    <span className={classes.clock} tabIndex={0}>
      <span className={classes.quiet}>{t("clock.project")}</span>
      <time dateTime={new Date(now).toISOString()}>{formatMinute(now, offset)}</time>
    </span>
  );
  return <Hint label={<OwnTime now={now} />}>{clock}</Hint>;
}

function OwnTime({ now }: { now: number }) {
  const t = useTranslations("shell");
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  // The offset of the browser, expressed as the hours from Beijing that the formatter takes.
  const own = -new Date(now).getTimezoneOffset() / 60 - 8;
  return <>{t("clock.own", { time: formatMinute(now, own), zone })}</>;
}
