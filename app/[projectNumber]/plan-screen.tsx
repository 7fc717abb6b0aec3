"use client";

import { Button } from "@mantine/core";
import {
  IconCalendarCog,
  IconClipboardList,
  IconDownload,
  IconLicense,
  IconListCheck,
  IconRosetteDiscountCheck,
} from "@tabler/icons-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useMemo } from "react";
import type { FirstRows } from "#components/rollout-plan/first-rows.ts";
import type { LockedDatesEntry, LockedDatesProps } from "#components/rollout-plan/locked-dates.ts";
import type { EntryDialogProps, PlanEntry } from "#components/rollout-plan/plan-entries.ts";
import { PlanPage } from "#components/rollout-plan/plan-page.tsx";
import type { PlanFrame } from "#components/rollout-plan/use-plan-head.ts";
import type { OpenedView } from "#components/rollout-plan/use-saved-view.ts";
import { onDemand } from "#components/ui/on-demand.tsx";
import { useHref } from "#components/ui/use-href.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { notifiedDusMax } from "#lib/reminders/du-notifications/limits.ts";
import { permitDusMax } from "#lib/rollout-plan/permits/limits.ts";
import { lockDusMax } from "#lib/scheduling/locks/limits.ts";
import { planChangeDusMax } from "#lib/scheduling/plan-changes/limits.ts";
import { applyDusMax } from "#lib/templates/applications/limits.ts";
import { orderBatchMax } from "#lib/work-orders/orders/limits.ts";
import { lockEntries } from "./lock-entries.tsx";
import { NotificationEntry } from "./mail-entries.tsx";
import { OrdersEntry, orderEntries } from "./order-entries.tsx";
import { ApplyPlanEntry, PermitEntry, PermitsEntry } from "./permit-entries.tsx";
import { useViewEntries } from "./view-entries.tsx";

const ScheduleDialog = onDemand(
  () => import("#components/scheduling/schedule-dialog.tsx").then((module) => module.ScheduleDialog),
  ["scheduling"],
);

const ReleaseDialog = onDemand(
  () => import("#components/scheduling/release-dialog.tsx").then((module) => module.ReleaseDialog),
  ["scheduling"],
);

const PlanChangeDialog = onDemand(
  () => import("#components/scheduling/plan-change-dialog.tsx").then((module) => module.PlanChangeDialog),
  ["scheduling"],
);

const StepsDialog = onDemand(
  () => import("#components/activity-flows/steps-dialog.tsx").then((module) => module.StepsDialog),
  ["sub-flows"],
);

/** The steps of the activity at whose cell it was opened. A step has its own reverse, so no undo is offered. */
function StepsEntry({ cell, onApplied, opened, onClose }: EntryDialogProps) {
  if (!cell) return null;
  return <StepsDialog place={cell} opened={opened} onClose={onClose} onApplied={(cells) => onApplied({ batchId: null, cells })} />;
}

const TemplateDialog = onDemand(
  () => import("#components/templates/template-dialog.tsx").then((module) => module.TemplateDialog),
  ["templates"],
);

const SiteDialog = onDemand(() => import("#components/dus/site-dialog.tsx").then((module) => module.SiteDialog), ["dus"]);

/** The import of DUs stands on their own screen. */
const importDus = { tab: "dus", import: "dus" };

/** What was released is not taken back by an undo: it ends with the next release. */
function ReleaseEntry({ onApplied, ...rest }: EntryDialogProps) {
  return <ReleaseDialog {...rest} onReleased={(released) => onApplied({ batchId: null, cells: released })} />;
}

function ScheduleEntry({ onApplied, onSelect: _onSelect, ...rest }: EntryDialogProps) {
  return <ScheduleDialog {...rest} onApplied={({ cells, batchId }) => onApplied({ batchId, cells })} />;
}

function PlanChange({ frozen, onApplied, ...rest }: LockedDatesProps) {
  // A frozen date is changed back as it was changed: by its lock, with a reason.
  return (
    <PlanChangeDialog
      {...rest}
      frozen={frozen}
      onApplied={({ applied, batchId }) => onApplied({ batchId: frozen ? null : batchId, cells: applied })}
    />
  );
}

type Props = { home: unknown; saved: OpenedView | null; first: FirstRows | null; frame: PlanFrame };

