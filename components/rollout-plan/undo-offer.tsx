"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { formatSpan } from "#lib/core/format.ts";
import { undoMinutes } from "#lib/rollout-plan/undos/limits.ts";

/** Saved batches that can still be undone, until when (epoch milliseconds), and how many cells they hold. */
export type UndoOffer = { batchIds: readonly number[]; cells: number; until: number };

/** Makes the offer of a save that ended now. */
export function undoOffer(batchIds: readonly number[], cells: number, now: number): UndoOffer {
  return { batchIds, cells, until: now + undoMinutes * 60_000 };
}

/** Milliseconds left of an offer, counted down every second; 0 when it is over. */
export function useTimeLeft(offer: UndoOffer | null): number {
  const [now, setNow] = useState(() => Date.now());
  const until = offer?.until ?? 0;
  useEffect(() => {
    if (until <= Date.now()) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [until]);
  return Math.max(0, until - now);
}

/** `9:42 left to undo`. */
export function UndoTime({ offer }: { offer: UndoOffer }) {
  const t = useTranslations("plan-grid");
  return <>{t("undo.left", { time: formatSpan(useTimeLeft(offer)) })}</>;
}
