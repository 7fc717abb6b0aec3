import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import type { Locale } from "#lib/core/locale.ts";
import { clearNotices, type NewNotice, notify, notifyEach } from "#lib/reminders/notices/commands.ts";
import { noticeKeepDays } from "#lib/reminders/notices/limits.ts";
import { callAs } from "../../../support/call.ts";
import { clock, useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject } from "../../../support/factories.ts";

const database = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;
let guest: CtxUser;
let gone: CtxUser;

beforeAll(async () => {
  project = await makeProject(database.owner);
  pm = await makeMember(database.owner, project.id, "PM");
  guest = await makeMember(database.owner, project.id, "SUBCON");
  gone = await makeMember(database.owner, project.id, "PM");
  await database.owner`update app_user set active = false where id = ${gone.id}`;
});
beforeEach(() => database.owner`delete from notice`);

const ctx = () => ({ sql: database.app, project, now: clock });
const dispatched: NewNotice = { kind: "workOrder.step", title: "work-orders.mail.dispatched", params: { count: 2 } };
type List = {
  records: { id: number; title: string; body: string | null; link: string | null; readAt: string | null }[];
  total: number;
  unread: number;
};
const list = (user: CtxUser, filters: unknown[] = [], locale: Locale = "en") =>
  callAs<List>(user, `notice/list/1/20/default/${encodeURIComponent(JSON.stringify(filters))}`, {}, { project: project.number, locale });
const read = (user: CtxUser, input: object = {}) => callAs<{ unread: number }>(user, "notice/read", input, { project: project.number });

describe("a notice", () => {
  test("is told to each active person once, in the language of who reads it, with words, link and the number of unread ones", async () => {
    expect(await notify(ctx(), [pm.id, guest.id, pm.id, gone.id], { ...dispatched, body: "Take <care>", link: "/P/tasks" })).toBe(2);
    const english = await list(pm);
    expect(english.data).toMatchObject({ total: 1, unread: 1, records: [{ body: "Take <care>", link: "/P/tasks", readAt: null }] });
    expect(english.data?.records[0]?.title).toBe("2 work orders for you");
    const chinese = await list(guest, [], "zh");
    expect(chinese.data?.records[0]?.title).toMatch(/\p{Script=Han}/u);
    expect(chinese.data).toMatchObject({ total: 1, unread: 1 });
    expect(await database.owner`select user_id from notice where user_id = ${gone.id}`).toHaveLength(0);
  });

  test("of the same kind and event is told to nobody twice; without an event each counts", async () => {
    expect(await notify(ctx(), [pm.id], { ...dispatched, event: 7 })).toBe(1);
    expect(await notify(ctx(), [pm.id, guest.id], { ...dispatched, event: 7 })).toBe(1);
    expect(await notify(ctx(), [pm.id], { ...dispatched, kind: "workOrder.digest", event: 7 })).toBe(1);
    expect(
      await notifyEach(
        ctx(),
        [1, 2].map(() => ({ userId: pm.id, ...dispatched })),
      ),
    ).toBe(2);
  });

  test("needs a title that has its text", async () => {
    await expect(notify(ctx(), [pm.id], { ...dispatched, title: "work-orders.mail.unheard" })).rejects.toThrow("work-orders.mail.unheard");
    expect(await notify(ctx(), [], { ...dispatched, title: "work-orders.mail.unheard" })).toBe(0);
  });

  test("is gone with the transaction it was told in", async () => {
    await database.app
      .begin(async (sql) => {
        await notify({ ...ctx(), sql: sql as never }, [pm.id], dispatched);
        throw new Error("undone");
      })
      .catch(() => {});
    expect((await list(pm)).data?.total).toBe(0);
  });

  test("is kept for ninety days", async () => {
    await notify(ctx(), [pm.id], dispatched);
    const later = (ms: number) => new Date(clock.getTime() + noticeKeepDays * 86_400_000 + ms);
    await clearNotices(database.app, project.id, later(0));
    expect((await list(pm)).data?.total).toBe(1);
    await clearNotices(database.app, project.id, later(1));
    expect((await list(pm)).data?.total).toBe(0);
  });
});

describe("reading", () => {
  test("marks the named ones or all, the own ones only, and lists the unread ones alone", async () => {
    for (let i = 0; i < 3; i++) await notify(ctx(), [pm.id, guest.id], dispatched);
    const ids = ((await list(pm)).data?.records ?? []).map(({ id }) => id);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    expect(await read(guest, { ids })).toMatchObject({ status: 200, data: { unread: 3 } });
    expect((await read(pm, { ids: ids.slice(0, 1) })).data).toEqual({ unread: 2 });
    const unread = await list(pm, [{ field: "unread", type: "eq", values: [true] }]);
    expect(unread.data).toMatchObject({ total: 2, unread: 2 });
    expect((await read(pm)).data).toEqual({ unread: 0 });
    expect((await list(guest)).data?.unread).toBe(3);
  });

  test.each([
    [200, 200],
    [201, 400],
  ])("takes %s ids: %s", async (count, status) => {
    expect(await read(pm, { ids: Array.from({ length: count }, (_, i) => i + 1) })).toMatchObject({ status });
  });

  test("a stranger reads none", async () => {
    await notify(ctx(), [pm.id], dispatched);
    const other = await makeProject(database.owner);
    const stranger = await makeMember(database.owner, other.id, "PM");
    expect((await list(stranger)).status).toBe(403);
    const elsewhere = await callAs<List>(stranger, "notice/list/1/20/default/[]", {}, { project: other.number });
    expect(elsewhere.data).toMatchObject({ total: 0, unread: 0 });
  });
});
