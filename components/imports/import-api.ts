"use client";
import { callDoor } from "#lib/core/call-door.ts";
import type { Answer } from "#lib/core/error.ts";
import { ownAnswer } from "#lib/core/own-answer.ts";
import type { OpenedFile } from "#lib/imports/file/commands.ts";
import type { ImportKindName } from "#lib/imports/limits.ts";
import type { PreviewResult } from "#lib/imports/logic.ts";
import type { TaskRow } from "#lib/tasks/queries.ts";

/** How a file is read. */
export type FileSettings = { encoding: "utf-8" | "gb18030" | "windows-1252"; delimiter: "" | "," | ";" | "\t"; sheet?: string };
export const plainSettings: FileSettings = { encoding: "utf-8", delimiter: "" };

/** A task of an import with what it keeps. */
export type PreviewTask = Omit<TaskRow, "result"> & { result: PreviewResult | null };
/** `undo`: the batch of the plan that takes the application back. */
export type ApplyResult = { written: number; rejected: number; unchanged: number; undo?: number | null };

/** Opens an uploaded file with the given settings. */
export const openFile = (fileId: string, kind: ImportKindName, settings: FileSettings): Promise<Answer<OpenedFile>> =>
  callDoor<OpenedFile>("import/open", { fileId, kind, ...settings }, { cancelKey: "import/open" });

/**
 * Sends a file to the server; answers like a call and never throws.
 * @param progress share sent so far, from 0 to 1
 */
export function uploadFile(
  file: File,
  kind: ImportKindName,
  project: string,
  progress: (share: number) => void,
  signal: AbortSignal,
): Promise<Answer<{ fileId: string }>> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const url = new URL("/api/files", window.location.origin);
    url.searchParams.set("projectNumber", project);
    url.searchParams.set("kind", kind);
    request.open("POST", url);
    request.responseType = "json";
    request.upload.onprogress = (event) => progress(event.lengthComputable ? event.loaded / event.total : 0);
    request.onload = () =>
      resolve((request.response as Answer<{ fileId: string }> | null) ?? { ...ownAnswer("SERVICE_ERROR"), status: request.status });
    request.onerror = () => resolve(ownAnswer("SERVICE_ERROR"));
    request.onabort = () => resolve({ status: 499 });
    signal.addEventListener("abort", () => request.abort());
    const form = new FormData();
    form.append("file", file);
    request.send(form);
  });
}
