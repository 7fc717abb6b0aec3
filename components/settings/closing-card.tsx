"use client";
import { Button, Modal, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { formatBytes, formatMoment } from "#lib/core/format.ts";
import { closeProject, reopenProject } from "#lib/settings/closing/actions.ts";
import type { ClosingState } from "#lib/settings/closing/queries.ts";
import classes from "./settings.module.css";

/** Closing the project and opening it again: what it means, what would be deleted, and the number to be typed. */
export function ClosingCard() {
  const t = useTranslations("settings");
  const project = useProjectNumber();
  const { offset } = useSession();
  const client = useQueryClient();
  const key = ["closing", project];
  const [asked, setAsked] = useState(false);
  const state = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => dataOf(await callDoor<ClosingState>("project/closing", {}, { signal })),
    retry: false,
  });
  if (state.isError) return <ErrorPanel title={t("closing.failed")} failed={state.error} onRetry={() => state.refetch()} />;
  if (!state.data) return null;
  const { status, closedAt, eraseAt, erasedAt, counts, people } = state.data;
  const closed = status === "closed";
  return (
    <section className={classes.closing} aria-labelledby="closing-title">
      <h2 id="closing-title" className={classes.closingTitle}>
        {t("closing.title")}
      </h2>
      <p>{t("closing.open")}</p>
      {erasedAt ? (
        <p className={classes.strong}>{t("closing.erased", { time: formatMoment(erasedAt, offset) })}</p>
      ) : (
        <>
          {closed ? (
            <p className={classes.strong}>
              {t("closing.closed", { time: formatMoment(closedAt, offset), erase: formatMoment(eraseAt, offset) })}
            </p>
          ) : null}
          <p className={classes.quietText}>{t("closing.would", { ...counts, size: formatBytes(counts.fileBytes) })}</p>
          <p className={classes.quietText}>{t("closing.people", { count: people })}</p>
          <div>
            <Button color={closed ? "blue" : "red"} variant="default" onClick={() => setAsked(true)}>
              {t(closed ? "closing.reopen" : "closing.close")}
            </Button>
          </div>
        </>
      )}
      <ClosingDialog
        opened={asked}
        closed={closed}
        onClose={() => setAsked(false)}
        onDone={async () => {
          await client.invalidateQueries({ queryKey: key });
        }}
      />
    </section>
  );
}

type DialogProps = { opened: boolean; closed: boolean; onClose: () => void; onDone: () => Promise<void> };

function ClosingDialog({ opened, closed, onClose, onDone }: DialogProps) {
  const t = useTranslations("settings");
  const common = useTranslations("common");
  const project = useProjectNumber();
  const [confirm, setConfirm] = useState("");
  const [fault, setFault] = useState<string | undefined>();
  const [close, closing] = useAction(closeProject);
  const [reopen, reopening] = useAction(reopenProject);
  const verb = t(closed ? "closing.reopen" : "closing.close");
  const leave = () => {
    setConfirm("");
    setFault(undefined);
    onClose();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const answer = await (closed ? reopen({ confirm }) : close({ confirm }));
    if (answer.status >= 400) return setFault(answer.msg ?? String(answer.code));
    toast.done(t(closed ? "closing.doneOpen" : "closing.doneClosed"));
    leave();
    await onDone();
  };
  return (
    <Modal opened={opened} onClose={leave} title={verb} size={440} withCloseButton={false}>
      <form onSubmit={submit}>
        <p>{t(closed ? "closing.reopenText" : "closing.closeText")}</p>
        <Field
          id="closing-confirm"
          label={t("closing.confirm")}
          required
          help={t("closing.confirmHelp", { number: project })}
          error={fault}
        >
          <TextInput
            id="closing-confirm"
            data-autofocus
            autoComplete="off"
            aria-describedby={fieldNoteId("closing-confirm")}
            error={Boolean(fault)}
            value={confirm}
            onChange={(event) => setConfirm(event.currentTarget.value)}
          />
        </Field>
        <div className={classes.foot}>
          <Button onClick={leave}>{common("cancel")}</Button>
          <Button
            type="submit"
            variant="filled"
            color={closed ? "blue" : "red"}
            loading={closing || reopening}
            disabled={confirm.trim() !== project}
          >
            {verb}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
