"use client";
import { Modal, Textarea } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useCloseGuard } from "#components/ui/close-guard.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { useSearchText } from "#components/ui/use-search-text.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { searchEntries } from "#lib/core/search-entries.ts";
import classes from "./clusters.module.css";

type Found = { duIds?: number[]; unmatched: string[] };

/** DUs chosen by their pasted codes: all that are found, or a word on those that are not. */
export function CodesDialog({ onClose, onFound }: { onClose: () => void; onFound: (duIds: number[]) => void }) {
  const t = useTranslations("clusters.codes");
  const common = useTranslations("common");
  const id = useId();
  const [text, setText] = useState("");
  /** The text whose DUs are chosen already. */
  const [taken, setTaken] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [missing, setMissing] = useState<string[]>([]);
  const { close, question } = useCloseGuard(text.trim() !== "" && text !== taken, onClose);
  const { take } = useSearchText((next) => {
    setText(next);
    setMissing([]);
    setProblem(undefined);
  });
  const entries = searchEntries(text);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const [only] = entries;
    // A single entry of the search finds whatever contains it.
    const which =
      entries.length === 1
        ? { filters: [{ field: "code", type: "eq", values: [only] }] }
        : { search: { field: "code", text: entries.join(",") } };
    const answer = await callDoor<Found>("wbs/filter", { ...which, view: "map", ids: true }, { reading: true });
    setBusy(false);
    if (!answer.data) return setProblem(answer.problems?.[0]?.msg ?? answer.msg ?? answer.code);
    const found = answer.data.duIds ?? [];
    const unmatched = entries.length === 1 && found.length === 0 ? entries : answer.data.unmatched;
    setMissing(unmatched);
    if (found.length > 0) {
      onFound(found);
      setTaken(text);
    }
    if (unmatched.length === 0) onClose();
  };
  return (
    <Modal opened onClose={close} title={t("title")} size={440} closeButtonProps={{ "aria-label": common("close") }}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <Field
          id={id}
          label={t("codes")}
          help={t("help")}
          error={missing.length > 0 ? t("missing", { codes: missing.join(", ") }) : undefined}
        >
          <Textarea
            id={id}
            data-autofocus
            autosize
            minRows={6}
            maxRows={14}
            value={text}
            error={missing.length > 0}
            aria-describedby={fieldNoteId(id)}
            onChange={(event) => take(event.currentTarget.value)}
          />
        </Field>
        <DialogFoot problem={problem} verb={t("find")} busy={busy} disabled={entries.length === 0} onClose={close} />
      </form>
      {question}
    </Modal>
  );
}
