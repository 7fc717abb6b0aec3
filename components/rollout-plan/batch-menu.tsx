"use client";

import { Button } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { type DropEntry, DropMenu } from "#components/ui/drop-menu.tsx";
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
  const item = (kind: BatchKind): DropEntry => ({
    key: kind,
    text: t(`batch.items.${kind}`),
    disabled: hint !== undefined,
    hint,
    onClick: () => onBatch(kind),
  });
  const values = kinds.filter((kind) => kind !== "close" && kind !== "reopen");
  const closing = kinds.filter((kind) => kind === "close" || kind === "reopen");
  const others = entries.map((entry): DropEntry => {
    const missing = entry.rows ? hintOf(chosen, entry.rowsMax) : undefined;
    return {
      key: entry.key,
      text: entry.label,
      icon: entry.icon,
      disabled: missing !== undefined,
      hint: missing,
      onClick: () => onEntry(entry),
    };
  });
  const groups = [values.map(item), closing.map(item), others].filter((group) => group.length > 0);
  return (
    <DropMenu
      position="bottom-end"
      trigger={<Button rightSection={<IconChevronDown size={12} stroke={2.2} />}>{t("batch.menu")}</Button>}
      entries={groups.flatMap((group, at): DropEntry[] => (at === 0 ? group : ["divider", ...group]))}
    />
  );
}
