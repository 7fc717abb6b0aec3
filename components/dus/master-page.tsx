"use client";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { PageBar } from "#components/ui/page-bar.tsx";
import { lookup } from "#components/ui/query-client.ts";
import { askToLeave } from "#components/ui/unsaved.ts";
import { useHref, useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import type { DuChoices } from "./master-columns.ts";
import { MasterTable } from "./master-table.tsx";

const none: DuChoices = { regions: [], subcontractors: [] };

/** DUs and sites of the project, edited in place. */
export function MasterPage({ tab }: { tab: "dus" | "sites" }) {
  const t = useTranslations("dus");
  const project = useProjectNumber();
  const href = useHref();
  const { can } = useSession();
  const router = useRouter();
  const options = useQuery({
    queryKey: ["du/options", project],
    queryFn: async ({ signal }) => dataOf(await callDoor<DuChoices>("du/options", {}, { signal })),
    meta: lookup,
  });
  const tabs = [
    { key: "dus", label: t("tabs.dus"), href: href("sites") },
    { key: "sites", label: t("tabs.sites"), href: href("sites", { query: { tab: "sites" } }) },
    ...(can("resource.view") ? [{ key: "types", label: t("tabs.types"), href: href("sites", { query: { tab: "types" } }) }] : []),
  ];
  return (
    <>
      <PageBar tabs={tabs} tab={tab} />
      <MasterTable
        key={tab}
        what={tab}
        choices={options.data ?? none}
        onImport={() => askToLeave(() => router.push(href("sites", { query: { tab, import: tab } })))}
      />
    </>
  );
}
