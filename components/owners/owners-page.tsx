"use client";
import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { useCommands } from "#components/ui/commands.ts";
import { PageBar } from "#components/ui/page-bar.tsx";
import { useSession } from "#components/ui/use-session.tsx";
import type { OwnerRuleRow } from "#lib/owners/owner-rules/queries.ts";
import { HistoryTab } from "./history-tab.tsx";
import { ReplaceTab } from "./replace-tab.tsx";
import { RuleDialog } from "./rule-dialog.tsx";
import { RulesTab } from "./rules-tab.tsx";

/** Rules that fill owners, the replacement of an owner, and what rules did. [OWN-01] */
export function OwnersPage() {
  const t = useTranslations("owners");
  const { can } = useSession();
  const [tab, setTab] = useState("rules");
  const [open, setOpen] = useState<OwnerRuleRow | "new" | null>(null);
  const mayEdit = can("owner.ruleEdit");
  const commands = useMemo(
    () => (mayEdit ? [{ key: "newOwnerRule", label: t("rules.new"), run: () => setOpen("new") }] : []),
    [mayEdit, t],
  );
  useCommands(commands);
  const tabs = ["rules", ...(mayEdit ? ["replace"] : []), "history"] as const;
  return (
    <>
      <PageBar tabs={tabs.map((key) => ({ key, label: t(`tab.${key as "rules"}`) }))} tab={tab} onTab={setTab}>
        {mayEdit && tab === "rules" ? (
          <Button variant="filled" leftSection={<IconPlus size={16} stroke={1.4} />} onClick={() => setOpen("new")}>
            {t("rules.new")}
          </Button>
        ) : null}
      </PageBar>
      {tab === "rules" ? <RulesTab mayEdit={mayEdit} onOpen={setOpen} /> : null}
      {tab === "replace" ? <ReplaceTab /> : null}
      {tab === "history" ? <HistoryTab /> : null}
      <RuleDialog row={open} onClose={() => setOpen(null)} />
    </>
  );
}
