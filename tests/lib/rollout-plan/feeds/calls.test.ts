import { beforeEach, describe, expect, it } from "vitest";
import { answerFeed } from "#app/api/feeds/answer.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { feedEventsMax, feedReadsPerHour, feedsPerPerson } from "#lib/rollout-plan/feeds/limits.ts";
import { callAs } from "../../../support/call.ts";
import { clock, useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject, makeSession } from "../../../support/factories.ts";
import { makeDus, makeOwnerSet } from "../../../support/plan-factories.ts";
import { planCalls, usePlanProject } from "../../../support/plan-project.ts";

const db = useDatabase();
const project = usePlanProject(db);
const { call } = planCalls(db, project);

const as = async (user: CtxUser, address: string, input: unknown = {}, number = project.number) =>
  callAs(user, address, input, { project: number, sid: await makeSession(db.owner, user.id) });
const create = async (user: CtxUser, number = project.number): Promise<string> => {
  const { data } = await as(user, "feed/create", {}, number);
  return data.address as string;
};
const read = (address: string, headers: Record<string, string> = {}) =>
  answerFeed(new Request(`http://localhost${address}`, { headers }), address.split("/").at(-1)!, clock);
const summaries = async (address: string) =>
  [...(await (await read(address)).text()).replaceAll("\r\n ", "").matchAll(/^SUMMARY:(.*)\r$/gm)].map(([, text]) => text);

/** State of a slot in the flow with further bits. */
const state = (bits = 0) => 1 | bits;

