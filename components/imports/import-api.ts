"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useLive } from "#components/ui/use-live.ts";
import { callDoor } from "#lib/core/call-door.ts";
import type { Answer } from "#lib/core/error.ts";
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

/** Milliseconds between two looks at a task while it runs. */
const lookMs = 700;

/** A task that is followed to its end. */
export function useTask<Task extends { status: TaskRow["status"] }>(id: string | null) {
  const project = useProjectNumber();
  const client = useQueryClient();
  const queryKey = ["task", project, id];
  useLive((message) => {
    if (message.kind === "open" || (message.kind === "task" && message.data.id === id)) void client.invalidateQueries({ queryKey });
  });
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => dataOf(await callDoor<Task>(`task/find/${id}`, undefined, { method: "GET", signal })),
    enabled: id !== null,
    refetchInterval: ({ state }) => (state.data && (state.data.status === "queued" || state.data.status === "running") ? lookMs : false),
    retry: false,
  });
}

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
      resolve((request.response as Answer<{ fileId: string }> | null) ?? { status: request.status, code: "SERVICE_ERROR" });
    request.onerror = () => resolve({ status: 503, code: "SERVICE_ERROR" });
    request.onabort = () => resolve({ status: 499 });
    signal.addEventListener("abort", () => request.abort());
    const form = new FormData();
    form.append("file", file);
    request.send(form);
  });
}

/** Address of a file of a task. */
export const taskFile = (id: string, part: "input" | "result" | "error", project: string): string =>
  `/api/task/file/${id}/${part}?projectNumber=${encodeURIComponent(project)}`;
