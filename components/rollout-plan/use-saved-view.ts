"use client";

import { useTranslations } from "next-intl";
import { useCallback, useEffect, useRef, useState } from "react";
import { toast } from "#components/ui/toast.ts";
import { signalAnswer } from "#lib/core/answer-signal.ts";
import { callDoor } from "#lib/core/call-door.ts";
import type { SavedView, ViewHead } from "#lib/rollout-plan/saved-views/queries.ts";
import type { PlanSearch } from "./plan-filters.ts";
import { type PlanState, readKeptSearch } from "./plan-state.ts";
import type { PlanStateActions } from "./use-plan-state.ts";

/** A saved view the page was opened with, without its state. */
export type OpenedView = ViewHead & Pick<SavedView, "dropped">;

/** The saved view that is open, and what can be done with saved views. */
export type SavedViews = {
  opened: ViewHead | null;
  /** What is shown, as it would be kept. */
  shown: () => Record<string, unknown>;
  open: (id: string) => Promise<void>;
  /** Back to one's own home page. */
  leave: () => Promise<void>;
  /** Makes what is shown one's own home page. */
  adopt: () => void;
  /** The view was saved under this name and is open now. */
  saved: (view: ViewHead) => void;
};

/** The address with a saved view or without one; the view last chosen inside it no longer counts. */
function putAddress(id: string | null): void {
  const url = new URL(window.location.href);
  url.searchParams.delete("view");
  if (id) url.searchParams.set("saved", id);
  else url.searchParams.delete("saved");
  window.history.replaceState(null, "", url);
}

/** Opens, leaves and keeps saved views of the plan. @param first the view the page was opened with; `asked` says that its address names one */
export function useSavedView(
  first: OpenedView | null,
  asked: boolean,
  view: {
    state: PlanState;
    actions: PlanStateActions;
    /** Key of the shown view, which the address may name. */
    view: string;
    search: PlanSearch | null;
    onSearch: (search: PlanSearch | null) => void;
  },
): SavedViews {
  const t = useTranslations("plan-grid");
  const [opened, setOpened] = useState<ViewHead | null>(first);
  const { actions, onSearch } = view;
  const now = useRef(view);
  now.current = view;
  const told = useRef(false);

  const tell = useCallback((dropped: number) => dropped > 0 && toast.note(t("saved.dropped", { count: dropped })), [t]);
  useEffect(() => {
    if (told.current) return;
    told.current = true;
    if (first) tell(first.dropped);
    else if (asked) {
      putAddress(null);
      toast.problem(t("saved.missing"));
    }
  }, [first, asked, tell, t]);

  const open = useCallback(
    async (id: string) => {
      const answer = signalAnswer(await callDoor<SavedView>(`savedView/find/${id}`, {}, { reading: true }));
      if (!answer.data) return void toast.problem(answer.code === "NOT_FOUND" ? t("saved.missing") : (answer.msg ?? t("save.failed")));
      const { state, dropped, ...head } = answer.data;
      actions.open(state, true);
      onSearch(readKeptSearch(state));
      setOpened(head);
      putAddress(id);
      tell(dropped);
    },
    [actions, onSearch, tell, t],
  );
  const leave = useCallback(async () => {
    const answer = signalAnswer(await callDoor("wbs/findHomePage", {}, { reading: true }));
    if (!answer.data) return void toast.problem(answer.msg ?? t("save.failed"));
    actions.open(answer.data, false);
    onSearch(null);
    setOpened(null);
    putAddress(null);
  }, [actions, onSearch, t]);
  const adopt = useCallback(() => {
    actions.change({ view: now.current.view });
    actions.adopt();
    setOpened(null);
    putAddress(null);
    toast.done(t("saved.adopted"));
  }, [actions, t]);
  const saved = useCallback(
    (head: ViewHead) => {
      actions.open({ ...now.current.state, view: now.current.view }, true);
      setOpened(head);
      putAddress(head.id);
      toast.done(t("saved.done", { name: head.name }));
    },
    [actions, t],
  );
  const shown = useCallback(() => {
    const { state, view: key, search } = now.current;
    return { ...state, view: key, ...(search ? { search } : {}) };
  }, []);
  return { opened, shown, open, leave, adopt, saved };
}
