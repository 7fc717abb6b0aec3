import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { POST } from "#app/api/mail/unsubscribe/[token]/route.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { type NewMail, queueMail } from "#lib/reminders/outbox/commands.ts";
import { findDeclined, unsubscribeToken } from "#lib/reminders/outbox/queries.ts";
import { callAs } from "../../../support/call.ts";
import { clock, useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject } from "../../../support/factories.ts";

const database = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;
let td: CtxUser;
let admin: CtxUser;
let count = 0;

beforeAll(async () => {
  project = await makeProject(database.owner);
  pm = await makeMember(database.owner, project.id, "PM");
  td = await makeMember(database.owner, project.id, "TD");
  admin = await makeMember(database.owner, project.id, "PROJECT_ADMIN");
});
beforeEach(async () => {
  await database.owner`delete from mail_outbox`;
  await database.owner`delete from mail_address`;
});

async function make(to: CtxUser | string, status = "QUEUED", mail: Partial<NewMail> = {}): Promise<number> {
  const address = typeof to === "string" ? to : to.email;
  await queueMail(
    { sql: database.app, project, now: clock },
    {
      kind: "task.result",
      event: `event ${++count}`,
      to: { userId: typeof to === "string" ? null : to.id, address, name: "Anna", lang: "en" },
      subject: `Subject ${count}`,
      html: "<p>Words</p>",
      text: `Words ${count}`,
      ...mail,
    },
  );
  const [row] = await database.owner<{ id: number }[]>`
    update mail_outbox set status = ${status}, attempts = 2, message_id = 'm' || id, last_error = 'x' where id = (select max(id) from mail_outbox) returning id`;
  return row!.id;
}
const call = <T>(user: CtxUser, address: string, input: unknown = {}) => callAs<T>(user, address, input, { project: project.number });
const stateOf = async (id: number) => (await database.owner`select status, attempts, last_error from mail_outbox where id = ${id}`)[0];
const list = (user: CtxUser, filters: unknown[] = []) =>
  call<{ total: number; records: { id: number; may: object }[]; counts: object; transport: boolean }>(
    user,
    `emailAuto/mailLog/list/1/20/default/${encodeURIComponent(JSON.stringify(filters))}`,
  );

describe("the mail log", () => {
  test("lists newest first with counts by state; whoever may not edit sees own mails and those of rules only", async () => {
    const own = await make(td, "SENT");
    const other = await make("other@example.com", "FAILED");
    const rule = await make("rule@example.com", "QUEUED", { ruleId: 7 });
    const all = await list(pm);
    expect(all.data?.records.map(({ id }) => id)).toEqual([rule, other, own]);
    expect(all.data).toMatchObject({ total: 3, counts: { SENT: 1, FAILED: 1, QUEUED: 1 }, transport: false });
    expect(all.data?.records.map(({ may }) => may)).toEqual([
      { resend: false, cancel: true },
      { resend: true, cancel: false },
      { resend: false, cancel: false },
    ]);
    const few = await list(td);
    expect(few.data?.records.map(({ id }) => id)).toEqual([rule, own]);
    expect(few.data?.records).toMatchObject([{ readable: false }, { readable: true }]);
    expect(few.data?.counts).toEqual({ SENT: 1, QUEUED: 1 });
    expect(few.data?.records.flatMap(({ may }) => Object.values(may))).not.toContain(true);
  });

  test.each([
    [[{ field: "status", type: "in", values: ["FAILED", "SENT"] }], 2],
    [[{ field: "to", type: "like", values: ["OTHER@"] }], 1],
    [[{ field: "to", type: "like", values: ["%"] }], 0],
    [[{ field: "at", type: "range", values: ["2026-10-14", "2026-10-14"] }], 3],
    [[{ field: "at", type: "range", values: ["2026-10-15", null] }], 0],
    [[{ field: "kind", type: "eq", values: ["reminder"] }], 0],
  ])("is narrowed by %j to %s", async (filters, total) => {
    await make(td, "SENT");
    await make("other@example.com", "FAILED");
    await make("third@example.com");
    expect((await list(pm, filters)).data?.total).toBe(total);
  });

  test("puts uncertain mails first where states are asked for", async () => {
    const uncertain = await make("a@example.com", "UNCERTAIN");
    const failed = await make("b@example.com", "FAILED");
    const trouble = [{ field: "status", type: "in", values: ["UNCERTAIN", "FAILED"] }];
    expect((await list(pm, trouble)).data?.records.map(({ id }) => id)).toEqual([uncertain, failed]);
    expect((await list(pm)).data?.records.map(({ id }) => id)).toEqual([failed, uncertain]);
  });

  test("the words of a mail are read by its receiver and by who may edit", async () => {
    const own = await make(td);
    const rule = await make("rule@example.com", "QUEUED", { ruleId: 7 });
    expect(await call(td, `emailAuto/mailLog/find/${own}`)).toMatchObject({
      status: 200,
      data: { text: expect.stringContaining("Words") },
    });
    expect(await call(td, `emailAuto/mailLog/find/${rule}`)).toMatchObject({ status: 404 });
    expect(await call(pm, `emailAuto/mailLog/find/${rule}`)).toMatchObject({ status: 200 });
    expect(await call(admin, `emailAuto/mailLog/find/${own}`)).toMatchObject({ status: 404 });
  });
});

