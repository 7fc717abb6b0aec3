"use client";
import { Button } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { showFailure } from "./failure.ts";
import classes from "./state-panel.module.css";
import { useCopy } from "./use-copy.ts";

type Props = {
  /** What failed, as a sentence. */
  title: string;
  /** What is kept, or what to do. */
  text?: ReactNode;
  requestId?: string | undefined;
  onRetry?: (() => void) | undefined;
  children?: ReactNode;
};

/** A part of a page that failed: what failed, what is kept, a retry, and the request's number to copy. */
export function ErrorPanel({ title, text, requestId, onRetry, children }: Props) {
  const t = useTranslations("ui");
  const copy = useCopy();
  return (
    <div className={classes.panel} role="alert">
      <IconAlertTriangle size={28} stroke={1} aria-hidden="true" />
      <h2 className={classes.title}>{title}</h2>
      {text ? <p className={classes.text}>{text}</p> : null}
      {requestId ? <p className={classes.code}>{requestId}</p> : null}
      <div className={classes.actions}>
        {onRetry ? <Button onClick={onRetry}>{t("error.retry")}</Button> : null}
        {requestId ? (
          <>
            <Button variant="subtle" color="gray" onClick={() => copy(requestId, { done: t("error.copied"), shown: true })}>
              {t("error.copy")}
            </Button>
            <Button
              variant="subtle"
              color="gray"
              onClick={() => showFailure({ kind: "systemFailure", code: "PAGE", text: title, requestId })}
            >
              {t("failure.report")}
            </Button>
          </>
        ) : null}
        {children}
      </div>
    </div>
  );
}
