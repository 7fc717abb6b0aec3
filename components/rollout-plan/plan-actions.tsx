"use client";

import { ActionIcon, Button } from "@mantine/core";
import { IconArrowBackUp, IconChevronDown, IconUpload } from "@tabler/icons-react";
import Link from "next/link";
import { useFormatter, useTranslations } from "next-intl";
import { DropMenu } from "#components/ui/drop-menu.tsx";
import { Hint } from "#components/ui/hint.tsx";
import { formatSpan } from "#lib/core/format.ts";
import { undoMinutes } from "#lib/rollout-plan/undos/limits.ts";
import { BatchMenu } from "./batch-menu.tsx";
import type { BatchKind } from "./plan-batches.tsx";
import type { PlanEntry } from "./plan-entries.ts";
import styles from "./plan-page.module.css";
import { type UndoOffer, useTimeLeft } from "./undo-offer.tsx";

type Props = {
  entries: readonly PlanEntry[];
  chosen: number;
  dirty: number;
  saving: boolean;
  readOnly: boolean;
  mayExport: boolean;
  kinds: readonly BatchKind[];
  /** The rows to export are known. */
  ready: boolean;
  offer: UndoOffer | null;
  onEntry: (entry: PlanEntry) => void;
  onExport: () => void;
  onBatch: (kind: BatchKind) => void;
  onUndo: (offer: UndoOffer) => void;
  onSave: () => void;
};

/** Actions at the right of the page bar: quiet ones first, Save last. */
export function PlanActions(props: Props) {
  const t = useTranslations("plan-grid");
  const format = useFormatter();
  const { entries, offer, dirty } = props;
  const left = useTimeLeft(offer);
  const quiet = entries.filter((entry) => entry.place === "quiet");
  const bar = entries.filter((entry) => entry.place === "bar");
  const grouped = Map.groupBy(
    quiet.filter((entry) => entry.menu !== undefined),
    (entry) => entry.menu as string,
  );
  // A menu of one is that one.
  const alone = (entry: PlanEntry) => grouped.get(entry.menu ?? "")?.length === 1;
  const menus = [...grouped].filter(([, items]) => items.length > 1);
  const undoText =
    offer && left > 0 ? t("undo.tip", { count: offer.cells, time: formatSpan(left) }) : t("undo.none", { minutes: undoMinutes });
  const button = (entry: PlanEntry, subtle: boolean) => {
    const look = { leftSection: entry.icon, ...(subtle ? { variant: "subtle", color: "gray" } : {}) };
    if ("href" in entry)
      return (
        <Button key={entry.key} component={Link} href={entry.href} prefetch={false} {...look}>
          {entry.label}
        </Button>
      );
    return (
      <Button key={entry.key} {...look} onClick={() => props.onEntry(entry)}>
        {entry.label}
      </Button>
    );
  };
  return (
    <>
      {quiet.filter((entry) => entry.menu === undefined || alone(entry)).map((entry) => button(entry, true))}
      {menus.map(([title, items]) => (
        <DropMenu
          key={title}
          position="bottom-end"
          trigger={
            <Button
              variant="subtle"
              color="gray"
              leftSection={items[0]?.icon}
              rightSection={<IconChevronDown size={12} stroke={2.2} aria-hidden />}
            >
              {title}
            </Button>
          }
          entries={items.map((entry) => ({
            key: entry.key,
            text: entry.label,
            ...("href" in entry ? { href: entry.href } : { onClick: () => props.onEntry(entry) }),
          }))}
        />
      ))}
      {props.mayExport && (
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconUpload size={16} stroke={1.4} />}
          disabled={!props.ready}
          onClick={props.onExport}
        >
          {t("export.button")}
        </Button>
      )}
      {(quiet.length > 0 || props.mayExport) && (bar.length > 0 || !props.readOnly) && <span className={styles.divider} />}
      <BatchMenu
        entries={entries.filter((entry) => entry.place === "batch")}
        chosen={props.chosen}
        kinds={props.kinds}
        onBatch={props.onBatch}
        onEntry={props.onEntry}
      />
      {bar.map((entry) => button(entry, false))}
      {!props.readOnly && (
        <>
          <Hint label={undoText}>
            <ActionIcon
              variant="default"
              aria-label={undoText}
              data-disabled={!offer || left === 0 || undefined}
              aria-disabled={!offer || left === 0}
              onClick={() => offer && left > 0 && props.onUndo(offer)}
            >
              <IconArrowBackUp size={16} stroke={1.4} />
            </ActionIcon>
          </Hint>
          <Hint label="Ctrl S">
            <Button variant="filled" loading={props.saving} onClick={props.onSave}>
              {t("save.button")}
              {dirty > 0 && <span className={styles.badge}>{format.number(dirty)}</span>}
            </Button>
          </Hint>
        </>
      )}
    </>
  );
}
