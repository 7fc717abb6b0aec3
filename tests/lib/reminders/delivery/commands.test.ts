import { randomUUID } from "node:crypto";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { log } from "#lib/core/log.ts";
import { putFile, readFileStream } from "#lib/core/storage.ts";
import { openSheet } from "#lib/core/workbook.ts";
import { clearMails, drainMails } from "#lib/reminders/delivery/commands.ts";
import { cancelMailsOfRules, type NewMail, queueMail, queueMails } from "#lib/reminders/outbox/commands.ts";
import { attachmentBytes } from "#lib/reminders/outbox/limits.ts";
import { type MailServer, openMailServer } from "../../../jobs/support/mail-server.ts";
import { openMailSink } from "../../../jobs/support/mail-sink.ts";
import { clock, useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject, makeResource, makeSubcontractor } from "../../../support/factories.ts";
import { makeDus } from "../../../support/plan-factories.ts";

const database = useDatabase();
let server: MailServer;
let project: { id: number; number: string };
let user: CtxUser;
let count = 0;

beforeAll(async () => {
  server = await openMailServer();
  process.env.SMTP_URL = server.url;
  process.env.MAIL_FROM = "Milepost <milepost@example.com>";
  process.env.MAIL_PER_MINUTE = "0";
});
afterAll(async () => {
  delete process.env.SMTP_URL;
  delete process.env.MAIL_PER_MINUTE;
  await server.close();
});
beforeEach(async () => {
  project = await makeProject(database.owner);
  user = await makeMember(database.owner, project.id, "PM");
  server.received.length = 0;
  await database.owner`delete from mail_outbox`;
});

function queue(address: string, mail: Partial<NewMail> = {}, now = clock, at = project): Promise<boolean> {
  return queueMail(
    { sql: database.app, project: at, now },
    {
      kind: "task.result",
      event: `event ${++count}`,
      to: { userId: user.id, address, name: "Anna Li", lang: "en" },
      subject: "Import finished",
      html: "<p>Done</p>",
      text: "Done",
      ...mail,
    },
  );
}
const minutes = (n: number) => new Date(clock.getTime() + n * 60_000);
const waits = { greetingMs: 1_500, answerMs: 1_500 };
const never = new AbortController().signal;
const drain = (now = clock, workerId: string = randomUUID(), leaving = never) =>
  drainMails({ pool: database.app, workerId, now: () => now, leaving, waits });
/** The words of a received mail, both parts, as a reader sees them. */
const wordsOf = (to: string) => (server.received.find((one) => one.to === to)?.raw ?? "").replace(/=\r\n/g, "").replace(/=3D/g, "=");
type Row = { status: string; attempts: number; next_attempt_at: Date; last_error: string | null; message_id: string; sent_at: Date | null };
const mail = async (address: string) => (await database.owner<Row[]>`select * from mail_outbox where to_address = ${address}`)[0] as Row;
const address = async (text: string) => (await database.owner`select failures, blocked from mail_address where address = ${text}`)[0];

