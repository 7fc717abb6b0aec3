import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { connect, putSql } from "#db/client.ts";
import { action } from "#lib/core/action.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { type Caller, forgetRights, openEntrance, runCall } from "#lib/core/gate.ts";
import { listInput } from "#lib/core/paging.ts";
import { clock, useDatabase } from "../../support/database.ts";
import { grantRole, makeMember, makeProject, makeUser } from "../../support/factories.ts";

const db = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;
let viewer: CtxUser;

beforeAll(async () => {
  project = await makeProject(db.app);
  pm = await makeMember(db.app, project.id, "PM");
  viewer = await makeMember(db.app, project.id, "COMMON_VIEW");
});

beforeEach(forgetRights);

function caller(user: CtxUser | null, given: Partial<Caller> & { sid?: string } = {}): Caller {
  const { sid = null, ...rest } = given;
  return {
    who: user ? { user, sid, tokenId: sid ? null : user.id, csrfToken: null, expiresAt: new Date(8.64e15) } : null,
    projectNumber: project.number,
    locale: "en",
    requestId: "request-1",
    ip: "127.0.0.1",
    now: clock,
    ...rest,
  };
}

const rename = action({
  address: "probe/rename",
  needs: "flow.edit",
  input: z.object({ name: z.string().min(1).max(5) }),
  run: async (ctx, { name }) => {
    const [before] = await ctx.sql<{ name: string }[]>`select name from project where id = ${ctx.project.id}`;
    await ctx.sql`update project set name = ${name} where id = ${ctx.project.id}`;
    if (name === "fail") throw new AppError("NAME_EXISTS");
    ctx.audit("project", before?.name, name);
    return { name };
  },
}).declaration;

const projectName = async () => (await db.owner<{ name: string }[]>`select name from project where id = ${project.id}`)[0]?.name;
const auditRows = (object: string) => db.owner`select * from audit_log where object = ${object} order by id`;

