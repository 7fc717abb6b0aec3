import { afterEach, expect, test } from "vitest";
import { beijing, everyMorning, reminderCalls, useReminderProject } from "../lib/reminders/make-reminders.ts";
import { useDatabase } from "../support/database.ts";
import { makeDus } from "../support/plan-factories.ts";
import { end, type Process, startProcess, until } from "./support/processes.ts";

const db = useDatabase();
const project = useReminderProject(db);
const { data, activity, mails, fires } = reminderCalls(db, project);
const processes: Process[] = [];

afterEach(async () => {
  for (const child of processes.splice(0)) await end(child, "SIGKILL");
});

const morning = beijing("2026-10-15 08:00");

async function worker(): Promise<Process> {
  const started = await startProcess("tests/jobs/support/reminder-process.ts", db.url, [morning.toISOString()]);
  processes.push(started);
  return started;
}

test("a worker killed after it has queued the mails of a morning: none is lost and none is made twice", { timeout: 60_000 }, async () => {
  await makeDus(db.owner, project.id, [{ regionId: project.north, plan: { 4: { state: 1, plan_end: "2026-10-01" } } }], project.flow);
  await data(project.pm, "emailRemind/save", {
    regionId: project.north,
    activityId: activity(3),
    deviationDays: 3,
    roles: ["TL"],
    userIds: [project.pm.id],
    ...everyMorning,
  });
  // Its last writes wait: the mails are there, but not committed.
  const holder = await db.owner.reserve();
  await holder`begin`;
  await holder`lock table rem_fire in exclusive mode`;
  const first = await worker();
  await until(
    () =>
      db.owner`select 1 from pg_stat_activity where datname = ${db.name} and wait_event_type = 'Lock' and query like '%insert into rem_fire%'`,
    (rows) => rows.length > 0,
  );
  // A second one meanwhile finds the project taken, and does nothing.
  const second = await worker();
  await until(
    async () => second.said(),
    (said) => said.includes("made"),
  );
  expect(second.said()).toContain("made 0");
  await end(first, "SIGKILL");
  await holder`rollback`;
  holder.release();
  expect(await mails()).toEqual([]);
  const third = await worker();
  await until(
    async () => third.said(),
    (said) => said.includes("made"),
  );
  expect(third.said()).toContain("made 2");
  expect(await mails()).toHaveLength(2);
  expect(await fires()).toMatchObject([{ result: "SENT", mails: 2 }]);
});
