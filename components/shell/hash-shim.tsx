"use client";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { hasUnsaved } from "#components/ui/unsaved.ts";
import { hrefOf, matchHash } from "#lib/core/hash.ts";

declare global {
  /** Ends the listening of the head script, which opens original addresses until the shell does. */
  var milepostHash: (() => void) | undefined;
}

/** Opens an original address typed or clicked while the page is open; the address on load is the head script's. */
export function HashShim({ onLeave }: { onLeave: (go: () => void, stay: () => void) => void }) {
  const router = useRouter();
  useEffect(() => {
    const open = (event: HashChangeEvent) => {
      // Not the address of the window: the router may have written it anew meanwhile, without the fragment.
      const asked = new URL(event.newURL);
      const match = matchHash(asked.hash);
      const to = match && hrefOf(match, asked);
      if (!to) return;
      const here = `${window.location.pathname}${window.location.search}`;
      const go = () => (to === here ? window.history.replaceState(window.history.state, "", here) : router.replace(to));
      const stay = () => window.history.replaceState(window.history.state, "", here);
      if (hasUnsaved() && to !== here) onLeave(go, stay);
      else go();
    };
    window.addEventListener("hashchange", open);
    window.milepostHash?.();
    return () => window.removeEventListener("hashchange", open);
  }, [router, onLeave]);
  // The root names the project twice when its own query named it, so that a fragment cannot lead elsewhere; once here, once is enough.
  useEffect(() => {
    const address = new URL(window.location.href);
    if (!address.searchParams.has("projectNumber")) return;
    address.searchParams.delete("projectNumber");
    window.history.replaceState(window.history.state, "", address);
  }, []);
  return null;
}
