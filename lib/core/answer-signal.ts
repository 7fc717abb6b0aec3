import type { Answer } from "./error.ts";

/** What an answer says about the session itself, whatever was asked. */
export type SessionSignal = "signedOut" | "roleChanged";

const listeners = new Set<(signal: SessionSignal) => void>();

/** Tells the shell when an answer means that the session ended or the roles changed; gives the answer back unchanged. */
export function signalAnswer<T>(answer: Answer<T>): Answer<T> {
  const signal = answer.status === 401 ? "signedOut" : answer.code === "ROLE_CHANGED" ? "roleChanged" : null;
  if (signal) for (const listener of listeners) listener(signal);
  return answer;
}

/** Listens for the end of the session; gives the function that stops listening. */
export function onSessionSignal(listener: (signal: SessionSignal) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
