"use client";
import { Modal, Textarea } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { useCloseGuard, useEdited } from "#components/ui/close-guard.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import classes from "./regions.module.css";

/** Many delivery regions at once: their names, one a line. */
export function PasteDialog({ onAdd, onClose }: { onAdd: (text: string) => void; onClose: () => void }) {
  const t = useTranslations("regions");
  const common = useTranslations("common");
  const id = useId();
  const [text, setText] = useState("");
  const { close, question } = useCloseGuard(useEdited(text), onClose);
  return (
    <Modal opened onClose={close} title={t("paste.title")} size={440} closeButtonProps={{ "aria-label": common("close") }}>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          onAdd(text);
          onClose();
        }}
      >
        <Field id={id} label={t("paste.names")} help={t("paste.help")}>
          <Textarea
            id={id}
            data-autofocus
            aria-describedby={fieldNoteId(id)}
            autosize
            minRows={6}
            maxRows={14}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </Field>
        <DialogFoot problem={undefined} verb={t("paste.add")} busy={false} disabled={text.trim() === ""} onClose={close} />
      </form>
      {question}
    </Modal>
  );
}
