"use client";
import { Button, Modal, Select } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Confirm } from "#components/ui/confirm.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import type { CalendarSettings } from "#lib/scheduling/calendar/queries.ts";
import classes from "./calendar.module.css";

type Props = {
  /** Calendars that can be copied; null stands for the project's. */
  sources: readonly { regionId: number | null; name: string }[];
  opened: boolean;
  /** Whether the calendar shown has unsaved edits, which a copy replaces. */
  isEdited: boolean;
  onClose: () => void;
  onCopy: (settings: CalendarSettings) => void;
};

/** Takes the weekdays and days of another calendar as the starting point of the one shown; nothing is written, and edits are replaced at a word. */
export function CopyDialog({ sources, opened, isEdited, onClose, onCopy }: Props) {
  const t = useTranslations("scheduling.calendar.copy");
  const common = useTranslations("common");
  const discard = useTranslations("ui.discard");
  const [source, setSource] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [asked, setAsked] = useState(false);
  const close = () => {
    setSource(null);
    setFault(null);
    onClose();
  };
  const copy = async () => {
    if (source === null) return;
    setBusy(true);
    const answer = await callDoor<CalendarSettings>(
      "commomUtil/findCalendarSetData",
      source === "project" ? {} : { regionId: Number(source) },
      { reading: true },
    );
    setBusy(false);
    if (answer.status >= 400 || !answer.data) return setFault(answer.msg ?? t("failed"));
    onCopy(answer.data);
    close();
  };
  return (
    <Modal opened={opened} onClose={close} closeButtonProps={{ "aria-label": common("close") }} title={t("title")} size={440}>
      <div className={classes.paste}>
        <Select
          data-autofocus
          label={t("source")}
          description={t("help")}
          searchable
          data={sources.map(({ regionId, name }) => ({ value: regionId === null ? "project" : String(regionId), label: name }))}
          value={source}
          error={fault}
          onChange={(value) => {
            setSource(value);
            setFault(null);
          }}
        />
        <div className={classes.foot}>
          <Button onClick={close}>{common("cancel")}</Button>
          <Button variant="filled" disabled={source === null} loading={busy} onClick={isEdited ? () => setAsked(true) : copy}>
            {t("verb")}
          </Button>
        </div>
      </div>
      <Confirm opened={asked} verb={discard("verb")} danger onConfirm={copy} onClose={() => setAsked(false)}>
        {discard("text")}
      </Confirm>
    </Modal>
  );
}
