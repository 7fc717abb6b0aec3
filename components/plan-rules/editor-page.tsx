"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { type RuleType, ruleTypes } from "#lib/plan-rules/limits.ts";
import type { RuleDetail } from "#lib/plan-rules/rule-set/queries.ts";
import { RuleEditor } from "./rule-editor.tsx";

/** Adds or edits one rule. */
export function EditorPage({ id, type }: { id: number | null; type: string | null }) {
  const t = useTranslations("plan-rules");
  const project = useProjectNumber();
  const found = useQuery({
    queryKey: ["plan-rule", project, id],
    queryFn: async ({ signal }) => dataOf(await callDoor<RuleDetail>("planAutoRule/detail", { id }, { signal })),
    enabled: id !== null,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  if (id !== null && !found.data) {
    return (
      <>
        <PageBar />
        {found.isError ? (
          <ErrorPanel title={t("form.notLoaded")} failed={found.error} onRetry={() => found.refetch()} />
        ) : (
          <div aria-busy="true" />
        )}
      </>
    );
  }
  const begin = ruleTypes.find((known) => known === type) ?? "ACT_TO_ACT";
  return <RuleEditor key={id ?? "new"} rule={found.data ?? null} begin={begin as RuleType} />;
}
