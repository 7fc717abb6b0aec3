import type { Pool } from "#db/client.ts";
import { runDaily } from "#lib/activity-flows/rule-runs/commands.ts";
import type { Schedule } from "#lib/core/schedule.ts";
import { takeEvents } from "#lib/plan-rules/events/commands.ts";
import { endLost, runAutomatic, tidyRules } from "#lib/plan-rules/execution/commands.ts";
import { clearMails } from "#lib/reminders/delivery/commands.ts";
import { runRetention } from "#lib/settings/closing/commands.ts";
import { expireFiles } from "#lib/tasks/commands.ts";
import { sendDigests } from "#lib/work-orders/digests/commands.ts";

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

/** The work of every minute besides the schedules: events that rules wait for, and runs whose worker is gone. */
export const minuteSteps: Record<string, (pool: Pool, now: Date) => Promise<unknown>> = {
  ruleEvents: (pool, now) => takeEvents(pool, now, planRules),
  lostRuns: endLost,
};

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
    run: ({ pool, projectId, now }) => clearMails(pool, projectId, now),
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
