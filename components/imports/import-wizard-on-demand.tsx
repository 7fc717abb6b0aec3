"use client";
import dynamic from "next/dynamic";

/** The wizard for pages that show it on some of their addresses only: its code is loaded where it is shown. */
export const ImportWizard = dynamic(() => import("./import-wizard.tsx").then((module) => module.ImportWizard));
