"use client";

import { Button } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type KeyboardEvent, useState } from "react";
import type { CellEdit, CellValue } from "#components/grid/grid-model.ts";
import { Kbd } from "#components/ui/kbd.tsx";
import { useSession } from "#components/ui/use-session.tsx";
import { formatMinute } from "#lib/core/format.ts";
import styles from "./dialogs.module.css";
import { PlanDialog } from "./plan-dialog.tsx";

type Props = {
  /** Cells in conflict; the first is asked. */
  conflicts: readonly CellEdit[];
  /** DU, activity and field in words. */
  place: (edit: CellEdit) => string;
  show: (edit: CellEdit, value: CellValue) => string;
  onResolve: (edits: readonly CellEdit[], choice: "mine" | "theirs") => void;
  onClose: () => void;
};

/** A cell that others changed while it was edited: mine or theirs, one after the other or all at once. */
export function ConflictDialog({ conflicts, place, show, onResolve, onClose }: Props) {
  const t = useTranslations("plan-grid");
  const { offset } = useSession();
  const [choice, setChoice] = useState<"mine" | "theirs">("mine");
  const [all, setAll] = useState(false);
  const edit = conflicts[0];
  if (!edit?.conflict) return null;
  const { conflict } = edit;
  const resolve = () => {
    onResolve(all ? conflicts : [edit], choice);
    setChoice("mine");
    if (all || conflicts.length === 1) onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "1" || event.key === "2") {
      event.preventDefault();
      setChoice(event.key === "1" ? "mine" : "theirs");
    }
    if (event.key === "Enter" && (event.target as HTMLElement).tagName !== "BUTTON") {
      event.preventDefault();
      resolve();
    }
  };
  const option = (name: "mine" | "theirs", title: string, value: CellValue, note: string) => (
    // biome-ignore lint/a11y/useSemanticElements: the whole card is the choice, and Enter decides from anywhere in the dialog.
    <button
      type="button"
      role="radio"
      aria-checked={choice === name}
      className={styles.option}
      {...(name === "mine" ? { "data-autofocus": true } : {})}
      onClick={() => setChoice(name)}
      onKeyDown={(event) => {
        if (event.key === "Enter") {
          event.preventDefault();
          event.stopPropagation();
          resolve();
        } else if (event.key.startsWith("Arrow")) {
          event.preventDefault();
          setChoice(choice === "mine" ? "theirs" : "mine");
        }
      }}
    >
      <i className={styles.radio} />
      <span>{title}</span>
      <b>{show(edit, value) || "-"}</b>
      <small>{note}</small>
    </button>
  );
  const name = conflict.by || t("conflict.somebody");
  const theirNote = conflict.at ? t("conflict.saved", { time: formatMinute(conflict.at, offset) }) : t("conflict.savedOnly");
  return (
    <PlanDialog onClose={onClose} title={t("conflict.title", { count: conflicts.length })} size={460}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys 1, 2 and Enter work from anywhere in the dialog. */}
      <div onKeyDown={onKeyDown}>
        <p className={styles.place}>{place(edit)}</p>
        <div className={styles.options} role="radiogroup" aria-label={t("conflict.choose")}>
          {option("mine", t("conflict.mine"), edit.mine, t("conflict.unsaved", { time: formatMinute(edit.at, offset) }))}
          {option("theirs", t("conflict.theirs", { name }), conflict.theirs, theirNote)}
          <div className={styles.base}>
            {t("conflict.base")} <s>{show(edit, edit.base) || "-"}</s>
          </div>
          {conflicts.length > 1 && (
            <label className={styles.check}>
              <input
                type="checkbox"
                checked={all}
                onChange={(event) => {
                  setAll(event.currentTarget.checked);
                  if (event.currentTarget.checked) setChoice("mine");
                }}
              />
              {t("conflict.all")}
            </label>
          )}
        </div>
        <div className={styles.foot}>
          <span className={styles.quiet}>
            <Kbd>1</Kbd> <Kbd>2</Kbd> {t("conflict.keys")}
          </span>
          <span className={styles.grow} />
          <Button onClick={onClose}>{t("conflict.later")}</Button>
          <Button variant="filled" onClick={resolve}>
            {choice === "mine" ? t("conflict.useMine") : t("conflict.useTheirs")}
          </Button>
        </div>
      </div>
    </PlanDialog>
  );
}