describe("a mail", () => {
  test("arrives with its subject, both texts and its Message-ID, letters of any language and no foreign header", async () => {
    await queue("anna@example.com", {
      subject: "导入完成：站点\r\nBcc: evil@example.com",
      text: "完成",
      html: "<p>完成</p>",
      to: { userId: user.id, address: "anna@example.com", name: '李\r\nX-Evil: 1 "Anna"', lang: "zh" },
    });
    expect(await drain()).toBe(1);
    const row = await mail("anna@example.com");
    expect(row).toMatchObject({ status: "SENT", attempts: 1, last_error: null });
    expect(row.sent_at).toEqual(clock);
    const [received] = server.received;
    const [head = ""] = (received?.raw ?? "").split("\r\n\r\n");
    expect(received).toMatchObject({ to: "anna@example.com", from: "milepost@example.com", accepted: true });
    expect(head).toContain(`Message-ID: ${row.message_id}`);
    expect(head).not.toMatch(/^Bcc:/im);
    expect(head).not.toMatch(/^X-Evil:/im);
    expect(head).not.toMatch(/^List-Unsubscribe/im);
    expect(head).toMatch(/^Auto-Submitted: auto-generated/im);
    const subject = [...head.matchAll(/=\?UTF-8\?(B|Q)\?([^?]*)\?=/gi)].map(([, how, text = ""]) =>
      how?.toUpperCase() === "B"
        ? Buffer.from(text, "base64").toString()
        : Buffer.from(
            text.replaceAll("_", " ").replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
            "latin1",
          ).toString(),
    );
    expect(subject.join("")).toContain("导入完成");
    expect(received?.raw).toContain("text/plain");
    expect(received?.raw).toContain("text/html");
  });

  test("is made once for an event, kind and address, whatever the letter case", async () => {
    const event = "the same";
    expect(await queue("Bob@example.com", { event })).toBe(true);
    expect(await queue("bob@EXAMPLE.com", { event })).toBe(false);
    await drain();
    await drain();
    expect(server.received).toHaveLength(1);
  });

  test("carries its attachment, read when it is sent", async () => {
    const bytes = Buffer.from("rejected rows");
    const fileId = await putFile(
      { sql: database.app, user: user as never, project: project as never, now: clock },
      { name: "失败行.csv", mime: "text/csv", bytes },
    );
    await queue("carla@example.com", { attachmentIds: [fileId] });
    await drain();
    expect(server.received[0]?.raw).toContain(bytes.toString("base64"));
    expect(server.received[0]?.raw).toMatch(/filename\*?\d?\*?=/);
  });

  test("that may be declined says how: one click in its header, a link below its words; another kind says nothing", async () => {
    await queue("dora@example.com", { kind: "reminder" });
    await queue("dora2@example.com");
    await drain();
    const [offered, plain] = ["dora@example.com", "dora2@example.com"].map((to) => wordsOf(to));
    expect(offered).toMatch(/\/unsubscribe\/[\w.-]+\?lang=en/);
    expect(plain).not.toContain("unsubscribe");
    server.received.sort((left, right) => left.to.length - right.to.length);
    const head = server.received[0]?.raw.split("\r\n\r\n")[0]?.replace(/\r\n\s+/g, " ") ?? "";
    expect(head).toMatch(/^List-Unsubscribe: <http[^>]+\/api\/mail\/unsubscribe\/[\w.-]+>/im);
    expect(head).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click/im);
  });

  test("is sent in the name the project has chosen, and answers go to its address", async () => {
    await database.owner`insert into rem_setting (project_id, sender_name, reply_to, default_send_time) values (${project.id}, 'Roll-out 北', 'team@example.com', '08:00')`;
    await queue("eva@example.com");
    await drain();
    const head = server.received[0]?.raw.split("\r\n\r\n")[0] ?? "";
    expect(head).toMatch(/^From: =\?UTF-8\?.*<milepost@example\.com>/im);
    expect(head).toMatch(/^Reply-To: team@example\.com/im);
  });

  test("with rows brings them as one workbook for all who get the same words", async () => {
    const rows = [
      ["DU", "Days"],
      ["NJ-0001", 5],
    ];
    for (let i = 0; i < 12; i++) await queue(`rows${i}@example.com`, { rows, text: "rows" });
    await Promise.all([drain(), drain()]);
    expect(server.received.filter(({ raw }) => /filename.*\.xlsx/.test(raw))).toHaveLength(12);
    const [made] = await database.owner<{ files: number; kept: string }[]>`
      select count(*)::int as files, min(b.file_id::text) as kept from file_object f join mail_body b on b.file_id = f.id where f.project_id = ${project.id}`;
    expect(made?.files).toBe(1);
    const bytes = await buffer(await readFileStream({ sql: database.app, project: project as never, now: clock }, made!.kept));
    const path = join(await mkdtemp(join(tmpdir(), "mail-")), "rows.xlsx");
    await writeFile(path, bytes);
    const sheet = await openSheet(path, { type: "xlsx" });
    const read: unknown[] = [];
    for await (const { cells } of sheet.rows()) read.push(cells);
    await sheet.close();
    expect(read).toEqual(rows);
    // The words go once no mail needs them, and their workbook with them.
    await database.owner`update mail_outbox set created_at = ${minutes(-181 * 1440)}`;
    await database.owner`update mail_body set created_at = ${minutes(-181 * 1440)}`;
    await clearMails(database.app, project.id, clock);
    expect(await database.owner`select expires_at from file_object where id = ${made!.kept}`).toEqual([{ expires_at: clock }]);
  });

  test.each([
    [attachmentBytes, true],
    [attachmentBytes + 1, false],
  ])("with %s bytes of attachments brings them: %s; else it says where they are", async (size, brought) => {
    const fileId = await putFile(
      { sql: database.app, user: user as never, project: project as never, now: clock },
      { name: "big.csv", mime: "text/csv", bytes: Buffer.from("x") },
    );
    await database.owner`update file_object set size = ${size} where id = ${fileId}`;
    await queue("felix@example.com", { attachmentIds: [fileId] });
    await drain();
    expect(/filename=\W?big\.csv/.test(server.received[0]?.raw ?? "")).toBe(brought);
    expect(wordsOf("felix@example.com").includes(`/${project.number}/imports`) || wordsOf("felix@example.com").includes("/exports")).toBe(
      !brought,
    );
  });

  test("to an address that cannot exist fails without asking the server", async () => {
    await queue("not-an-address");
    await queue("a@b.com\r\nBcc: c@d.com");
    await drain();
    expect(await database.owner`select status, last_error from mail_outbox`).toEqual([
      { status: "FAILED", last_error: "malformed" },
      { status: "FAILED", last_error: "malformed" },
    ]);
    expect(server.received).toHaveLength(0);
  });

  test("stays readable in the outbox while there is no transport, and is given up after two days", async () => {
    await queue("erik@example.com");
    delete process.env.SMTP_URL;
    try {
      expect(await drain()).toBe(0);
      expect(await mail("erik@example.com")).toMatchObject({ status: "QUEUED", attempts: 0 });
      await drain(minutes(48 * 60 - 1));
      expect(await mail("erik@example.com")).toMatchObject({ status: "QUEUED" });
      await drain(minutes(48 * 60));
      expect(await mail("erik@example.com")).toMatchObject({ status: "CANCELLED", last_error: "expired" });
    } finally {
      process.env.SMTP_URL = server.url;
    }
    await drain(minutes(48 * 60));
    expect(server.received).toHaveLength(0);
  });
});

