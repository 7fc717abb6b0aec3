"use client";
import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { PageBar } from "#components/ui/page-bar.tsx";
import { refreshList } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { currentSide } from "#lib/plan-versions/comparison/limits.ts";
import type { PlanHead, VersionRow } from "#lib/plan-versions/queries.ts";
import { BaselineDialog } from "./baseline-dialog.tsx";
import type { CompareChoices } from "./compare-filters.tsx";
import { CompareView, type Sides } from "./compare-view.tsx";
import { DeleteDialog } from "./delete-dialog.tsx";
import { PlanLine } from "./plan-line.tsx";
import { ProgressView } from "./progress-view.tsx";
import { RenameDialog } from "./rename-dialog.tsx";
import { RestoreDialog } from "./restore-dialog.tsx";
import { VersionList, type VersionVerb, versionsAddress } from "./version-list.tsx";

const tabs = ["list", "compare", "progress"] as const;
type Tab = (typeof tabs)[number];
type Open = { dialog: "baseline" } | { dialog: Exclude<VersionVerb, "compare">; rows: VersionRow[]; clear: () => void };

/** Versions of the plan: their list, any two of them compared, and planned progress over versions. [VER-01] */
export function VersionsPage({ plan, choices }: { plan: PlanHead; choices: CompareChoices }) {
  const t = useTranslations("plan-versions");
  const { can } = useSession();
  const client = useQueryClient();
  const [tab, setTab] = useState<Tab>("list");
  const [sides, setSides] = useState<Sides>({ left: null, right: currentSide });
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const refresh = () => refreshList(client, versionsAddress);
  const run = (verb: VersionVerb, rows: VersionRow[], clear: () => void) => {
    if (verb !== "compare") return setOpen({ dialog: verb, rows, clear });
    // The older one is what the newer is compared with.
    const [left, right] = [...rows].sort((a, b) => a.id - b.id);
    setSides({ left: left?.id ?? null, right: right?.id ?? currentSide });
    setTab("compare");
  };
  const done = async () => {
    if (open && "clear" in open) open.clear();
    await refresh();
  };
  const first = open && "rows" in open ? open.rows[0] : undefined;
  return (
    <>
      <PageBar tabs={tabs.map((key) => ({ key, label: t(`tab.${key}`) }))} tab={tab} onTab={(key) => setTab(key as Tab)}>
        {can("version.edit") && can("plan.baseline") ? (
          <Button variant="filled" leftSection={<IconPlus size={16} stroke={1.4} />} onClick={() => setOpen({ dialog: "baseline" })}>
            {t("baseline.button")}
          </Button>
        ) : null}
      </PageBar>
      {tab === "list" ? (
        <>
          <PlanLine first={plan} />
          <VersionList onRun={run} />
        </>
      ) : null}
      {tab === "compare" ? <CompareView sides={sides} onSides={setSides} choices={choices} /> : null}
      {tab === "progress" ? <ProgressView activities={choices.activities} /> : null}
      {open?.dialog === "baseline" ? <BaselineDialog onClose={close} onSaved={refresh} /> : null}
      {open?.dialog === "rename" && first ? <RenameDialog version={first} onClose={close} onSaved={done} /> : null}
      {open?.dialog === "delete" && "rows" in open ? <DeleteDialog versions={open.rows} onClose={close} onDeleted={done} /> : null}
      {open?.dialog === "restore" && first ? <RestoreDialog version={first} onClose={close} onRestored={done} /> : null}
    </>
  );
}
