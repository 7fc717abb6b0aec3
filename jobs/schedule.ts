import { runDaily } from "#lib/activity-flows/rule-runs/commands.ts";
import { clearDeleted } from "#lib/attributes/defaults/commands.ts";
import type { Schedule } from "#lib/core/schedule.ts";
import { recheckDependencies } from "#lib/dependency-rules/commands.ts";
import { runOwnersDaily } from "#lib/owners/owner-runs/commands.ts";
import { takeEvents } from "#lib/plan-rules/events/commands.ts";
import { endLost, runAutomatic, tidyRules } from "#lib/plan-rules/execution/commands.ts";
import { clearOutputs, endLostRuns } from "#lib/planning-engine/runs/commands.ts";
import { clearMails } from "#lib/reminders/delivery/commands.ts";
import { clearFires, fireReminders } from "#lib/reminders/firing/commands.ts";
import { clearNotices } from "#lib/reminders/notices/commands.ts";
import { tellExpiries } from "#lib/resources/expiries/commands.ts";
import { runPresence } from "#lib/resources/presence/commands.ts";
import { prepareTexts } from "#lib/rollout-plan/tile-rows/commands.ts";
import { runRetention } from "#lib/settings/closing/commands.ts";
import { expireFiles } from "#lib/tasks/commands.ts";
import { sendDigests } from "#lib/work-orders/digests/commands.ts";
import type { Tick } from "./start-worker.ts";

/** The runs of 03:00, one after the other; one that fails keeps none from running, and is told at the end, so that the slot is tried again. */
function inOrder(...runs: Schedule["run"][]): Schedule["run"] {
  return async (slot) => {
    const failed: unknown[] = [];
    for (const run of runs) await run(slot).catch((error) => failed.push(error));
    if (failed.length > 0) throw failed[0];
  };
}

const daily = "flowRules.run";
const planRules = "planRules.run";

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
    name: "plan.prepareTexts",
    due: { everyMinutes: 10 },
    run: async ({ pool, projectId }) => {
      await prepareTexts(pool, projectId);
    },
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
    name: "planningEngine.clear",
    due: { daily: "02:45" },
    onClosed: true,
    run: async ({ once, projectId }) => {
      await once((sql) => clearOutputs({ sql }, projectId));
    },
  },
  {
    name: "planRules.expire",
    due: { daily: "00:05" },
    run: ({ pool, projectId, now }) => tidyRules(pool, projectId, now),
  },
  {
    // Dates first, then the flow of each DU, then what is planned for it. Claims of the past are kept under this name.
    name: daily,
    due: { daily: "03:00" },
    run: inOrder(
      ({ pool, projectId, now }) => tidyRules(pool, projectId, now),
      ({ pool, projectId, now }) => runDaily(pool, projectId, now),
      runOwnersDaily,
      ({ pool, projectId, now }) => runAutomatic(pool, projectId, now),
    ),
  },
  {
    name: planRules,
    due: { everyMinutes: 30 },
    run: ({ pool, projectId, now }) => runAutomatic(pool, projectId, now, { after: daily }),
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
export const ticks: Readonly<Record<string, Tick>> = {
  fireReminders,
  ruleEvents: (pool, now) => takeEvents(pool, now, planRules),
  lostRuns: endLost,
  lostEngineRuns: endLostRuns,
};