test("words that tell of an attribute hidden from the reader are withheld from him, not from their receiver", async () => {
  const [attribute] = await database.owner<{ id: number }[]>`
    insert into attribute (project_id, key, name, type) values (${project.id}, 'a1', 'Price', 'TEXT') returning id`;
  await database.owner`
    insert into attribute_permission (project_id, subject_type, role, entries, updated_at)
    values (${project.id}, 'ROLE', 'PM', ${database.owner.json([{ attributeId: attribute!.id, mode: "HIDDEN" }])}, now())`;
  const [other, own, plain] = [
    await make(td, "SENT", { attributeIds: [attribute!.id] }),
    await make(pm, "SENT", { attributeIds: [attribute!.id] }),
    await make(td, "SENT"),
  ];
  const text = async (user: CtxUser, id: number) => (await call<{ text: string | null }>(user, `emailAuto/mailLog/find/${id}`)).data?.text;
  expect(await text(pm, other)).toBeNull();
  expect(await text(pm, own)).toContain("Words");
  expect(await text(pm, plain)).toContain("Words");
  expect(await text(td, other)).toContain("Words");
});

describe("sending again", () => {
  test.each([
    "FAILED",
    "UNCERTAIN",
    "BOUNCED",
  ])("puts a mail that is %s into the queue anew and lifts the block of its address", async (status) => {
    const id = await make("Blocked@example.com", status);
    await database.owner`insert into mail_address (address, failures, blocked) values ('blocked@example.com', 3, true)`;
    expect(await call(pm, "emailAuto/mailLog/resend", { ids: [id] })).toMatchObject({ status: 200, data: { done: 1, rejected: [] } });
    expect(await stateOf(id)).toEqual({ status: "QUEUED", attempts: 0, last_error: null });
    expect(await database.owner`select failures, blocked from mail_address`).toEqual([{ failures: 0, blocked: false }]);
    const [row] = await database.owner`select message_id, expires_at from mail_outbox where id = ${id}`;
    expect(row).toEqual({ message_id: `m${id}`, expires_at: new Date(clock.getTime() + 48 * 3_600_000) });
  });

  test.each([
    ["SENT", "MAIL_ALREADY_SENT"],
    ["QUEUED", "WRONG_STATUS"],
    ["SENDING", "WRONG_STATUS"],
    ["CANCELLED", "WRONG_STATUS"],
  ])("refuses a mail that is %s with %s and leaves it", async (status, code) => {
    const id = await make("a@example.com", status);
    expect(await call(pm, "emailAuto/mailLog/resend", { ids: [id] })).toMatchObject({ status: 422, code });
    expect(await stateOf(id)).toMatchObject({ status });
  });

  test("of many does what it can and names the refused ones; to no address at all it refuses", async () => {
    const [failed, sent, odd] = [await make("a@example.com", "FAILED"), await make("b@example.com", "SENT"), await make("odd", "FAILED")];
    const answer = await call<{ done: number; rejected: { id: number; code: string }[] }>(pm, "emailAuto/mailLog/resend", {
      ids: [failed, sent, odd],
    });
    expect(answer.data?.done).toBe(1);
    expect(answer.data?.rejected.map(({ id, code }) => [id, code])).toEqual([
      [sent, "MAIL_ALREADY_SENT"],
      [odd, "EMAIL_INVALID"],
    ]);
    expect(await stateOf(failed)).toMatchObject({ status: "QUEUED" });
    expect(await call(pm, "emailAuto/mailLog/resend", { ids: [] })).toMatchObject({ status: 400, problems: [{ code: "NO_SELECTION" }] });
  });

  test("needs notice.edit", async () => {
    const id = await make("a@example.com", "FAILED");
    expect(await call(td, "emailAuto/mailLog/resend", { ids: [id] })).toMatchObject({ status: 403, code: "NO_PERMISSION" });
  });
});

