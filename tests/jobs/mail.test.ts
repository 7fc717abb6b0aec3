import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { queueMail } from "#lib/reminders/outbox/commands.ts";
import { useDatabase } from "../support/database.ts";
import { makeMember, makeProject } from "../support/factories.ts";
import { type MailServer, openMailServer } from "./support/mail-server.ts";
import { end, type Process, startProcess, until } from "./support/processes.ts";

const script = "tests/jobs/support/import-worker-process.ts";
const database = useDatabase();
const processes: Process[] = [];
let server: MailServer;
let project: { id: number; number: string };
let user: CtxUser;

beforeAll(async () => {
  project = await makeProject(database.owner);
  user = await makeMember(database.owner, project.id, "PM");
});
beforeEach(async () => {
  server = await openMailServer();
  process.env.SMTP_URL = server.url;
  process.env.MAIL_PER_MINUTE = "0";
});
afterEach(async () => {
  for (const child of processes.splice(0)) await end(child, "SIGKILL");
  await server.close();
});
afterAll(() => {
  delete process.env.SMTP_URL;
  delete process.env.MAIL_PER_MINUTE;
});

async function worker(): Promise<Process> {
  const started = await startProcess(script, database.url);
  processes.push(started);
  return started;
}

function queue(name: string): Promise<boolean> {
  return queueMail(
    { sql: database.app, project, now: new Date() },
    {
      kind: "task.result",
      event: name,
      to: { userId: user.id, address: `${name}@example.com`, lang: "en" },
      subject: "Import finished",
      html: "<p>Done</p>",
      text: "Done",
    },
  );
}

const states = async (prefix: string): Promise<Record<string, number>> =>
  Object.fromEntries(
    (
      await database.owner<{ status: string; count: number }[]>`
        select status, count(*)::int as count from mail_outbox where to_address like ${`${prefix}%`} group by 1`
    ).map(({ status, count }) => [status, count]),
  );
const timesReceived = () => {
  const times = new Map<string, number>();
  for (const { to } of server.received) times.set(to, (times.get(to) ?? 0) + 1);
  return times;
};
/** The dead are known by their missing sign of life; the test does not wait half a minute for it. */
const forgetDead = (pid: number | undefined) =>
  database.owner`update process_heartbeat set beat_at = now() - interval '1 minute' where pid = ${pid ?? 0}`;

test("a running worker sends a mail a moment after its transaction commits", { timeout: 60_000 }, async () => {
  await worker();
  const before = Date.now();
  await queue("wake");
  await until(
    () => states("wake"),
    ({ SENT }) => SENT === 1,
  );
  expect(Date.now() - before).toBeLessThan(3_000);
});

test("killed between the end of the data and the answer: the mail is uncertain, nobody sends it again, all others go out once", {
  timeout: 120_000,
}, async () => {
  const [first, second] = [await worker(), await worker()];
  for (let i = 0; i < 3; i++) await queue(`hold.kill${i}`);
  await until(
    async () => server.held.length,
    (held) => held === 3,
  );
  await end(first, "SIGKILL");
  await end(second, "SIGKILL");
  await forgetDead(first.child.pid);
  await forgetDead(second.child.pid);
  await worker();
  for (let i = 0; i < 40; i++) await queue(`plain.kill${i}`);
  await until(
    () => states("plain.kill"),
    ({ SENT }) => SENT === 40,
  );
  expect(await states("hold.kill")).toEqual({ UNCERTAIN: 3 });
  const times = timesReceived();
  expect(times.size).toBe(43);
  expect([...times.values()].filter((count) => count !== 1)).toEqual([]);
});

test("killed at any moment of a long run: nothing is sent twice, nothing is forgotten, at most a block is uncertain", {
  timeout: 120_000,
}, async () => {
  server.slow(15);
  const [first] = [await worker(), await worker()];
  for (let i = 0; i < 300; i++) await queue(`run.${i}`);
  await until(
    async () => server.received.length,
    (received) => received > 100,
  );
  await end(first as Process, "SIGKILL");
  await forgetDead(first?.child.pid);
  await until(
    async () => {
      // A new mail wakes the other worker once more: what the dead one held is found then.
      await database.owner`select pg_notify('mail_queued', '')`;
      return states("run.");
    },
    ({ SENT = 0, UNCERTAIN = 0 }) => SENT + UNCERTAIN === 300,
  );
  const { UNCERTAIN = 0 } = await states("run.");
  expect(UNCERTAIN).toBeLessThanOrEqual(10);
  const times = timesReceived();
  expect([...times.values()].filter((count) => count > 1)).toEqual([]);
  // Whatever is called sent has arrived; what has not is among those called uncertain, and each of these stands in the log of the project with a notice.
  const sent = await database.owner<
    { to: string }[]
  >`select to_address as "to" from mail_outbox where to_address like 'run.%' and status = 'SENT'`;
  expect(sent.filter(({ to }) => !times.has(to))).toEqual([]);
  if (UNCERTAIN > 0)
    expect(
      await database.owner`select distinct kind from notice where project_id = ${project.id} and user_id = ${user.id} and kind = 'mail.uncertain'`,
    ).toHaveLength(1);
});

test("asked to end while the server is slow: what is on the wire is finished, the rest waits for the next worker", {
  timeout: 60_000,
}, async () => {
  server.slow(300);
  const leaving = await worker();
  for (let i = 0; i < 30; i++) await queue(`leave.${i}`);
  await until(
    async () => server.received.length,
    (received) => received > 0,
  );
  await end(leaving, "SIGTERM");
  const after = await states("leave.");
  expect(after.UNCERTAIN ?? 0).toBe(0);
  expect(after.SENDING ?? 0).toBe(0);
  server.slow(0);
  await worker();
  await until(
    () => states("leave."),
    ({ SENT }) => SENT === 30,
  );
  expect([...timesReceived().values()].filter((count) => count !== 1)).toEqual([]);
});
