"use client";
import { ActionIcon, Checkbox, TextInput } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconGripVertical, IconTrash } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { type ClipboardEvent, useState } from "react";
import grip from "#components/ui/row-grip.module.css";
import { enumChars } from "#lib/rollout-plan/columns/limits.ts";
import classes from "./attributes.module.css";

/** A choice while it is typed. */
export type ChoiceDraft = { key: number; id?: number; value: string; active: boolean };

type Props = {
  choices: readonly ChoiceDraft[];
  /** How many DUs have each stored choice; null while that is not known. */
  used: ReadonlyMap<number, number> | null;
  fault: string | undefined;
  onChange: (choices: ChoiceDraft[]) => void;
};

let keys = 1_000_000;

/** The choices of an enumeration: typed, pasted line by line, brought into order, taken out of the offer. */
export function ChoiceEditor({ choices, used, fault, onChange }: Props) {
  const t = useTranslations("attributes.choices");
  const [text, setText] = useState("");
  const add = (values: readonly string[]) => {
    const known = new Set(choices.map(({ value }) => value.trim().toLowerCase()));
    const fresh = values
      .map((value) => value.trim())
      .filter((value) => value !== "" && !known.has(value.toLowerCase()) && known.add(value.toLowerCase()));
    onChange([...choices, ...fresh.map((value) => ({ key: keys++, value, active: true }))]);
    setText("");
  };
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const lines = event.clipboardData.getData("text").split(/[\r\n\t]+/);
    if (lines.filter((line) => line.trim() !== "").length < 2) return;
    event.preventDefault();
    add(lines);
  };
  const [dragged, setDragged] = useState<number | null>(null);
  const move = (from: number, to: number) => {
    setDragged(null);
    if (from !== to) onChange(choices.toSpliced(from, 1).toSpliced(to, 0, choices[from] as ChoiceDraft));
  };
  const set = (at: number, change: Partial<ChoiceDraft>) =>
    onChange(choices.map((choice, index) => (index === at ? { ...choice, ...change } : choice)));
  return (
    <fieldset className={classes.choices}>
      <legend>{t("title", { count: choices.length })}</legend>
      <TextInput
        aria-label={t("add")}
        placeholder={t("addHelp")}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onPaste={paste}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          add([text]);
        }}
      />
      <ul className={classes.choiceList}>
        {choices.map((choice, at) => {
          const name = choice.value || t("unnamed");
          const count = choice.id === undefined ? 0 : used && (used.get(choice.id) ?? 0);
          return (
            <li
              key={choice.key}
              className={classes.choice}
              onDragOver={(event) => dragged !== null && event.preventDefault()}
              onDrop={(event) => {
                event.preventDefault();
                if (dragged !== null) move(dragged, at);
              }}
            >
              {/* The arrows beside it do the same by keys. */}
              <span
                className={grip.grip}
                draggable
                aria-hidden="true"
                onDragStart={(event) => {
                  event.dataTransfer.effectAllowed = "move";
                  event.dataTransfer.setData("text/plain", choice.value);
                  setDragged(at);
                }}
                onDragEnd={() => setDragged(null)}
              >
                <IconGripVertical size={14} stroke={1.4} />
              </span>
              <TextInput
                aria-label={t("value", { number: at + 1 })}
                value={choice.value}
                maxLength={enumChars * 2}
                onChange={(event) => set(at, { value: event.currentTarget.value })}
              />
              <span className={classes.quiet}>{count === null ? "" : t("used", { count })}</span>
              <Checkbox
                label={t("active")}
                aria-label={t("activeOf", { name })}
                checked={choice.active}
                onChange={(event) => set(at, { active: event.currentTarget.checked })}
              />
              <ActionIcon size={24} disabled={at === 0} aria-label={t("up", { name })} onClick={() => move(at, at - 1)}>
                <IconArrowUp size={14} stroke={1.7} />
              </ActionIcon>
              <ActionIcon size={24} disabled={at === choices.length - 1} aria-label={t("down", { name })} onClick={() => move(at, at + 1)}>
                <IconArrowDown size={14} stroke={1.7} />
              </ActionIcon>
              <ActionIcon
                size={24}
                disabled={count !== 0}
                aria-label={t("remove", { name })}
                title={count ? t("usedHelp") : undefined}
                onClick={() => onChange(choices.filter((_, index) => index !== at))}
              >
                <IconTrash size={14} stroke={1.7} />
              </ActionIcon>
            </li>
          );
        })}
      </ul>
      {fault ? (
        <p className={classes.problem} role="alert">
          {fault}
        </p>
      ) : null}
    </fieldset>
  );
}
