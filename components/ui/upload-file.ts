import type { Answer } from "#lib/core/error.ts";
import { ownAnswer } from "#lib/core/own-answer.ts";

/**
 * Sends a file to the project's store; gives the id that calls take. Never throws: a lost connection answers 503.
 * @param kind of the import it is for, where its ending is checked by it
 */
export async function uploadFile(file: File, project: string, kind?: string): Promise<Answer<{ fileId: string }>> {
  const url = new URL("/api/files", window.location.origin);
  url.searchParams.set("projectNumber", project);
  if (kind) url.searchParams.set("kind", kind);
  const form = new FormData();
  form.append("file", file);
  try {
    const reply = await fetch(url, { method: "POST", body: form });
    return (await reply.json()) as Answer<{ fileId: string }>;
  } catch {
    return ownAnswer("SERVICE_ERROR");
  }
}
