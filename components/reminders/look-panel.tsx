"use client";
import { Button, Select } from "@mantine/core";
import { IconEye, IconMailForward } from "@tabler/icons-react";
import { useLocale, useTranslations } from "next-intl";
import { useId, useState } from "react";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useSession } from "#components/ui/use-session.tsx";
import type { Answer } from "#lib/core/error.ts";
import { type Locale, localeNames, locales } from "#lib/core/locale.ts";
import { previewReminder, sendTest } from "#lib/reminders/looks/actions.ts";
import type { Preview } from "#lib/reminders/looks/queries.ts";
import { beijingTime, shownLocal } from "./reminder-view.ts";
import classes from "./reminders.module.css";

/** What is looked at: a reminder as it is typed. */
export type LookInput = Parameters<typeof previewReminder>[0];

type Props = {
  /** The reminder as it is typed now; null while something it needs is missing. */
  read: () => LookInput | null;
  /** Shows what is wrong with it. */
  onRefused: (answer: Answer<unknown>) => void;
};

/** What a reminder would send if its time were now: rows, receivers, who is left out, the mail in three languages; and the mail sent to oneself. */
export function LookPanel({ read, onRefused }: Props) {
  const t = useTranslations("reminder-rules");
  const own = useLocale() as Locale;
  const { offset, can } = useSession();
  const id = useId();
  const [lang, setLang] = useState<Locale>(own);
  const [found, setFound] = useState<Preview | null>(null);
  const [look, looking] = useAction(previewReminder);
  const [send, sending] = useAction(sendTest);
  const run = async (chosen: Locale) => {
    const input = read();
    if (!input) return;
    const answer = await look({ ...input, lang: chosen });
    if (answer.data) setFound(answer.data);
    else onRefused(answer);
  };
  const test = async () => {
    const input = read();
    if (!input) return;
    const answer = await send({ ...input, lang });
    if (answer.data) toast.done(t("look.sent", { address: answer.data.sent }));
    else onRefused(answer);
  };
  return (
    <div className={classes.look}>
      <div className={classes.verbs}>
        <Button leftSection={<IconEye size={16} stroke={1.4} />} loading={looking} onClick={() => run(lang)}>
          {t("look.verb")}
        </Button>
        {can("notice.edit") ? (
          <Button leftSection={<IconMailForward size={16} stroke={1.4} />} loading={sending} onClick={test}>
            {t("look.test")}
          </Button>
        ) : null}
        <Select
          id={`${id}-lang`}
          size="xs"
          w={110}
          allowDeselect={false}
          aria-label={t("look.lang")}
          data={locales.map((value) => ({ value, label: localeNames[value].full }))}
          value={lang}
          onChange={(value) => {
            setLang(value as Locale);
            if (found) void run(value as Locale);
          }}
        />
      </div>
      {found ? (
        <div aria-live="polite">
          <p className={classes.lookLine}>
            {found.nextLocal
              ? t("look.next", { time: shownLocal(found.nextLocal), beijing: beijingTime(found.nextLocal.slice(11), offset) })
              : t("look.noNext")}{" "}
            {t("look.rows", { rows: found.rows, recipients: found.recipientCount })}
          </p>
          {found.excluded.length > 0 ? (
            <p className={classes.help}>
              {t("look.excluded", { names: found.excluded.map(({ who, reason }) => `${who} (${t(`leftOut.${reason}`)})`).join(", ") })}
            </p>
          ) : null}
          {found.recipients.length > 0 ? (
            <p className={classes.help}>
              {found.recipients.map((one) => `${one.name ?? one.address} (${one.rows})`).join(", ")}
              {found.recipientCount > found.recipients.length ? ` +${found.recipientCount - found.recipients.length}` : ""}
            </p>
          ) : null}
          {found.rows > 0 ? (
            <ScrollRegion className={classes.mail} label={t("look.mail")}>
              {`${found.subject}\n\n${found.text}`}
            </ScrollRegion>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}
