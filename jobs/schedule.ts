import { runDaily } from "#lib/activity-flows/rule-runs/commands.ts";
import type { Schedule } from "#lib/core/schedule.ts";
import { clearMails } from "#lib/reminders/delivery/commands.ts";
import { clearNotices } from "#lib/reminders/notices/commands.ts";
import { runRetention } from "#lib/settings/closing/commands.ts";
import { expireFiles } from "#lib/tasks/commands.ts";
import { sendDigests } from "#lib/work-orders/digests/commands.ts";

/** Every scheduled run, by the wall clock of each project. */
export const schedules: readonly Schedule[] = [
  {
    name: "retention",
    due: { daily: "02:00" },
    onClosed: true,
    run: ({ pool, projectId, now }) => runRetention(pool, projectId, now),
  },
  {
    name: "tasks.expireFiles",
    due: { daily: "02:30" },
    onClosed: true,
    run: ({ pool, projectId, now }) => expireFiles(pool, projectId, now),
  },
  {
    name: "mail.clear",
    due: { daily: "02:40" },
    onClosed: true,
    run: async ({ pool, projectId, now }) => {
      await clearMails(pool, projectId, now);
      await clearNotices(pool, projectId, now);
    },
  },
  {
    name: "flowRules.run",
    due: { daily: "03:00" },
    run: ({ pool, projectId, now }) => runDaily(pool, projectId, now),
  },
  {
    name: "workOrders.digest",
    due: { daily: "08:00" },
    run: async ({ once, projectId, now }) => {
      await once((sql) => sendDigests(sql, projectId, now));
    },
  },
];
