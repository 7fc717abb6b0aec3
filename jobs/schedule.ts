import { runDaily } from "#lib/activity-flows/rule-runs/commands.ts";
import { clearDeleted } from "#lib/attributes/defaults/commands.ts";
import type { Schedule } from "#lib/core/schedule.ts";
import { recheckDependencies } from "#lib/dependency-rules/commands.ts";
import { runOwnersDaily } from "#lib/owners/owner-runs/commands.ts";
import { clearMails } from "#lib/reminders/delivery/commands.ts";
import { clearFires, fireReminders } from "#lib/reminders/firing/commands.ts";
import { clearNotices } from "#lib/reminders/notices/commands.ts";
import { tellExpiries } from "#lib/resources/expiries/commands.ts";
import { runPresence } from "#lib/resources/presence/commands.ts";
import { runRetention } from "#lib/settings/closing/commands.ts";
import { expireFiles } from "#lib/tasks/commands.ts";
import { sendDigests } from "#lib/work-orders/digests/commands.ts";
import type { Tick } from "./start-worker.ts";

/** Every scheduled run, by the wall clock of each project. */
export const schedules: readonly Schedule[] = [
  {
    name: "dependencyRules.expire",
    due: { daily: "00:05" },
    run: async ({ once, projectId, now }) => {
      await once((sql) => recheckDependencies({ sql, project: { id: projectId }, now }, `daily ${now.toISOString()}`));
    },
  },
  {
    name: "retention",
    due: { daily: "02:00" },
    onClosed: true,
    run: ({ pool, projectId, now }) => runRetention(pool, projectId, now),
  },
  {
    name: "attributes.clearDeleted",
    due: { daily: "02:20" },
    onClosed: true,
    run: async ({ once, projectId, now }) => {
      await once((sql) => clearDeleted(sql, projectId, now));
    },
  },
  {
    name: "resources.presence",
    due: { daily: "02:00" },
    run: async ({ once, projectId, now }) => {
      await once(async (sql) => {
        await runPresence(sql, projectId, now);
        await tellExpiries(sql, projectId, now);
      });
    },
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
    name: "reminders.clear",
    due: { daily: "02:50" },
    onClosed: true,
    run: ({ pool, projectId, now }) => clearFires(pool, projectId, now),
  },
  {
    name: "flowRules.run",
    due: { daily: "03:00" },
    // DUs that a rule has just bound get their owners in the same night, and the other ones whatever becomes of the binding.
    run: async (run) => {
      try {
        await runDaily(run.pool, run.projectId, run.now);
      } finally {
        await runOwnersDaily(run);
      }
    },
  },
  {
    name: "workOrders.digest",
    due: { daily: "08:00" },
    run: async ({ once, projectId, now }) => {
      await once((sql) => sendDigests(sql, projectId, now));
    },
  },
];

/** What every worker does each minute: reminders have times of their own, by the minute. */
export const ticks: Readonly<Record<string, Tick>> = { fireReminders };
