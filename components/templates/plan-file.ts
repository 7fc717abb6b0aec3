"use client";
import type { Answer } from "#lib/core/error.ts";
import { ownAnswer } from "#lib/core/own-answer.ts";
import type { OpenedFile } from "#lib/imports/file/commands.ts";

/** A foreign plan as it is opened. */
export type SampleFile = OpenedFile;

/** Sends a foreign plan to the server; answers like a call and never throws. */
export async function sendPlanFile(file: File, project: string): Promise<Answer<{ fileId: string }>> {
  const url = new URL("/api/files", window.location.origin);
  url.searchParams.set("projectNumber", project);
  url.searchParams.set("kind", "reversePlan");
  const form = new FormData();
  form.append("file", file);
  try {
    const reply = await fetch(url, { method: "POST", body: form });
    return (await reply.json()) as Answer<{ fileId: string }>;
  } catch {
    return ownAnswer("SERVICE_ERROR");
  }
}
