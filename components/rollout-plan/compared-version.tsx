"use client";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { useLayoutEffect } from "react";
import { FilterChip } from "#components/ui/filter-chip.tsx";
import { toast } from "#components/ui/toast.ts";
import type { Answer } from "#lib/core/error.ts";
import { PlanCompare } from "./plan-compare.ts";
import type { PlanSource } from "./plan-source.ts";

/** Puts the version of the address beside the plan, for as long as it is named there. */
export function useComparedVersion(source: PlanSource, versionId: number | null, slots: ReadonlyMap<number, number>): void {
  const t = useTranslations("plan-grid.compare");
  const common = useTranslations("common");
  const known = [...slots.values()].join();
  useLayoutEffect(() => {
    const wanted = known === "" ? [] : known.split(",").map(Number);
    const compare = () => {
      if (versionId === null) return source.setCompare(null);
      const onFailed = ({ msg }: Answer) =>
        toast.problem(msg ?? t("failed"), { id: "plan-compare", actions: [{ label: common("retry"), run: compare }] });
      source.setCompare(new PlanCompare(versionId, wanted, onFailed));
    };
    compare();
    // Its retry would bring this version back.
    return () => toast.hide("plan-compare");
  }, [source, versionId, known, t, common]);
}

/** Says which version the plan is compared with, and ends that. */
export function ComparedVersion({ title }: { title: string | null }) {
  const t = useTranslations("plan-grid.compare");
  const router = useRouter();
  const path = usePathname();
  const params = useSearchParams();
  const drop = () => {
    const rest = new URLSearchParams(params);
    rest.delete("compare");
    router.replace(rest.size > 0 ? `${path}?${rest}` : path);
  };
  return <FilterChip name={t("with")} value={title ?? "…"} onDrop={drop} />;
}