describe("a failure", () => {
  test.each([
    ["r421.a@example.com", "RETRY"],
    ["r450.a@example.com", "RETRY"],
    ["d451.a@example.com", "RETRY"],
    ["d452.a@example.com", "RETRY"],
    ["rcptdrop.a@example.com", "RETRY"],
    ["r550.a@example.com", "FAILED"],
    ["d554.a@example.com", "FAILED"],
    ["afterdrop.a@example.com", "UNCERTAIN"],
  ])("%s: %s, and the mails beside it arrive", async (to, status) => {
    await queue(to);
    for (let i = 0; i < 3; i++) await queue(`fine${i}@example.com`);
    await drain();
    expect(await mail(to)).toMatchObject({ status, attempts: 1 });
    expect((await mail(to)).last_error).toBeTruthy();
    for (let i = 0; i < 3; i++) expect(await mail(`fine${i}@example.com`)).toMatchObject({ status: "SENT" });
  });

  test("a line that breaks in the middle of the data is tried again: the server cannot have taken the mail", async () => {
    await queue("middrop.a@example.com", { text: "x".repeat(20_000_000), html: "<p>x</p>" });
    await drain();
    expect(await mail("middrop.a@example.com")).toMatchObject({ status: "RETRY", attempts: 1 });
  });

  test("a server that takes the data and never answers leaves the mail uncertain, and it is not sent again", async () => {
    await queue("hold.a@example.com");
    await drain();
    expect(await mail("hold.a@example.com")).toMatchObject({ status: "UNCERTAIN", attempts: 1 });
    server.held.length = 0;
    await drain(minutes(600));
    expect(server.received).toHaveLength(1);
  });

  test("a mail is tried six times at its waits, then it has failed", async () => {
    await queue("r450.b@example.com");
    const at = [0, 1, 6, 21, 81, 321];
    for (const [index, minute] of at.entries()) {
      if (index > 0) {
        await drain(new Date(minutes(minute).getTime() - 1_000));
        expect((await mail("r450.b@example.com")).attempts).toBe(index);
      }
      await drain(minutes(minute));
      expect(await mail("r450.b@example.com")).toMatchObject({ attempts: index + 1, status: index === 5 ? "FAILED" : "RETRY" });
    }
    await drain(minutes(2_000));
    expect((await mail("r450.b@example.com")).attempts).toBe(6);
  });

  test("the third failure for good without a success between blocks the address; a blocked one gets nothing", async () => {
    for (const expected of [false, false, true]) {
      await queue("R550.c@example.com".replace("R", "r"));
      await drain();
      expect(await address("r550.c@example.com")).toMatchObject({ blocked: expected });
    }
    await database.owner`delete from mail_outbox`;
    await queue("r550.c@example.com");
    await drain();
    expect(await mail("r550.c@example.com")).toMatchObject({ status: "CANCELLED", last_error: "blocked", attempts: 0 });
  });

  test("a success between them begins the count anew", async () => {
    await database.owner`insert into mail_address (address, failures) values ('fred@example.com', 2)`;
    await queue("fred@example.com");
    await drain();
    expect(await address("fred@example.com")).toEqual({ failures: 0, blocked: false });
  });

  test("of a rule is told to who is responsible and the managers once a day; one that is uncertain to the managers", async () => {
    const responsible = await makeMember(database.owner, project.id, "TL");
    const told = async () =>
      (
        await database.owner<{ kind: string; who: number; title: string }[]>`
          select kind, user_id as who, title from notice where project_id = ${project.id} order by kind, user_id`
      ).map(({ kind, who }) => [kind, who]);
    const both = [user.id, responsible.id].sort((a, b) => a - b).map((id) => ["mail.failed", id]);
    for (let i = 0; i < 3; i++) await queue(`r550.told${i}@example.com`, { ruleId: 7, responsibleId: responsible.id });
    await drain();
    expect(await told()).toEqual(both);
    await queue("r550.later@example.com", { ruleId: 7, responsibleId: responsible.id });
    await drain();
    expect(await told()).toEqual(both);
    await queue("r550.other@example.com", { ruleId: 8, responsibleId: responsible.id });
    await drain();
    expect(await told()).toHaveLength(4);
    await queue("r550.nextday@example.com", { ruleId: 7, responsibleId: responsible.id }, minutes(1440));
    await drain(minutes(1440));
    expect(await told()).toHaveLength(6);
    await database.owner`delete from notice`;
    await queue("afterdrop.told@example.com", { ruleId: 7, responsibleId: responsible.id });
    await queue("afterdrop.told2@example.com");
    await drain();
    expect(await told()).toEqual([["mail.uncertain", user.id]]);
  });

  test("is sent again with the Message-ID it had", async () => {
    await queue("afterdrop.again@example.com");
    await drain();
    const { message_id } = await mail("afterdrop.again@example.com");
    await database.owner`update mail_outbox set status = 'QUEUED', attempts = 0`;
    await drain();
    const ids = server.received.map(({ raw }) => /^Message-ID: (\S+)/im.exec(raw)?.[1]);
    expect(ids).toEqual([message_id, message_id]);
  });

  test("no server at all: every mail waits, and the drain ends instead of knocking for each", async () => {
    process.env.SMTP_URL = "smtp://127.0.0.1:1";
    try {
      for (let i = 0; i < 25; i++) await queue(`late${i}@example.com`);
      await drain();
      const rows = await database.owner`select status, count(*)::int as count from mail_outbox group by 1 order by 1`;
      expect(rows).toEqual([
        { status: "QUEUED", count: 15 },
        { status: "RETRY", count: 10 },
      ]);
    } finally {
      process.env.SMTP_URL = server.url;
    }
  });
});

