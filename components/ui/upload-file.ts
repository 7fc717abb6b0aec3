import type { Answer } from "#lib/core/error.ts";
import { ownAnswer } from "#lib/core/own-answer.ts";

/** Sends a file to the project's store; gives the id that calls take. Never throws: a lost connection answers 503. */
export async function uploadFile(file: File, project: string): Promise<Answer<{ fileId: string }>> {
  const url = new URL("/api/files", window.location.origin);
  url.searchParams.set("projectNumber", project);
  const form = new FormData();
  form.append("file", file);
  return fetch(url, { method: "POST", body: form }).then(
    (reply) => reply.json() as Promise<Answer<{ fileId: string }>>,
    () => ownAnswer("SERVICE_ERROR"),
  );
}
