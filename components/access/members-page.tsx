"use client";
import { Button } from "@mantine/core";
import { IconUpload } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { LinkButton } from "#components/ui/link-button.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { useHref } from "#components/ui/use-href.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { DelegationsTab } from "./delegations-tab.tsx";
import { MatrixTab } from "./matrix-tab.tsx";
import { MembersTab } from "./members-tab.tsx";

export const memberTabs = ["members", "delegations", "matrix"] as const;
export type MemberTab = (typeof memberTabs)[number];

/** Who holds which role until when, who stands in for whom, and what a role may do. */
export function MembersPage({ tab: first }: { tab: MemberTab }) {
  const t = useTranslations("access");
  const common = useTranslations("common");
  const { can } = useSession();
  const href = useHref();
  const [tab, setTab] = useState<MemberTab>(first);
  const [granting, setGranting] = useState(false);
  const [delegating, setDelegating] = useState(false);
  const mayDelegate = can("delegation.edit");
  const open = tab === "delegations" && !mayDelegate ? "members" : tab;
  const tabs = memberTabs.filter((key) => key !== "delegations" || mayDelegate).map((key) => ({ key, label: t(`tabs.${key}`) }));
  const choose = (key: string) => {
    setTab(key as MemberTab);
    // The address names the tab, so that a link to it can be sent.
    const url = new URL(window.location.href);
    if (key === "members") url.searchParams.delete("tab");
    else url.searchParams.set("tab", key);
    window.history.replaceState(null, "", url);
  };
  return (
    <>
      <PageBar tabs={tabs} tab={open} onTab={choose}>
        {open === "members" && can("role.assign") ? (
          <>
            <LinkButton
              href={href("members", { query: { import: "members" } })}
              icon={<IconUpload size={16} stroke={1.4} aria-hidden="true" />}
            >
              {common("import")}
            </LinkButton>
            <Button variant="filled" onClick={() => setGranting(true)}>
              {t("members.grant")}
            </Button>
          </>
        ) : null}
        {open === "delegations" ? (
          <Button variant="filled" onClick={() => setDelegating(true)}>
            {t("delegations.new")}
          </Button>
        ) : null}
      </PageBar>
      {open === "members" ? <MembersTab granting={granting} onGranted={() => setGranting(false)} /> : null}
      {open === "delegations" ? <DelegationsTab adding={delegating} onAdded={() => setDelegating(false)} /> : null}
      {open === "matrix" ? <MatrixTab /> : null}
    </>
  );
}
