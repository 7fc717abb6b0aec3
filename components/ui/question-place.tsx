"use client";
import { useSyncExternalStore } from "react";
import { onDemand } from "./on-demand.tsx";
import { openQuestions } from "./questions.ts";

const QuestionDialog = onDemand(() => import("./question-dialog.tsx").then((module) => module.QuestionDialog));

/** Where the questions of a save appear; their dialog is loaded with the first one. */
export function QuestionPlace() {
  const open = useSyncExternalStore(openQuestions.subscribe, openQuestions.get, () => null);
  return open ? <QuestionDialog open={open} /> : null;
}
