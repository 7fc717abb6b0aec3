"use client";
import { useEffect, useEffectEvent } from "react";
import { type LiveMessage, listenLive } from "#lib/core/live-events.ts";
import { useProjectNumber } from "./use-href.ts";

/** Hears the live events of the page's project for as long as the component is shown. After `open` something may have been missed. */
export function useLive(hear: (message: LiveMessage) => void): void {
  const project = useProjectNumber();
  const heard = useEffectEvent(hear);
  useEffect(() => listenLive(project, (message) => heard(message)), [project]);
}
