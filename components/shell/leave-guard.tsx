"use client";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { onDemand } from "#components/ui/on-demand.tsx";
import { answerLeaving, hasUnsaved, isAllKept, useHasUnsaved } from "#components/ui/unsaved.ts";
import { useWas } from "#components/ui/use-was.ts";

const Confirm = onDemand(() => import("#components/ui/confirm.tsx").then((module) => module.Confirm));

/** Told along with a traversal of the history that was asked about, which lets it pass. */
const answered = Symbol("answered");

/** A wish to leave the page, waiting for the answer about unsaved edits. */
export type Leaving = { go: () => void; stay?: () => void };

const isHere = ({ pathname, search }: URL) => pathname === window.location.pathname && search === window.location.search;

/** Asks before unsaved edits are left behind: by a link, by Back and Forward, by closing the tab, by anything that hands in a wish to leave. */
export function LeaveGuard({ leaving, onAsk, onDone }: { leaving: Leaving | null; onAsk: (leaving: Leaving) => void; onDone: () => void }) {
  const t = useTranslations("shell");
  const router = useRouter();
  const dirty = useHasUnsaved();
  const left = useRef(false);
  const asked = useWas(leaving !== null);
  useEffect(() => answerLeaving((go) => onAsk({ go })), [onAsk]);
  useEffect(() => {
    if (!dirty) return;
    const onClose = (event: BeforeUnloadEvent) => event.preventDefault();
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
      if (!link || event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      const to = new URL(link.href);
      if (link.target === "_blank" || link.hasAttribute("download") || to.origin !== window.location.origin || isHere(to) || !hasUnsaved())
        return;
      event.preventDefault();
      event.stopPropagation();
      onAsk({ go: () => router.push(`${to.pathname}${to.search}${to.hash}`) });
    };
    // Back and Forward between screens; where they unload the document, `beforeunload` asks. A browser lets a page hold them back once each time
    // somebody has touched it, and one without the Navigation API, which all current ones have, never.
    const onNavigate = (event: NavigateEvent) => {
      const { destination } = event;
      if (event.navigationType !== "traverse" || !event.cancelable || event.info === answered) return;
      if (!destination.sameDocument || isHere(new URL(destination.url)) || !hasUnsaved()) return;
      event.preventDefault();
      // An entry that is gone meanwhile leaves the page as it is.
      const go = () => void navigation.traverseTo(destination.key, { info: answered }).committed?.catch(() => {});
      onAsk({ go });
    };
    const history = "navigation" in window ? navigation : null;
    history?.addEventListener("navigate", onNavigate);
    window.addEventListener("beforeunload", onClose);
    document.addEventListener("click", onClick, { capture: true });
    return () => {
      history?.removeEventListener("navigate", onNavigate);
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
      isOnTop
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