describe("calendar feeds", () => {
  beforeEach(async () => {
    await db.owner`delete from feed_token`;
    await db.owner`delete from rate_limit`;
  });

  it("give the person's open activities within the window, and the milestones of his DUs", async () => {
    const me = await makeMember(db.owner, project.id, "COMMON_VIEW");
    const mine = await makeOwnerSet(db.owner, project.id, [project.pm.id, me.id]);
    await db.owner`update flow_activity set is_milestone = true where flow_id = ${project.flow.id} and name = 'MOS'`;
    await makeDus(
      db.owner,
      project.id,
      [
        {
          code: "FEED-1",
          plan: {
            1: { plan_end: "2026-10-20", plan_owner: mine },
            2: { plan_end: "2026-10-21", actual_owner: mine },
            3: { plan_end: "2026-10-22" },
            4: { plan_end: "2026-10-23" },
            5: { plan_owner: mine },
          },
        },
        {
          code: "FEED-2",
          plan: {
            1: { plan_end: "2026-09-14", plan_owner: mine },
            2: { plan_end: "2026-09-13", plan_owner: mine },
            3: { plan_end: "2027-10-14", plan_owner: mine },
            5: { plan_end: "2027-10-15", plan_owner: mine },
          },
        },
        {
          code: "FEED-3",
          plan: {
            1: { plan_end: "2026-10-20", plan_owner: mine, actual_end: "2026-10-12" },
            2: { plan_end: "2026-10-20", plan_owner: mine, state: state(1 << 1) },
            3: { plan_end: "2026-10-20", plan_owner: mine, state: state(1 << 6) },
            5: { plan_end: "2026-10-20", plan_owner: mine, state: 0 },
          },
        },
        { code: "FEED-4", plan: { 4: { plan_end: "2026-10-20", plan_owner: project.ownSet } } },
      ],
      project.flow,
    );
    const address = await create(me);
    expect(await summaries(address)).toEqual(["FEED-2 Survey", "FEED-1 Survey", "FEED-1 Design", "FEED-1 MOS", "FEED-2 RFI"]);
    const response = await read(address);
    expect(response.headers.get("content-type")).toBe("text/calendar; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("private, no-cache");
  });

  it("answer 304 until the plan changes", async () => {
    const [duId] = await makeDus(
      db.owner,
      project.id,
      [{ code: "MARK-1", plan: { 1: { plan_end: "2026-10-20", plan_owner: project.ownSet } } }],
      project.flow,
    );
    const address = await create(project.pm);
    const mark = (await read(address)).headers.get("etag")!;
    const again = await read(address, { "if-none-match": mark });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    await call(project.pm, "rolloutPlan/save", {
      edits: [{ duId, activityId: project.activities[0]!.id, field: "planEnd", value: "2026-10-21", base: "2026-10-20" }],
    });
    expect((await read(address, { "if-none-match": mark })).status).toBe(200);
  });

  it("hold at most so many events, the earliest", async () => {
    const me = await makeMember(db.owner, project.id, "PM");
    const mine = await makeOwnerSet(db.owner, project.id, [me.id]);
    const cells = { plan_end: "2026-12-01", plan_owner: mine };
    await makeDus(
      db.owner,
      project.id,
      [
        ...Array.from({ length: feedEventsMax / 2 }, () => ({ plan: { 1: cells, 2: cells } })),
        { code: "SOON", plan: { 1: { ...cells, plan_end: "2026-10-20" } } },
      ],
      project.flow,
    );
    const found = await summaries(await create(me));
    expect(found).toHaveLength(feedEventsMax);
    expect(found[0]).toBe("SOON Survey");
  });

  it("keep their secret as a hash only and note when they were read", async () => {
    const { data } = await as(project.pm, "feed/create");
    const secret = /mp_[\w-]{43}/.exec(data.address as string)![0];
    const stored = JSON.stringify(await db.owner`select * from feed_token`);
    const audited = JSON.stringify(await db.owner`select * from audit_log where object = ${`calendar feed ${data.id}`}`);
    expect(audited).toContain("config_changed");
    for (const text of [stored, audited, JSON.stringify((await as(project.pm, "feed/list")).data)]) expect(text).not.toContain(secret);
    await read(data.address);
    const { records } = (await as(project.pm, "feed/list")).data;
    expect(records).toEqual([{ id: data.id, createdAt: expect.any(Date), lastUsedAt: expect.any(Date) }]);
  });

  it(`are at most ${feedsPerPerson} for one person in a project, and take a sign-in`, async () => {
    for (let made = 0; made < feedsPerPerson; made++) expect((await as(project.pm, "feed/create")).status).toBe(200);
    expect(await as(project.pm, "feed/create")).toMatchObject({
      status: 422,
      code: "TOO_MANY",
      msg: expect.stringContaining(String(feedsPerPerson)),
    });
    const [first] = (await as(project.pm, "feed/list")).data.records;
    await as(project.pm, "feed/revoke", { id: first.id });
    expect((await as(project.pm, "feed/create")).status).toBe(200);
    expect(await call(project.pm, "feed/create")).toMatchObject({ status: 403, code: "SESSION_REQUIRED" });
  });

  it("are ended by their person alone, at once", async () => {
    const address = await create(project.pm);
    const [{ id }] = (await as(project.pm, "feed/list")).data.records;
    expect(await as(project.viewer, "feed/revoke", { id })).toMatchObject({ status: 404, code: "NOT_FOUND" });
    expect((await read(address)).status).toBe(200);
    expect((await as(project.pm, "feed/revoke", { id })).status).toBe(200);
    expect((await read(address)).status).toBe(404);
    expect((await as(project.pm, "feed/list")).data.records).toEqual([]);
  });

  it("answer 404 and nothing else for every reason not to be read", async () => {
    const other = await makeProject(db.owner);
    const me = await makeMember(db.owner, other.id, "PM");
    const address = await create(me, other.number);
    const isGone = async () => {
      const { status, body } = await read(address);
      return status === 404 && body === null;
    };
    expect(await isGone()).toBe(false);
    await db.owner`update project set status = 'closed' where id = ${other.id}`;
    expect(await isGone()).toBe(true);
    await db.owner`update project set status = 'active' where id = ${other.id}`;
    await db.owner`update app_user set active = false where id = ${me.id}`;
    expect(await isGone()).toBe(true);
    await db.owner`update app_user set active = true where id = ${me.id}`;
    expect(await isGone()).toBe(false);
    await db.owner`update project_member set valid_to = current_date - 400, valid_from = current_date - 500 where user_id = ${me.id}`;
    expect(await isGone()).toBe(true);
    for (const file of ["", "x", "mp_wrong.ics", `${"mp_".padEnd(46, "a")}.ics`, address.split("/").at(-1)!.replace(".ics", "")])
      expect((await read(`/api/feeds/${file}`)).status, file).toBe(404);
  });

  it(`are read at most ${feedReadsPerHour} times an hour`, async () => {
    const address = await create(project.pm);
    const statuses = await Promise.all(Array.from({ length: feedReadsPerHour + 5 }, async () => (await read(address)).status));
    expect(statuses.filter((status) => status === 200)).toHaveLength(feedReadsPerHour);
    expect(statuses.filter((status) => status === 404)).toHaveLength(5);
  });
});
