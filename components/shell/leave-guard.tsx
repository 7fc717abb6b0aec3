"use client";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { onDemand } from "#components/ui/on-demand.tsx";
import { hasUnsaved, isAllKept, useHasUnsaved } from "#components/ui/unsaved.ts";
import { useWas } from "#components/ui/use-was.ts";

const Confirm = onDemand(() => import("#components/ui/confirm.tsx").then((module) => module.Confirm));

/** A wish to leave the page, waiting for the answer about unsaved edits. */
export type Leaving = { go: () => void; stay?: () => void };

/** Asks before unsaved edits are left behind: by a link, by closing the tab, by anything that hands in a wish to leave. */
export function LeaveGuard({ leaving, onAsk, onDone }: { leaving: Leaving | null; onAsk: (leaving: Leaving) => void; onDone: () => void }) {
  const t = useTranslations("shell");
  const router = useRouter();
  const dirty = useHasUnsaved();
  const left = useRef(false);
  const asked = useWas(leaving !== null);
  useEffect(() => {
    if (!dirty) return;
    const onClose = (event: BeforeUnloadEvent) => event.preventDefault();
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
      if (!link || event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      const to = new URL(link.href);
      const sameDocument = to.pathname === window.location.pathname && to.search === window.location.search;
      if (
        link.target === "_blank" ||
        link.hasAttribute("download") ||
        to.origin !== window.location.origin ||
        sameDocument ||
        !hasUnsaved()
      )
        return;
      event.preventDefault();
      event.stopPropagation();
      onAsk({ go: () => router.push(`${to.pathname}${to.search}${to.hash}`) });
    };
    window.addEventListener("beforeunload", onClose);
    document.addEventListener("click", onClick, { capture: true });
    return () => {
      window.removeEventListener("beforeunload", onClose);
      document.removeEventListener("click", onClick, { capture: true });
    };
  }, [dirty, onAsk, router]);
  if (!asked) return null;
  const kept = leaving !== null && isAllKept();
  return (
    <Confirm
      opened={leaving !== null}
      title={t("leave.title")}
      verb={t(kept ? "leave.keptVerb" : "leave.verb")}
      danger={!kept}
      onConfirm={() => {
        left.current = true;
        leaving?.go();
      }}
      onClose={() => {
        if (!left.current) leaving?.stay?.();
        left.current = false;
        onDone();
      }}
    >
      {t(kept ? "leave.keptText" : "leave.text")}
    </Confirm>
  );
}
