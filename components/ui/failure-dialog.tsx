"use client";
import { Button, Collapse, Modal, Textarea } from "@mantine/core";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { callDoor } from "#lib/core/call-door.ts";
import { formatMoment } from "#lib/core/format.ts";
import { closeFailure, type Failure, useFailure } from "./failure.ts";
import classes from "./failure-dialog.module.css";
import { Field } from "./field.tsx";
import { useScreen } from "./use-screen.ts";
import { useSession } from "./use-session.tsx";

/** Longest text of a report; the server checks it again. */
const reportChars = 2_000;

/** What leads on from a failure, beside its report. */
type WaysOf = (failure: Failure) => ReactNode;

/** What failed or was denied, with its code; the ways on from there, its details, and the way to report it. */
export function FailureDialog({ waysOf }: { waysOf: WaysOf }) {
  const t = useTranslations("ui");
  const { offset } = useSession();
  const failure = useFailure();
  return (
    <Modal
      opened={failure !== null}
      onClose={closeFailure}
      title={failure ? t(`failure.${failure.kind}`) : ""}
      size={520}
      closeButtonProps={{ "aria-label": t("failure.close") }}
      attributes={{ header: { role: "presentation" } }}
    >
      {failure ? <FailureBody key={failure.at.getTime()} failure={failure} offset={offset} ways={waysOf(failure)} /> : null}
    </Modal>
  );
}

function FailureBody({ failure, offset, ways }: { failure: Failure; offset: number; ways: ReactNode }) {
  const t = useTranslations("ui");
  const here = useScreen();
  const [open, setOpen] = useState(false);
  const [text, setText] = useState("");
  const [sending, setSending] = useState(false);
  const [outcome, setOutcome] = useState<{ ticket: number } | { failed: string } | null>(null);
  const screen = here?.screen.key ?? window.location.pathname;
  const send = async () => {
    setSending(true);
    const answer = await callDoor<{ ticket: number }>("error/report", {
      code: failure.code,
      requestId: failure.requestId ?? "-",
      screen,
      ...(text.trim() ? { text: text.trim() } : {}),
    });
    setSending(false);
    setOutcome(answer.status < 400 && answer.data ? { ticket: answer.data.ticket } : { failed: answer.msg ?? t("error.unreachable") });
  };
  const sent = outcome && "ticket" in outcome;
  return (
    <>
      <p className={classes.text}>{failure.text ?? t(`failure.text.${failure.kind}`)}</p>
      <p className={classes.code}>{failure.code}</p>
      {ways ? <div className={classes.ways}>{ways}</div> : null}
      <Button
        variant="subtle"
        color="gray"
        aria-expanded={open}
        leftSection={open ? <IconChevronDown size={16} stroke={1.4} /> : <IconChevronRight size={16} stroke={1.4} />}
        onClick={() => setOpen(!open)}
      >
        {t("failure.details")}
      </Button>
      <Collapse expanded={open}>
        <dl className={classes.details}>
          <dt>{t("failure.request")}</dt>
          <dd>{failure.requestId ?? "-"}</dd>
          <dt>{t("failure.time")}</dt>
          <dd>{formatMoment(failure.at, offset)}</dd>
          <dt>{t("failure.screen")}</dt>
          <dd>{screen}</dd>
        </dl>
      </Collapse>
      {sent ? null : (
        <Field id="failure-text" label={t("failure.what")} count={{ used: [...text].length, max: reportChars }}>
          <Textarea
            id="failure-text"
            autosize
            minRows={2}
            maxRows={6}
            maxLength={reportChars}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </Field>
      )}
      <p className={classes.outcome} role="status">
        {sent ? t("failure.sent", { ticket: outcome.ticket }) : outcome && "failed" in outcome ? outcome.failed : null}
      </p>
      <div className={classes.foot}>
        {sent ? null : (
          <Button loading={sending} onClick={send}>
            {t("failure.report")}
          </Button>
        )}
        <Button data-autofocus className={classes.last} onClick={closeFailure}>
          {t("failure.close")}
        </Button>
      </div>
    </>
  );
}