describe("many mails", () => {
  test("ten thousand through a server that refuses one in ten by count all arrive, none twice", { timeout: 120_000 }, async () => {
    const sink = await openMailSink(10);
    process.env.SMTP_URL = sink.url;
    // Each refusal is logged.
    const { level } = log;
    log.level = "silent";
    try {
      const mails = Array.from({ length: 10_000 }, (_, i) => ({
        kind: "task.result" as const,
        event: `${i}`,
        to: { userId: user.id, address: `n${i}@example.com`, lang: "en" as const },
        subject: "Import finished",
        html: "<p>Done</p>",
        text: "Done",
      }));
      expect(await queueMails({ sql: database.app, project, now: clock }, mails)).toBe(10_000);
      for (const minute of [0, 1, 6, 21, 81, 321]) await Promise.all([drain(minutes(minute)), drain(minutes(minute))]);
      expect(sink.refused()).toBeGreaterThanOrEqual(1_000);
      expect(sink.taken.size).toBe(10_000);
      expect([...sink.taken.values()].filter((count) => count !== 1)).toEqual([]);
      expect(await database.owner`select status, count(*)::int as count from mail_outbox group by 1`).toEqual([
        { status: "SENT", count: 10_000 },
      ]);
    } finally {
      process.env.SMTP_URL = server.url;
      log.level = level;
      await sink.close();
    }
  });

  test("two workers at once send each exactly once, over at most five connections each", async () => {
    const before = server.most();
    for (let i = 0; i < 120; i++) await queue(`many${i}@example.com`);
    const sent = await Promise.all([drain(), drain()]);
    expect(sent[0] + sent[1]).toBe(120);
    expect(new Set(server.received.map(({ to }) => to)).size).toBe(120);
    expect(server.received).toHaveLength(120);
    expect(server.most()).toBeLessThanOrEqual(Math.max(before, 10));
  });

  test("a server that refuses every tenth for now gets each of them once in the end", async () => {
    server.refuseEvery(10);
    for (let i = 0; i < 60; i++) await queue(`tenth${i}@example.com`);
    for (const minute of [0, 1, 6, 21, 81]) await drain(minutes(minute));
    server.refuseEvery(0);
    const accepted = server.received.filter((one) => one.accepted).map(({ to }) => to);
    expect(new Set(accepted).size).toBe(60);
    expect(accepted).toHaveLength(60);
  });

  test("a project keeps to its share of the minute, another one is not kept waiting", async () => {
    process.env.MAIL_PER_MINUTE = "25";
    try {
      const other = await makeProject(database.owner);
      for (let i = 0; i < 40; i++) await queue(`busy${i}@example.com`);
      await queue("quiet@example.com", {}, clock, other);
      await Promise.all([drain(), drain()]);
      const sent = () => database.owner`select 1 from mail_outbox where status = 'SENT' and project_id = ${project.id}`;
      expect(await sent()).toHaveLength(25);
      expect(await mail("quiet@example.com")).toMatchObject({ status: "SENT" });
      await drain(minutes(1));
      expect(await sent()).toHaveLength(40);
    } finally {
      process.env.MAIL_PER_MINUTE = "0";
    }
  });

  test("projects take turns: a large one does not come first because it is large", async () => {
    const other = await makeProject(database.owner);
    for (let i = 0; i < 30; i++) await queue(`large${i}@example.com`);
    for (let i = 0; i < 3; i++) await queue(`small${i}@example.com`, {}, clock, other);
    await drain();
    const places = server.received.map(({ to }, place) => (to.startsWith("small") ? place : -1)).filter((place) => place >= 0);
    expect(Math.max(...places)).toBeLessThan(20);
  });
});

