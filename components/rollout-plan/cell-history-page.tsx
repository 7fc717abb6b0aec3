"use client";
import { useRouter } from "next/navigation";
import { PageBar } from "#components/ui/page-bar.tsx";
import { useHref } from "#components/ui/use-href.ts";
import { CellHistory } from "./cell-history.tsx";
import { columnKey } from "./plan-keys.ts";

type Props = { duId: number; activityId: number | null; field: string; place: string };

/** The history of one cell on a page of its own; closing it leads to the plan. */
export function CellHistoryPage({ duId, activityId, field, place }: Props) {
  const router = useRouter();
  const href = useHref();
  return (
    <>
      <PageBar />
      <CellHistory
        rowKey={String(duId)}
        columnKey={columnKey(field, activityId)}
        place={place}
        show={(value) => (value === null || value === undefined ? "" : Array.isArray(value) ? value.join(", ") : String(value))}
        onClose={() => router.push(href("rolloutPlan"))}
      />
    </>
  );
}
