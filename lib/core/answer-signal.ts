import type { Answer } from "./error.ts";

/** What an answer says about the session itself, whatever was asked. */
export type SessionSignal = "signedOut" | "roleChanged";

const listeners = new Set<(signal: SessionSignal) => void>();

/**
 * Tells the shell when an answer means that the session ended or the roles changed; gives the answer back, what a refusal brought along as `beside`: its `data`
 * would be taken for a result.
 */
export function signalAnswer<T>(answer: Answer<T>): Answer<T> {
  const signal = answer.status === 401 ? "signedOut" : answer.code === "ROLE_CHANGED" ? "roleChanged" : null;
  if (signal) for (const listener of listeners) listener(signal);
  if (answer.status < 400 || answer.data === undefined) return answer;
  const { data: beside, ...refusal } = answer;
  return { ...refusal, beside };
}

/** Listens for the end of the session; gives the function that stops listening. */
export function onSessionSignal(listener: (signal: SessionSignal) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