describe("taking back", () => {
  test.each([
    ["QUEUED", 200, "CANCELLED"],
    ["RETRY", 200, "CANCELLED"],
    ["SENT", 422, "SENT"],
    ["SENDING", 422, "SENDING"],
    ["FAILED", 422, "FAILED"],
  ])("a mail that is %s: %s, then it is %s", async (status, answer, after) => {
    const id = await make("a@example.com", status);
    expect(await call(pm, "emailAuto/mailLog/cancel", { ids: [id] })).toMatchObject({ status: answer });
    expect(await stateOf(id)).toMatchObject({ status: after });
  });
});

describe("a bounce", () => {
  test("marks the sent mail and counts for its address; repeated, it counts once; three block", async () => {
    const ids = [await make("back@example.com", "SENT"), await make("back@example.com", "SENT"), await make("back@example.com", "SENT")];
    const bounce = (id: number) => call(admin, "mail/bounce", { messageId: `m${id}`, code: "5.1.1", text: "no such\r\nuser" });
    expect(await bounce(ids[0]!)).toMatchObject({ status: 200, data: { id: ids[0] } });
    expect(await bounce(ids[0]!)).toMatchObject({ status: 200 });
    expect(await stateOf(ids[0]!)).toMatchObject({ status: "BOUNCED", last_error: "5.1.1 no such user" });
    expect(await database.owner`select failures, blocked from mail_address`).toEqual([{ failures: 1, blocked: false }]);
    await bounce(ids[1]!);
    await bounce(ids[2]!);
    expect(await database.owner`select failures, blocked from mail_address`).toEqual([{ failures: 3, blocked: true }]);
  });

  test("of an unknown message, or one never sent, is not found", async () => {
    const id = await make("a@example.com", "QUEUED");
    for (const messageId of ["unheard", `m${id}`])
      expect(await call(admin, "mail/bounce", { messageId, code: "5", text: "" })).toMatchObject({ status: 404 });
  });
});

