"use client";

import { useSearchParams } from "next/navigation";
import { useCallback } from "react";

/** The view asked for by the address, else the one last used. Choosing another keeps it and puts it into the address. */
export function usePlanView(last: string, keep: (view: string) => void): [string, (view: string) => void] {
  const asked = useSearchParams().get("view");
  const choose = useCallback(
    (view: string) => {
      const url = new URL(window.location.href);
      url.searchParams.set("view", view);
      window.history.replaceState(null, "", url);
      keep(view);
    },
    [keep],
  );
  return [asked ?? last, choose];
}