describe("a worker", () => {
  test("that has died while sending leaves its mails uncertain; they are not sent again", async () => {
    const dead = randomUUID();
    const alive = randomUUID();
    await database.owner`insert into process_heartbeat (id, kind, pid, host, started_at, beat_at) values
      (${dead}, 'worker', 1, 'x', now(), now() - interval '31 seconds'), (${alive}, 'worker', 2, 'x', now(), now())`;
    for (const name of ["dead", "alive", "gone"]) await queue(`${name}@example.com`);
    await database.owner`update mail_outbox set status = 'SENDING', attempts = 1, claimed_by = case to_address
      when 'dead@example.com' then ${dead}::uuid when 'alive@example.com' then ${alive}::uuid else ${randomUUID()}::uuid end`;
    await drain();
    expect(await mail("dead@example.com")).toMatchObject({ status: "UNCERTAIN", last_error: "workerLost" });
    expect(await mail("gone@example.com")).toMatchObject({ status: "UNCERTAIN" });
    expect(await mail("alive@example.com")).toMatchObject({ status: "SENDING" });
    expect(
      await database.owner`select user_id, kind from notice where project_id = ${project.id} and kind = 'mail.uncertain' group by 1, 2`,
    ).toEqual([{ user_id: user.id, kind: "mail.uncertain" }]);
    expect(server.received).toHaveLength(0);
  });

  test("that is asked to end gives back what it had not begun, without counting it", async () => {
    const leaving = new AbortController();
    for (let i = 0; i < 10; i++) await queue(`hold.${i}@example.com`);
    server.held.length = 0;
    const running = drain(clock, randomUUID(), leaving.signal);
    while (server.held.length < 5) await new Promise((resolve) => setTimeout(resolve, 10));
    leaving.abort();
    for (const answer of server.held.splice(0)) answer();
    await running;
    const rows = await database.owner`select status, attempts, count(*)::int as count from mail_outbox group by 1, 2 order by 1`;
    expect(rows).toEqual([
      { status: "QUEUED", attempts: 0, count: 5 },
      { status: "SENT", attempts: 1, count: 5 },
    ]);
  });
});

