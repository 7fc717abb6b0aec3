"use client";
import { Modal } from "@mantine/core";
import { useTranslations } from "next-intl";
import type { Tab } from "#lib/dimension-views/queries.ts";
import { TabList } from "./tab-list.tsx";

type Props = { tabs: readonly Tab[]; onEdit: (tab: Tab) => void; onChanged: () => Promise<unknown>; onClose: () => void };

/** One's own tabs: shown, hidden, put in order, deleted. */
export function OwnTabsDialog({ tabs, onEdit, onChanged, onClose }: Props) {
  const t = useTranslations("dimension-views");
  const common = useTranslations("common");
  return (
    <Modal opened onClose={onClose} title={t("ownTabs")} size={720} closeButtonProps={{ "aria-label": common("close") }}>
      <TabList tabs={tabs.filter(({ global }) => !global)} onEdit={onEdit} onChanged={onChanged} />
    </Modal>
  );
}
