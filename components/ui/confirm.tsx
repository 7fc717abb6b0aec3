"use client";
import { Button, Modal } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import classes from "./confirm.module.css";

/** Between the dialogs of a screen and those of the session. */
const topZ = 300;
/** Escape in here is no dialog's but this one's: each open dialog hears the key of the window, the one below too, and the one that this key has just opened. */
const ownKeys = { "data-mantine-stop-propagation": "true" };

type Props = {
  opened: boolean;
  /** The verb and the number: "Delete 3 rules". The button repeats it. */
  verb: string;
  /** Title where it says more than the verb. */
  title?: string;
  /** What follows, and what cannot be undone. */
  children?: ReactNode;
  danger?: boolean;
  /** Stands above every dialog, whichever was drawn first. */
  isOnTop?: boolean;
  onConfirm: () => unknown;
  onClose: () => void;
};

/** Asks before what cannot be undone or touches others. The button repeats the verb, Cancel has the focus; the dialog closes when the work is done. */
export function Confirm({ opened, verb, title, children, danger = false, isOnTop = false, onConfirm, onClose }: Props) {
  const t = useTranslations("common");
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    try {
      await onConfirm();
      onClose();
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title ?? verb}
      size={440}
      withCloseButton={false}
      trapFocus
      closeOnEscape={false}
      attributes={{ content: ownKeys }}
      onKeyDown={(event) => event.key === "Escape" && !event.nativeEvent.isComposing && onClose()}
      {...(isOnTop && { zIndex: topZ })}
    >
      <div className={classes.text}>{children}</div>
      <div className={classes.foot}>
        <Button {...ownKeys} data-autofocus onClick={onClose} disabled={busy}>
          {t("cancel")}
        </Button>
        <Button {...ownKeys} variant="filled" color={danger ? "red" : "blue"} loading={busy} onClick={run}>
          {verb}
        </Button>
      </div>
    </Modal>
  );
}
