"use client";
import { Modal, TextInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { standards } from "#lib/attributes/standards/limits.ts";
import { type AttributeDraft, draftOf } from "./attribute-draft.ts";
import classes from "./attributes.module.css";

type Props = {
  /** Ids of the standard library that the project has copies of. */
  taken: ReadonlySet<number>;
  onChoose: (draft: AttributeDraft) => void;
  onClose: () => void;
};

/** The standard library: what is chosen becomes the beginning of a new attribute, in the language of who chooses. */
export function StandardDialog({ taken, onChoose, onClose }: Props) {
  const t = useTranslations("attributes.standard");
  const types = useTranslations("attributes.type");
  const common = useTranslations("common");
  const [text, setText] = useState("");
  const word = text.trim().toLowerCase();
  const found = standards.filter(({ key }) => t(`name.${key}`).toLowerCase().includes(word));
  const choose = (one: (typeof standards)[number]) => {
    const name = t(`name.${one.key}`);
    const limit = "limit" in one ? Object.entries(one.limit).map(([key, value]) => [key, String(value)]) : [];
    const choices = "choices" in one ? one.choices : [];
    onChoose({
      ...draftOf(null),
      name,
      standardName: name,
      standardAttributeId: one.id,
      type: one.type,
      classification: t(`group.${one.group}`),
      limit: Object.fromEntries(limit),
      enums: choices.map((choice, at) => ({ key: -1 - at, value: t(`choice.${choice}`), active: true })),
    });
  };
  return (
    <Modal opened onClose={onClose} title={t("verb")} size={520} closeButtonProps={{ "aria-label": common("close") }}>
      <div className={classes.form}>
        <TextInput
          data-autofocus
          type="search"
          aria-label={t("search")}
          placeholder={t("search")}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <ul className={classes.standards}>
          {found.map((one) => (
            <li key={one.id}>
              <button type="button" className={classes.subject} disabled={taken.has(one.id)} onClick={() => choose(one)}>
                <span>{t(`name.${one.key}`)}</span>
                <span className={classes.quiet}>{taken.has(one.id) ? t("taken") : `${t(`group.${one.group}`)} · ${types(one.type)}`}</span>
              </button>
            </li>
          ))}
        </ul>
        {found.length === 0 ? <p className={classes.quiet}>{t("none")}</p> : null}
      </div>
    </Modal>
  );
}
