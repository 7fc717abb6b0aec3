import { afterEach, describe, expect, test } from "vitest";
import { useDatabase } from "../support/database.ts";
import { makeProject, makeUser } from "../support/factories.ts";
import { openLine } from "./support/line.ts";
import { end, type Process, startProcess, until } from "./support/processes.ts";

const database = useDatabase();
const processes: Process[] = [];

afterEach(async () => {
  for (const child of processes.splice(0)) await end(child, "SIGKILL");
});

async function worker(url = database.url): Promise<Process> {
  const started = await startProcess("tests/jobs/support/worker-process.ts", url, ["--many"]);
  processes.push(started);
  return started;
}

describe("a thousand slots", () => {
  test("two workers, one killed and one cut off from the database in between: a thousand runs, each once", {
    timeout: 120_000,
  }, async () => {
    await makeUser(database.owner);
    for (let at = 0; at < 40; at++) await makeProject(database.owner);
    // A run that was killed is tried again at once, so that the test need not wait for it.
    await database.owner`update pgboss.queue set retry_delay = 0 where name = 'schedules'`;
    const runs = async () => (await database.owner`select 1 from error_report where request_id = 'many'`).length;
    const line = await openLine(database.url);
    const [first] = await Promise.all([worker(), worker(line.url)]);
    await until(runs, (count) => count > 200);
    await end(first as Process, "SIGKILL");
    await until(runs, (count) => count > 400);
    line.cut();
    expect(await runs()).toBeLessThan(900);
    await worker();
    const open = async () => (await database.owner`select 1 from pgboss.job where name = 'schedules' and state < 'completed'`).length;
    await until(open, (count) => count === 0, 90_000);
    const [found] = await database.owner<{ slots: number; ran: number; runs: number; distinct: number }[]>`
      select (select count(*)::int from schedule_slot) as slots, (select count(*)::int from schedule_slot where ran_at is not null) as ran,
        count(*)::int as runs, count(distinct (code, project_id))::int as distinct
      from error_report where request_id = 'many'`;
    expect(found).toEqual({ slots: 1000, ran: 1000, runs: 1000, distinct: 1000 });
    line.close();
  });
});