describe("declining", () => {
  const post = (token: string, body = "") =>
    POST(new Request("http://localhost/x", { method: "POST", body }), { params: Promise.resolve({ token }) });
  const token = () => unsubscribeToken({ projectId: project.id, kind: "reminder", userId: pm.id, address: null });
  const declined = () => database.owner`select kind, user_id from mail_optout where project_id = ${project.id}`;

  test("looking changes nothing, the button and the one click decline once; it can be taken back", async () => {
    expect(await findDeclined(token())).toMatchObject({ kind: "reminder", declined: false });
    expect(await declined()).toEqual([]);
    expect((await post(token())).status).toBe(303);
    expect((await post(token(), "List-Unsubscribe=One-Click")).status).toBe(200);
    expect(await declined()).toEqual([{ kind: "reminder", user_id: pm.id }]);
    expect(await findDeclined(token())).toMatchObject({ declined: true });
    const listed = await call<{ optouts: { id: number; who: string }[] }>(td, "mail/optout/list");
    expect(listed.data?.optouts).toMatchObject([{ kind: "reminder", who: pm.name }]);
    expect(await call(pm, "mail/optout/delete", { id: listed.data?.optouts[0]?.id })).toMatchObject({ status: 200 });
    expect(await declined()).toEqual([]);
  });

  test("a person takes back what he declined himself, and sees nothing else without notice.find", async () => {
    const guest = await makeMember(database.owner, project.id, "SUBCON");
    const decline = (userId: number) => post(unsubscribeToken({ projectId: project.id, kind: "reminder", userId, address: null }));
    await Promise.all([decline(guest.id), decline(pm.id)]);
    const own = await call<{ optouts: { id: number; who: string; own: boolean }[]; blocked: unknown[] }>(guest, "mail/optout/list");
    expect(own.data?.optouts).toMatchObject([{ who: guest.name, own: true }]);
    const [others] = await database.owner<
      { id: number }[]
    >`select id from mail_optout where project_id = ${project.id} and user_id = ${pm.id}`;
    expect(await call(guest, "mail/optout/delete", { id: others!.id })).toMatchObject({ status: 404 });
    expect(await call(td, "mail/optout/delete", { id: others!.id })).toMatchObject({ status: 404 });
    expect(await call(guest, "mail/optout/delete", { id: own.data?.optouts[0]?.id })).toMatchObject({ status: 200 });
    expect(await call(pm, "mail/optout/delete", { id: others!.id })).toMatchObject({ status: 200 });
  });

  test("a link that was changed, made up or is for mails nobody may decline is refused", async () => {
    const [payload = "", signature = ""] = token().split(".");
    const others = Buffer.from(JSON.stringify([project.id, "reminder", td.id, null])).toString("base64url");
    const result = unsubscribeToken({ projectId: project.id, kind: "task.result", userId: pm.id, address: null });
    for (const wrong of [`${others}.${signature}`, `${payload}.x`, payload, "", result]) {
      expect((await post(wrong)).status).toBe(410);
      expect(await findDeclined(wrong)).toBeNull();
    }
    expect(await declined()).toEqual([]);
  });
});

describe("a blocked address", () => {
  test("is listed and let through again in a project that has written to it, and in no other", async () => {
    await make("Stuck@example.com", "FAILED");
    await database.owner`insert into mail_address (address, failures, blocked, last_error) values ('stuck@example.com', 3, true, '550 gone'), ('unknown@example.com', 3, true, 'x')`;
    const listed = await call<{ blocked: object[] }>(td, "mail/optout/list");
    expect(listed.data?.blocked).toEqual([{ address: "stuck@example.com", failures: 3, lastError: "550 gone" }]);
    expect(await call(td, "mail/address/unblock", { address: "stuck@example.com" })).toMatchObject({ status: 403 });
    expect(await call(pm, "mail/address/unblock", { address: "unknown@example.com" })).toMatchObject({ status: 404 });
    expect(await call(pm, "mail/address/unblock", { address: " STUCK@example.com " })).toMatchObject({ status: 200 });
    expect(await database.owner`select failures, blocked from mail_address where address = 'stuck@example.com'`).toEqual([
      { failures: 0, blocked: false },
    ]);
    expect(await call(pm, "mail/address/unblock", { address: "stuck@example.com" })).toMatchObject({ status: 404 });
  });
});
