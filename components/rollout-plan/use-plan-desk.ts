"use client";

import { useMediaQuery } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useEffect, useLayoutEffect, useState } from "react";
import { keepEdits } from "#components/grid/edit-keeper.ts";
import type { GridHead } from "#components/grid/grid-model.ts";
import { lookup } from "#components/ui/query-client.ts";
import { toast } from "#components/ui/toast.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { readHistory } from "./cell-changes.ts";
import type { FirstRows } from "./first-rows.ts";
import { type OthersChange, PlanDesk } from "./plan-desk.ts";
import type { SourceHead } from "./plan-source.ts";
import { useDeskTexts } from "./use-desk-texts.ts";

/** Below this width the grid is for reading only. */
const readOnlyBelow = "(max-width: 900px)";
/** Conflicts whose authors are looked up. */
const authorsMax = 20;

/** Makes the desk of the page and keeps it in step with the head, the person's rights and what was left unsaved in this browser. */
export function usePlanDesk(
  head: GridHead,
  sourceHead: SourceHead,
  first: FirstRows | null,
  onForeign: () => void,
  showColumn: (key: string) => void,
): PlanDesk {
  const t = useTranslations("plan-grid");
  const grid = useTranslations("grid");
  const texts = useDeskTexts();
  const { can, project, user } = useSession();
  const narrow = useMediaQuery(readOnlyBelow, false) ?? false;
  const [desk] = useState(() => new PlanDesk(sourceHead, head, texts, first));

  useLayoutEffect(() => desk.setHead(sourceHead, head, texts), [desk, sourceHead, head, texts]);

  const mayEdit =
    project.status === "active" &&
    (["rollout.edit", "rollout.actualEdit", "rollout.attributeEdit", "du.edit"] as const).some((code) => can(code));
  const mayList = can("role.view");
  useLayoutEffect(() => {
    desk.people.mayList = mayList;
  }, [desk, mayList]);
  useLayoutEffect(() => {
    desk.grid.readOnly = !mayEdit || narrow;
    desk.grid.changed();
  }, [desk, mayEdit, narrow]);

  useLayoutEffect(() => {
    desk.grid.notify = (notice) => toast.note(grid(`notice.${notice.kind}`, { count: 0, max: 0, ...notice }));
    desk.grid.showColumn = showColumn;
    desk.source.onForeign = onForeign;
    desk.onOthers = (cells) => void nameAuthors(desk, cells);
  }, [desk, grid, showColumn, onForeign]);

  useEffect(() => {
    const keeping = keepEdits(desk.edits, `${user.id} ${project.number} rollout-plan`);
    void keeping.restored.then((count) => {
      if (count === 0) return;
      toast.note(t("restored", { count }));
      desk.compareLoaded();
    });
    return keeping.stop;
  }, [desk, user.id, project.number, t]);
  // Names that are typed or pasted are found among the members.
  useQuery({
    queryKey: ["plan members", project.number],
    queryFn: () => desk.people.load().then(() => true),
    enabled: mayEdit && mayList,
    // They are kept by the desk, which goes with the page.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    meta: lookup,
  });

  return desk;
}

/** Adds to conflicts who made the other change and when. */
async function nameAuthors(desk: PlanDesk, cells: readonly OthersChange[]): Promise<void> {
  for (const { rowKey, columnKey } of cells.slice(0, authorsMax)) {
    const [change] = await readHistory(rowKey, columnKey).catch(() => []);
    const conflict = desk.edits.get(rowKey, columnKey)?.conflict;
    if (change && conflict) desk.edits.theirs([{ rowKey, columnKey, theirs: conflict.theirs, by: change.actor ?? "", at: change.at }]);
  }
}
