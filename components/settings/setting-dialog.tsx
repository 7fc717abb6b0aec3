"use client";
import { Button, Modal } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useState } from "react";
import { StatusGlyph } from "#components/ui/status-glyph.tsx";
import classes from "./settings.module.css";

/** How long the dialog of a setting stays after it was saved, in milliseconds. OPS-35 */
export const savedStayMs = 2_000;

type Props = {
  title: string;
  /** What the button does; it is named after it. */
  verb: string;
  /** What would change and for whom. */
  children: ReactNode;
  /** Saves and says what holds now, or why it was refused. */
  save: () => Promise<{ saved: string } | { refused: string }>;
  onClose: () => void;
};

/** Asks before a setting is changed, says whether it was saved, and goes by itself two seconds after it was. A refusal stays with its reason. */
export function SettingDialog({ title, verb, children, save, onClose }: Props) {
  const t = useTranslations("common");
  const [busy, setBusy] = useState(false);
  const [saved, setSaved] = useState<string | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  useEffect(() => {
    if (saved === null) return;
    const timer = setTimeout(onClose, savedStayMs);
    return () => clearTimeout(timer);
  }, [saved, onClose]);
  const run = async () => {
    setBusy(true);
    const outcome = await save();
    setBusy(false);
    setSaved("saved" in outcome ? outcome.saved : null);
    setRefused("refused" in outcome ? outcome.refused : null);
  };
  return (
    <Modal opened onClose={onClose} title={title} size={440} withCloseButton={false} trapFocus>
      {children}
      {refused === null ? null : (
        <p className={classes.refused} role="alert">
          {refused}
        </p>
      )}
      <p className={classes.saved} role="status">
        {saved === null ? null : (
          <>
            <StatusGlyph status="completed" size={16} color="var(--ok)" />
            {saved}
          </>
        )}
      </p>
      <div className={classes.foot}>
        <Button data-autofocus onClick={onClose} disabled={busy}>
          {t(saved === null ? "cancel" : "close")}
        </Button>
        {saved === null ? (
          <Button variant="filled" loading={busy} onClick={run}>
            {verb}
          </Button>
        ) : null}
      </div>
    </Modal>
  );
}
