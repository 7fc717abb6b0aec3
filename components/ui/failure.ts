"use client";
import { useSyncExternalStore } from "react";
import type { Answer } from "#lib/core/error.ts";
import { holdValue } from "#lib/core/held-value.ts";

/** A failure somebody should be told of in full: what it was, its number, when and where. */
export type Failure = {
  kind: "systemFailure" | "noAuthorisation" | "accessDenied";
  code: string;
  text: string | null;
  requestId: string | null;
  at: Date;
};

const shown = holdValue<Failure | null>(null);

/** Refusals with a place of their own: the page shows them where they belong. */
const ownPlace = ["ROLE_CHANGED", "PROJECT_CLOSED", "CROSS_BORDER_FORBIDDEN"];

/** The kind of failure an answer is; null when the refusal belongs to the place where something was asked. */
export function failureKind({ status, code }: Pick<Answer, "status" | "code">): Failure["kind"] | null {
  if (code !== undefined && ownPlace.includes(code)) return null;
  if (status === 500) return "systemFailure";
  if (status === 403) return code === "NO_PERMISSION" ? "noAuthorisation" : "accessDenied";
  return null;
}

/** Shows the dialog of a failure. */
export function showFailure(failure: Omit<Failure, "at">): void {
  shown.set({ ...failure, at: new Date() });
}

/** Shows the dialog when an answer is a failure; does nothing for every other answer. */
export function showFailedAnswer(answer: Answer): void {
  const kind = failureKind(answer);
  if (kind)
    showFailure({ kind, code: answer.code ?? String(answer.status), text: answer.msg ?? null, requestId: answer.requestId ?? null });
}

export function closeFailure(): void {
  shown.set(null);
}

/** The failure whose dialog is open. */
export function useFailure(): Failure | null {
  return useSyncExternalStore(shown.subscribe, shown.get, () => null);
}