describe("a changing call", () => {
  it("runs in one transaction with its audit row, old and new values, person and request", async () => {
    const answer = await runCall(rename, caller(pm), { name: "one" });
    expect(answer).toMatchObject({ status: 200, data: { name: "one" }, requestId: "request-1" });
    const [row] = (await auditRows("project")).slice(-1);
    expect(row).toMatchObject({
      actor_id: pm.id,
      project_id: project.id,
      address: "probe/rename",
      ip: "127.0.0.1",
      detail: { after: "one" },
    });
  });

  it("leaves nothing of a refused action behind [OPS-48]", async () => {
    const before = (await auditRows("project")).length;
    const answer = await runCall(rename, caller(pm), { name: "fail" });
    expect(answer).toMatchObject({ status: 422, code: "NAME_EXISTS", msg: "The name already exists" });
    expect(await projectName()).toBe("one");
    expect(await auditRows("project")).toHaveLength(before);
  });

  it("writes nothing and fails when its audit row cannot be written", async () => {
    const unlogged = action({
      address: "probe/unlogged",
      needs: "member",
      input: z.object({}),
      run: async (ctx) => {
        await ctx.sql`update project set name = 'unlogged' where id = ${ctx.project.id}`;
        ctx.audit("project", null, "\u0000");
      },
    });
    expect(await runCall(unlogged.declaration, caller(pm), {})).toMatchObject({ status: 500, code: "SYSTEM_FAILURE" });
    expect(await projectName()).toBe("one");
    expect(await runCall(rename, caller(pm), { name: "one" })).toMatchObject({ status: 200 });
  });

  it("is refused to a holder of COMMON VIEW alone, and the denial is logged once a minute [PRM-03, PRM-07, PRM-27]", async () => {
    for (const _ of [1, 2])
      expect(await runCall(rename, caller(viewer), { name: "two" })).toMatchObject({
        status: 403,
        code: "NO_PERMISSION",
        msg: expect.stringMatching(/^Permission denied: ./),
      });
    expect(await projectName()).toBe("one");
    expect(await db.owner`select 1 from audit_log where event = 'permission_denied' and actor_id = ${viewer.id}`).toHaveLength(1);
  });

  it("looks at the right before it looks at the input", async () => {
    expect(await runCall(rename, caller(viewer), { name: 7 })).toMatchObject({ status: 403 });
  });

  // Transactions hold every connection of the pool while their callers are asked for: they must not be asked for over one of these.
  it.each([1, 2, 3])("is answered among many others on a pool of %i", async (connections) => {
    const pool = connect(db.url, connections);
    putSql(pool);
    try {
      const many = Array.from({ length: 12 }, (_, at) => at);
      const people = await Promise.all(many.map(() => makeMember(db.app, project.id, "PM")));
      const sids = people.map((_, at) => `00000000-0000-4000-8000-00000000${connections}${String(at).padStart(3, "0")}`);
      await Promise.all(
        people.map(
          ({ id }, at) => db.app`insert into user_session (sid, user_id, csrf_token, created_at, last_seen_at, expires_at)
            values (${sids[at] as string}, ${id}, ${"c".repeat(43)}, now(), now(), now() + interval '1 hour')`,
        ),
      );
      const asked = many.flatMap((at) => {
        const allowed = caller(people[at] as CtxUser, { sid: sids[at] as string });
        const denied = caller(viewer);
        return [
          runCall(rename, allowed, { name: "many" }, openEntrance(rename, allowed)),
          runCall(rename, allowed, { name: "too long" }),
          runCall(rename, denied, { name: "no" }, openEntrance(rename, denied)),
        ];
      });
      expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(many.flatMap(() => [200, 400, 403]));
      // None of them has left a transaction open behind it.
      const open = db.owner`select 1 from pg_stat_activity where datname = ${db.name} and state like 'idle in transaction%'`;
      expect(await open).toEqual([]);
    } finally {
      putSql(db.app);
      await pool.end({ timeout: 1 });
    }
  });

  it("takes what was asked for while it was on its way, unless that has become old", async () => {
    const user = await makeMember(db.app, project.id, "PM");
    const given = caller(user);
    const entrance = openEntrance(rename, given);
    await entrance?.opened;
    const ask = (until: number) => runCall(rename, given, { name: "begun" }, entrance && { ...entrance, until });
    await db.app`delete from project_member where project_id = ${project.id} and user_id = ${user.id}`;
    expect(await ask(Number.POSITIVE_INFINITY)).toMatchObject({ status: 200 });
    expect(await ask(performance.now())).toMatchObject({ status: 403, code: "NOT_AUTHORISED_FOR_PROJECT" });
  });

  it("begins with the rights of a while ago where it may, and counts only with those of now", async () => {
    const user = await makeMember(db.app, project.id, "PM");
    const begun: string[] = [];
    const note = action({
      address: "probe/ahead",
      needs: "flow.edit",
      ahead: true,
      input: z.object({ unless: z.string().default("") }),
      run: async (ctx, { unless }) => {
        const roles = ctx.user.roles.join(" ");
        begun.push(roles);
        await ctx.auditFrom(ctx.sql`select 'ahead' as object, to_jsonb(${roles}::text) as after`);
        if (roles === unless) throw new AppError("NAME_EXISTS");
        return { roles };
      },
    }).declaration;
    const ask = async (input = {}) => ({
      answer: await runCall(note, caller(user), input),
      begun: begun.splice(0),
      written: (await auditRows("ahead")).map(({ detail }) => detail.after),
    });
    // Nothing was read yet.
    expect(await ask()).toMatchObject({ answer: { status: 200 }, begun: ["PM"], written: ["PM"] });
    expect(await ask()).toMatchObject({ answer: { status: 200 }, begun: ["PM"], written: ["PM", "PM"] });
    // Nobody tells this process of what is changed here.
    await grantRole(db.app, project.id, user.id, "TL");
    expect(await ask()).toMatchObject({ answer: { data: { roles: "PM TL" } }, begun: ["PM", "PM TL"], written: ["PM", "PM", "PM TL"] });
    await db.app`delete from project_member where project_id = ${project.id} and user_id = ${user.id} and role = 'TL'`;
    const written = ["PM", "PM", "PM TL", "PM"];
    expect(await ask({ unless: "PM TL" })).toMatchObject({ answer: { data: { roles: "PM" } }, begun: ["PM TL", "PM"], written });
    expect(await ask({ unless: "PM" })).toMatchObject({ answer: { status: 422, code: "NAME_EXISTS" }, begun: ["PM"], written });
    await db.app`delete from project_member where project_id = ${project.id} and user_id = ${user.id}`;
    expect(await ask()).toMatchObject({ answer: { status: 403, code: "NOT_AUTHORISED_FOR_PROJECT" }, begun: ["PM"], written });
  });

  it("begins with no right that is not held, nor with what is wrong", async () => {
    const user = await makeMember(db.app, project.id, "PM");
    let runs = 0;
    const probe = action({
      address: "probe/checked",
      needs: "flow.edit",
      ahead: true,
      input: z.object({ days: z.int().min(2) }),
      run: async (ctx) => {
        runs++;
        ctx.audit("probe", null, {});
      },
    }).declaration;
    expect(await runCall(probe, caller(user), { days: 2 })).toMatchObject({ status: 200 });
    expect(await runCall(probe, caller(user), { days: 1 })).toMatchObject({ status: 400, code: "INVALID_INPUT" });
    expect(await runCall(probe, caller(viewer), { days: 2 })).toMatchObject({ status: 403, code: "NO_PERMISSION" });
    expect(await runCall(probe, caller(viewer), { days: 2 })).toMatchObject({ status: 403, code: "NO_PERMISSION" });
    expect(runs).toBe(1);
  });

  it("reports every wrong field with its bound, in the caller's language", async () => {
    const wrong = action({
      address: "probe/two",
      needs: "member",
      input: z.object({ name: z.string().max(3), days: z.int().min(2) }),
      run: async () => ({}),
    });
    const answer = await runCall(wrong.declaration, caller(pm, { locale: "zh" }), { name: "long", days: 1 });
    expect(answer).toMatchObject({
      status: 400,
      code: "INVALID_INPUT",
      problems: [
        { path: "name", code: "VALUE_TOO_LONG", msg: "名称 最多 3 个字符" },
        { path: "days", code: "VALUE_TOO_SMALL", msg: "天数 不能小于 2" },
      ],
    });
  });

  it("is refused in a closed project, a read is not", async () => {
    const closed = await makeProject(db.app, { status: "closed" });
    await grantRole(db.app, closed.id, pm.id, "PM");
    const read = action({ address: "probe/read", kind: "read", needs: "member", input: z.object({}), run: async () => ({ fine: true }) });
    expect(await runCall(rename, caller(pm, { projectNumber: closed.number }), { name: "x" })).toMatchObject({
      status: 403,
      code: "PROJECT_CLOSED",
    });
    expect(await runCall(read.declaration, caller(pm, { projectNumber: closed.number }), {})).toMatchObject({ status: 200 });
  });

  it("answers an unknown fault with a request id and no inner text", async () => {
    const broken = action({
      address: "probe/broken",
      kind: "read",
      needs: "member",
      input: z.object({}),
      run: async (ctx) => ctx.sql`select secret_column from project`,
    });
    const answer = await runCall(broken.declaration, caller(pm), {});
    expect(answer).toEqual({ status: 500, code: "SYSTEM_FAILURE", msg: "System failure", requestId: "request-1" });
  });
});

