"use client";

import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { onDemand } from "#components/ui/on-demand.tsx";
import { useSession } from "#components/ui/use-session.tsx";
import { batchFields, type OwnerKind, ownerKinds } from "#lib/rollout-plan/batches/limits.ts";
import type { BatchProps } from "./batch-frame.tsx";
import { activityOrder, type PlanHead } from "./plan-columns.ts";
import type { PlanDesk } from "./plan-desk.ts";
import { columnRef, isAttribute } from "./plan-keys.ts";

// Each is opened by a command: the first rows do not wait for its fields.
const BatchAttributeDialog = onDemand(() => import("./batch-attribute-dialog.tsx").then((module) => module.BatchAttributeDialog));
const BatchCloseDialog = onDemand(() => import("./batch-close-dialog.tsx").then((module) => module.BatchCloseDialog));
const BatchDateDialog = onDemand(() => import("./batch-date-dialog.tsx").then((module) => module.BatchDateDialog));
const BatchOwnerDialog = onDemand(() => import("./batch-owner-dialog.tsx").then((module) => module.BatchOwnerDialog));

/** Batches of the plan itself. */
export type BatchKind = "dates" | "owners" | "attribute" | "close" | "reopen";

/** Batches the person may run here, in the order of the menu. */
export function useBatchKinds(readOnly: boolean, head: PlanHead): readonly BatchKind[] {
  const { can } = useSession();
  const many = can("rollout.batchUpdate");
  const hasAttributes = head.attributes.some((attribute) => attribute.editable) && can("rollout.attributeEdit");
  const closes = can("rollout.edit");
  return useMemo(() => {
    if (readOnly) return [];
    return [
      ...(many ? (["dates", "owners"] as const) : []),
      ...(many && hasAttributes ? (["attribute"] as const) : []),
      ...(closes ? (["close", "reopen"] as const) : []),
    ];
  }, [readOnly, many, hasAttributes, closes]);
}

/** The batch that sets the values of a column, or null where there is none. */
export function batchOfColumn(columnKey: string): BatchKind | null {
  const { field, activityId } = columnRef(columnKey);
  if (isAttribute(field)) return "attribute";
  if (activityId === null) return null;
  if ((batchFields as readonly string[]).includes(field)) return "dates";
  return (Object.values(ownerKinds) as string[]).includes(field) ? "owners" : null;
}

/** Why an action cannot start with so many DUs, or nothing: each states its own number. */
export function useBatchHint(): (dus: number, max?: number) => string | undefined {
  const t = useTranslations("plan-grid");
  const errors = useTranslations("errors");
  return (dus, max) =>
    dus === 0 ? errors("NO_SELECTION", { object: "du" }) : max !== undefined && dus > max ? t("batch.tooMany", { max }) : undefined;
}

type Props = Pick<BatchProps, "onApplied" | "onClose" | "onSelect"> & {
  kind: BatchKind;
  duIds: readonly number[];
  /** Column the person was at: its activity and field are offered first. */
  columnKey: string | undefined;
  desk: PlanDesk;
  head: PlanHead;
};

/** The dialog of a batch, set up for where the person was. */
export function PlanBatchDialog({ kind, columnKey, desk, head, ...rest }: Props) {
  const { field, activityId } = columnRef(columnKey ?? "");
  const props: BatchProps = {
    ...rest,
    activities: activityOrder(head),
    preset: activityId === null ? [] : [activityId],
    duCode: (duId) => desk.duCode(String(duId)),
  };
  switch (kind) {
    case "dates":
      return <BatchDateDialog {...props} field={batchFields.find((given) => given === field)} />;
    case "owners": {
      const owner = (Object.entries(ownerKinds) as [OwnerKind, string][]).find(([, cell]) => cell === field)?.[0];
      return <BatchOwnerDialog {...props} people={desk.people} kind={owner} />;
    }
    case "attribute":
      return <BatchAttributeDialog {...props} attributes={head.attributes} attribute={isAttribute(field) ? field : undefined} />;
    default:
      return <BatchCloseDialog {...props} verb={kind} />;
  }
}
