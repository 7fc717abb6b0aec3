"use client";

import { Button, Menu } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { batchDusMax } from "#lib/rollout-plan/batches/limits.ts";
import { type BatchKind, useBatchHint } from "./plan-batches.tsx";
import type { PlanEntry } from "./plan-entries.ts";

type Props = {
  entries: readonly PlanEntry[];
  /** Chosen rows. */
  chosen: number;
  /** The plan's own batches the person may run. */
  kinds: readonly BatchKind[];
  onBatch: (kind: BatchKind) => void;
  onEntry: (entry: PlanEntry) => void;
};

/** What can be done to many DUs at once: the plan's own batch and those of other areas. */
export function BatchMenu({ entries, chosen, kinds, onBatch, onEntry }: Props) {
  const t = useTranslations("plan-grid");
  const hintOf = useBatchHint();
  const hint = hintOf(chosen, batchDusMax);
  if (kinds.length === 0 && entries.length === 0) return null;
  const item = (kind: BatchKind) => (
    <Menu.Item key={kind} disabled={hint !== undefined} title={hint} onClick={() => onBatch(kind)}>
      {t(`batch.items.${kind}`)}
    </Menu.Item>
  );
  const values = kinds.filter((kind) => kind !== "close" && kind !== "reopen");
  const closing = kinds.filter((kind) => kind === "close" || kind === "reopen");
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button rightSection={<IconChevronDown size={12} stroke={2.2} />}>{t("batch.menu")}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {values.map(item)}
        {values.length > 0 && closing.length > 0 && <Menu.Divider />}
        {closing.map(item)}
        {kinds.length > 0 && entries.length > 0 && <Menu.Divider />}
        {entries.map((entry) => {
          const missing = entry.rows ? hintOf(chosen, entry.rowsMax) : undefined;
          return (
            <Menu.Item
              key={entry.key}
              leftSection={entry.icon}
              disabled={missing !== undefined}
              title={missing}
              onClick={() => onEntry(entry)}
            >
              {entry.label}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