describe("who and where", () => {
  it("needs a sign-in, a project number, and membership [OPS-02]", async () => {
    const stranger = await makeUser(db.app);
    expect(await runCall(rename, caller(null), { name: "x" })).toMatchObject({ status: 401, code: "SIGNED_OUT" });
    expect(await runCall(rename, caller(pm, { projectNumber: null }), { name: "x" })).toMatchObject({
      status: 400,
      code: "PROJECT_REQUIRED",
    });
    expect(await runCall(rename, caller(stranger), { name: "x" })).toMatchObject({ status: 403, code: "NOT_AUTHORISED_FOR_PROJECT" });
    expect(await runCall(rename, caller(pm, { projectNumber: "NOWHERE" }), { name: "x" })).toMatchObject({ status: 403 });
  });

  it("refuses every call of a session whose roles changed since it entered, until it enters again [PRM-25]", async () => {
    const user = await makeMember(db.app, project.id, "PM");
    const sid = "00000000-0000-4000-8000-000000000001";
    await db.app`insert into user_session (sid, user_id, csrf_token, created_at, last_seen_at, expires_at)
      values (${sid}, ${user.id}, ${"c".repeat(43)}, now(), now(), now() + interval '1 hour')`;
    expect(await runCall(rename, caller(user, { sid }), { name: "three" })).toMatchObject({ status: 200 });
    await grantRole(db.app, project.id, user.id, "TL");
    expect(await runCall(rename, caller(user, { sid }), { name: "four" })).toMatchObject({
      status: 403,
      code: "ROLE_CHANGED",
      msg: "Role changed and operation cannot be performed; enter the project again",
    });
    expect(await projectName()).toBe("three");
    const { rebuild } = await import("#lib/session/actions.ts");
    expect(await runCall(rebuild.declaration, caller(user, { sid }), { projectNumber: project.number })).toMatchObject({ status: 200 });
    forgetRights();
    expect(await runCall(rename, caller(user, { sid }), { name: "four" })).toMatchObject({ status: 200 });
  });

  it("does not count a role outside its validity", async () => {
    const user = await makeUser(db.app);
    await grantRole(db.app, project.id, user.id, "PM", "2026-10-13");
    expect(await runCall(rename, caller(user), { name: "x" })).toMatchObject({ code: "NOT_AUTHORISED_FOR_PROJECT" });
  });
});

