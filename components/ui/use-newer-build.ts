"use client";
import { useSyncExternalStore } from "react";
import { newerBuild } from "#lib/core/newer-build.ts";

/** Whether the product was updated since the page was opened. */
export const useNewerBuild = (): boolean => useSyncExternalStore(newerBuild.subscribe, newerBuild.get, () => false);
