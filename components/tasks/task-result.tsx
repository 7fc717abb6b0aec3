"use client";
import { useRouter } from "next/navigation";
import { PageBar } from "#components/ui/page-bar.tsx";
import { useHref } from "#components/ui/use-href.ts";
import { TaskDialog } from "./task-dialog.tsx";

/** The dialog of one task on a page of its own; closing it leads to the tasks. */
export function TaskResult({ id }: { id: string }) {
  const router = useRouter();
  const href = useHref();
  return (
    <>
      <PageBar />
      <TaskDialog id={id} onClose={() => router.push(href("tasks"))} />
    </>
  );
}