describe("the logs", () => {
  it("cannot be changed or emptied by the application's login nor by the owner's", async () => {
    for (const table of ["audit_log", "plan_batch", "plan_log"]) {
      await expect(db.app.unsafe(`delete from ${table}`)).rejects.toMatchObject({ code: "42501" });
      await expect(db.app.unsafe(`truncate ${table}`)).rejects.toMatchObject({ code: "42501" });
      await expect(db.owner.unsafe(`delete from ${table}`)).rejects.toMatchObject({ code: "42501" });
    }
    await expect(db.app`update audit_log set event = 'x'`).rejects.toMatchObject({ code: "42501" });
  });
});

describe("a list page of 500 rows", () => {
  it("is refused by default and offered where the switch is Y [OPS-07]", async () => {
    const list = action({
      address: "probe/list/{page}/{size}/default/{filters}",
      kind: "read",
      needs: "member",
      input: listInput({}),
      run: async (_ctx, { size }) => ({ size }),
    });
    const big = await makeProject(db.app);
    await grantRole(db.app, big.id, pm.id, "PM");
    const ask = (projectNumber: string, size: number) => runCall(list.declaration, caller(pm, { projectNumber }), { page: 1, size });
    expect(await ask(project.number, 200)).toMatchObject({ status: 200 });
    expect(await ask(project.number, 500)).toMatchObject({ status: 400, problems: [{ path: "size" }] });
    await db.app`insert into project_switch (project_id, key, value, effective_at, updated_at) values (${big.id}, 'page.rows500', 'Y', ${clock}, ${clock})`;
    expect(await ask(big.number, 500)).toMatchObject({ status: 200, data: { size: 500 } });
  });
});