test("a declined kind is not sent, others are", async () => {
  await database.owner`insert into mail_optout (project_id, kind, user_id, created_at) values (${project.id}, 'reminder', ${user.id}, now())`;
  await queue("gina@example.com", { kind: "reminder" });
  await queue("gina2@example.com");
  await drain();
  expect(await mail("gina@example.com")).toMatchObject({ status: "CANCELLED", last_error: "declined" });
  expect(await mail("gina2@example.com")).toMatchObject({ status: "SENT" });
});

test("waiting mails of a rule that was disabled are taken back, others go on", async () => {
  await queue("rule7@example.com", { ruleId: 7 });
  await queue("rule8@example.com", { ruleId: 8 });
  expect(await cancelMailsOfRules({ sql: database.app, project: project as never }, [7])).toBe(1);
  await drain();
  expect(await mail("rule7@example.com")).toMatchObject({ status: "CANCELLED", last_error: "ruleDisabled" });
  expect(await mail("rule8@example.com")).toMatchObject({ status: "SENT" });
});

test("mails that ended are kept for 180 days, then they and their words go", async () => {
  await queue("hugo@example.com");
  await queue("ines@example.com", { text: "other words" });
  await database.owner`update mail_outbox set status = 'SENT' where to_address = 'hugo@example.com'`;
  await clearMails(database.app, project.id, minutes(180 * 1440));
  expect(await mail("hugo@example.com")).toBeDefined();
  await clearMails(database.app, project.id, minutes(180 * 1440 + 1));
  expect(await mail("hugo@example.com")).toBeUndefined();
  expect(await mail("ines@example.com")).toBeDefined();
  expect(await database.owner`select "text" from mail_body where project_id = ${project.id}`).toEqual([{ text: "other words" }]);
});

