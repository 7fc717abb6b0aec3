"use client";
import { Button } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { Answer } from "#lib/core/error.ts";
import { failureKind, showFailure } from "./failure.ts";
import classes from "./state-panel.module.css";
import { useCopy } from "./use-copy.ts";
import { CallError } from "./use-list.ts";

type Props = {
  /** What failed, as a sentence. */
  title: string;
  /** What is kept, or what to do; else the reason that `failed` gives. */
  text?: ReactNode;
  /** The answer or the error it failed by. */
  failed?: Answer | Error | null | undefined;
  onRetry?: (() => void) | undefined;
  children?: ReactNode;
};

/** A part of a page that failed: what failed and why, a retry, the request's number to copy, and for a failure or a denial its dialog. [OPS-28] */
export function ErrorPanel({ title, text, failed, onRetry, children }: Props) {
  const t = useTranslations("ui");
  const copy = useCopy();
  const answer = failed instanceof CallError ? failed.answer : failed instanceof Error ? null : failed;
  // What an error of the page itself says is no reason for a person.
  const reason = text ?? answer?.msg;
  const requestId = answer?.requestId;
  const kind = answer && (failureKind(answer) ?? (answer.status > 500 ? "systemFailure" : null));
  const report = () => {
    if (kind) showFailure({ kind, code: answer.code ?? String(answer.status), text: answer.msg ?? title, requestId: requestId ?? null });
  };
  return (
    <div className={classes.panel} role="alert">
      <IconAlertTriangle size={28} stroke={1} aria-hidden="true" />
      <h2 className={classes.title}>{title}</h2>
      {reason ? <p className={classes.text}>{reason}</p> : null}
      {requestId ? <p className={classes.code}>{requestId}</p> : null}
      <div className={classes.actions}>
        {onRetry ? <Button onClick={onRetry}>{t("error.retry")}</Button> : null}
        {requestId ? (
          <>
            <Button variant="subtle" color="gray" onClick={() => copy(requestId, { done: t("error.copied"), shown: true })}>
              {t("error.copy")}
            </Button>
            {kind ? (
              <Button variant="subtle" color="gray" onClick={report}>
                {t("failure.report")}
              </Button>
            ) : null}
          </>
        ) : null}
        {children}
      </div>
    </div>
  );
}