/** The roll-out plan with the commands of other areas that stand on its page. */
export function PlanScreen({ home, saved, first, frame }: Props) {
  const t = useTranslations("plan-grid");
  const lock = useTranslations("scheduling.lock.title");
  const orders = useTranslations("work-orders.entries");
  const href = useHref();
  const { can } = useSession();
  const views = useViewEntries();
  const entries = useMemo<PlanEntry[]>(
    () => [
      {
        key: "import",
        right: "du.edit",
        label: t("entries.importDus"),
        icon: <IconDownload size={16} stroke={1.4} />,
        place: "quiet",
        menu: t("entries.import"),
        href: href("sites", { query: importDus }),
      },
      {
        key: "importPlan",
        right: "rollout.import",
        label: t("entries.importPlan"),
        icon: <IconDownload size={16} stroke={1.4} />,
        place: "quiet",
        menu: t("entries.import"),
        href: href("rolloutPlan", { query: { import: "plan" } }),
      },
      {
        key: "schedule",
        right: "plan.schedule",
        label: t("entries.schedule"),
        icon: <IconCalendarCog size={16} stroke={1.4} />,
        place: "bar",
        dialog: ScheduleEntry,
      },
      {
        key: "release",
        right: "plan.release",
        label: t("entries.release"),
        icon: <IconRosetteDiscountCheck size={16} stroke={1.4} />,
        place: "bar",
        dialog: ReleaseEntry,
      },
      ...lockEntries.map(({ verb, right, dialog }) => ({
        key: verb,
        right,
        label: lock(verb),
        place: "batch" as const,
        rows: true,
        rowsMax: lockDusMax,
        dialog,
      })),
      ...(["quiet", "cell"] as const).map((place) => ({
        key: `orders-${place}`,
        right: "workOrder.view" as const,
        label: orders(place === "cell" ? "order" : "orders"),
        icon: <IconClipboardList size={16} stroke={1.4} />,
        place,
        dialog: OrdersEntry,
      })),
      {
        key: "steps",
        right: "rollout.view",
        label: t("entries.steps"),
        icon: <IconListCheck size={16} stroke={1.4} />,
        place: "cell",
        steps: true,
        dialog: StepsEntry,
      },
      ...orderEntries.map(({ verb, right, dialog }) => ({
        key: verb,
        right,
        label: orders(verb),
        place: "batch" as const,
        rows: true,
        rowsMax: orderBatchMax,
        dialog,
      })),
      {
        key: "permit",
        right: "rollout.permitSubmit",
        label: t("entries.permit"),
        place: "batch",
        rows: true,
        rowsMax: permitDusMax,
        dialog: PermitEntry,
      },
      {
        key: "permits",
        right: "rollout.view",
        label: t("entries.permits"),
        icon: <IconLicense size={16} stroke={1.4} />,
        place: "quiet",
        dialog: PermitsEntry,
      },
      {
        key: "notify",
        right: "notice.edit",
        label: t("entries.notify"),
        place: "batch",
        rows: true,
        rowsMax: notifiedDusMax,
        dialog: NotificationEntry,
      },
      {
        key: "applyPlan",
        right: "template.project",
        label: t("entries.applyPlan"),
        place: "batch",
        rows: true,
        rowsMax: applyDusMax,
        dialog: ApplyPlanEntry,
      },
    ],
    [t, lock, orders, href],
  );
  const lockedDates = useMemo<LockedDatesEntry>(
    () => ({
      mayPass: (lock) => can(lock === "FROZEN" ? "plan.frozenChange" : "rollout.edit"),
      dusMax: planChangeDusMax,
      dialog: PlanChange,
    }),
    [can],
  );
  const emptyActions = (
    <>
      {can("du.edit") && (
        <Button component={Link} href={href("sites", { query: importDus })} variant="filled">
          {t("empty.importDus")}
        </Button>
      )}
      {can("flow.view") && (
        <Button component={Link} href={href("bindDus")}>
          {t("empty.bindFlow")}
        </Button>
      )}
    </>
  );
  return (
    <PlanPage
      home={home}
      saved={saved}
      first={first}
      frame={frame}
      entries={entries}
      lockedDates={lockedDates}
      templates={TemplateDialog}
      views={views}
      siteDialog={SiteDialog}
      emptyActions={emptyActions}
    />
  );
}