describe("a mail that waits while isolation changes", () => {
  const isolate = async () => {
    const subcon = await makeMember(database.owner, project.id, "SUBCON_PM");
    const company = await makeSubcontractor(database.owner, project.id, [subcon.id]);
    const given = [1, 2].map((n) => ({ code: `DU-${n}`, subcontractorId: company }));
    const [first, second] = (await makeDus(database.owner, project.id, given)) as [number, number];
    const about = (to: string, duIds: number[], userId: number | null, viewerId: number | null = null) =>
      queue(to, { duIds, to: { userId, address: to, lang: "en" }, viewerId });
    await about("both@company.com", [first, second], subcon.id);
    await about("second@company.com", [second], subcon.id);
    await about("outside@company.com", [first], null, subcon.id);
    await about("own@example.com", [first, second], user.id);
    await about("outside@example.com", [first], null, user.id);
    return { subcon, company, first };
  };
  const states = async () =>
    Object.fromEntries(
      (
        await database.owner<{ to: string; state: string }[]>`
      select to_address as to, concat_ws(' ', status, last_error) as state from mail_outbox`
      ).map(({ to, state }) => [to, state]),
    );
  const kept = {
    "both@company.com": "CANCELLED isolated",
    "second@company.com": "SENT",
    "outside@company.com": "CANCELLED isolated",
    "own@example.com": "SENT",
    "outside@example.com": "SENT",
  };

  test("is given up where it tells of a DU that is now another company's, and nobody else's is", async () => {
    const { first } = await isolate();
    const other = await makeSubcontractor(database.owner, project.id);
    await database.owner`update du set subcontractor_id = ${other} where id = ${first}`;
    expect(await drain()).toBe(3);
    expect(server.received.map(({ to }) => to).sort()).toEqual(["outside@example.com", "own@example.com", "second@company.com"]);
    expect(await states()).toEqual(kept);
  });

  test("is given up where a detail of isolation now names another company", async () => {
    const { first } = await isolate();
    const other = await makeSubcontractor(database.owner, project.id);
    const [zone] = await database.owner<{ id: number }[]>`
      insert into attribute (project_id, key, name, type) values (${project.id}, 'ZONE', 'Zone', 'TEXT') returning id`;
    await database.owner`update du set ext = '{"ZONE": "Z1"}' where id = ${first}`;
    await database.owner`insert into isolation (project_id, enabled, version, updated_at) values (${project.id}, true, 1, now())`;
    await database.owner`
      insert into isolation_detail (project_id, attribute_id, value, subcontractor_id, created_at) values (${project.id}, ${zone!.id}, 'Z1', ${other}, now())`;
    expect(await drain()).toBe(3);
    expect(await states()).toEqual(kept);
  });

  test("is not taken once its receiver works for nobody, while a drain is under way either", async () => {
    const { subcon } = await isolate();
    await queue("hold.first@example.com");
    await database.owner`update mail_outbox set next_attempt_at = next_attempt_at + interval '1 second' where to_address like '%@company.com'`;
    let now = clock;
    const draining = drainMails({ pool: database.app, workerId: randomUUID(), now: () => now, leaving: never, waits });
    await vi.waitFor(() => expect(server.held).toHaveLength(1));
    // The lines that have sent the others look for more once, at the time of before.
    await vi.waitFor(async () => expect(await states()).toMatchObject({ "own@example.com": "SENT", "outside@example.com": "SENT" }));
    await sleep(100);
    await makeResource(database.owner, project.id, subcon.id, { status: "INACTIVE" });
    now = minutes(1);
    for (const answer of server.held.splice(0)) answer();
    expect(await draining).toBe(3);
    expect(await states()).toMatchObject({ "both@company.com": "CANCELLED isolated", "second@company.com": "CANCELLED isolated" });
  });
});
