"use client";
import { onDemand } from "#components/ui/on-demand.tsx";

/** The wizard for pages that show it on some of their addresses only: its code and texts are loaded where it is shown. */
export const ImportWizard = onDemand(
  () => import("./import-wizard.tsx").then((module) => module.ImportWizard),
  ["errors", "imports", "tasks"],
);
