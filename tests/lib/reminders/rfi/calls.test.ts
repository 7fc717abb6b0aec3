import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { GridMark } from "#lib/reminders/grid-marks/queries.ts";
import { columnValue, openColumn } from "#lib/rollout-plan/tiles/logic.ts";
import { callAs } from "../../../support/call.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject } from "../../../support/factories.ts";
import { makeDus } from "../../../support/plan-factories.ts";
import { beijing, reminderCalls, useReminderProject } from "../make-reminders.ts";

const db = useDatabase();
const project = useReminderProject(db, "BR");
const { call, data, tick, mails, fires, clear } = reminderCalls(db, project);

let owner: Awaited<ReturnType<typeof makeMember>>;
const rfi = 3;
const integrate = 5;

beforeAll(async () => {
  owner = await makeMember(db.owner, project.id, "DQA");
  const ids = await makeDus(
    db.owner,
    project.id,
    [
      { code: "EARLY", plan: { [rfi]: { state: 1, actual_end: "2026-10-12" } } },
      { code: "WAITS", regionId: project.north, plan: { [rfi]: { state: 1, actual_end: "2026-10-08" } } },
      { code: "TOOLONG", plan: { [rfi]: { state: 1, actual_end: "2026-09-25" } } },
      { code: "BEGUN", plan: { [rfi]: { state: 1, actual_end: "2026-10-08" }, [integrate]: { state: 1, actual_start: "2026-10-09" } } },
      { code: "ELSEWHERE", plan: { [rfi]: { state: 1, actual_end: "2026-10-08" } } },
    ],
    project.flow,
  );
  await db.owner`
    update customer_site set state_id = case when code = 'S-ELSEWHERE' then 'RJ' else 'SP' end, state_name = case when code = 'S-ELSEWHERE' then 'Rio' else 'São Paulo' end
    where project_id = ${project.id}`;
  for (const id of ids) await db.owner`insert into du_owner (du_id, owner_kind, user_id) values (${id}, 'DU_OWNER', ${owner.id})`;
  await db.owner`insert into region_owner (region_id, user_id) values (${project.north}, ${project.lead.id})`;
});
beforeEach(clear);

const state = (more: Record<string, unknown> = {}) => ({ stateId: "SP", minDays: 5, maxDays: 15, remindTypes: ["MAIL"], ...more });
const save = (...rows: Record<string, unknown>[]) => call(project.pm, "rfiRemind/save", { rows });
const list = () => data(project.pm, "rfiRemind/list");

describe("RFI reminders", () => {
  it("are kept by state, which are those of the project's sites [REM-13]", async () => {
    expect(await save(state({ exceptionReceivers: { userIds: [project.pm.id] } }))).toMatchObject({ status: 200 });
    expect((await list()).states).toMatchObject([
      { stateId: "RJ", stateName: "Rio", dus: 1, remind: null },
      {
        stateId: "SP",
        dus: 4,
        remind: { minDays: 5, maxDays: 15, remindTypes: ["MAIL"], people: [{ name: project.pm.name }], nextLocal: "2026-10-15T08:00" },
      },
    ]);
    const { id, rowVersion } = (await list()).states[1].remind;
    expect(await save(state({ id, rowVersion, maxDays: 20 }))).toMatchObject({ status: 200 });
    expect((await list()).states[1].remind).toMatchObject({ maxDays: 20, exceptionReceivers: { userIds: [project.pm.id] } });
    expect(await save(state({ id, rowVersion }))).toMatchObject({ status: 409, code: "STALE" });
    expect(await save(state())).toMatchObject({ status: 409, code: "STALE" });
  });

  it("wait a whole number of days from 0, the longest not below the shortest [REM-14]", async () => {
    expect(await save(state({ minDays: 0, maxDays: 0 }))).toMatchObject({ status: 200 });
    await clear();
    expect(await save(state({ minDays: 6, maxDays: 5 }))).toMatchObject({
      status: 422,
      code: "MAX_BELOW_MIN",
      problems: [{ path: "rows.0.maxDays" }],
    });
    expect(await save(state({ minDays: -1 }))).toMatchObject({ status: 400 });
    expect(await save(state({ minDays: 1.5 }))).toMatchObject({ status: 400 });
    expect((await list()).states.every(({ remind }: { remind: unknown }) => remind === null)).toBe(true);
  });

  it("exist in Brazil alone", async () => {
    const other = await makeProject(db.owner);
    const pm = await makeMember(db.owner, other.id, "PM");
    const frame = { project: other.number };
    expect(await callAs(pm, "rfiRemind/save", { rows: [state()] }, frame)).toMatchObject({ status: 422, code: "NOT_BRAZIL_PROJECT" });
    expect((await callAs(pm, "rfiRemind/list", {}, frame)).data).toEqual({ brazil: false, states: [] });
  });

  it("tell owner and region owner who waits, and the receivers of exceptions who waits too long", async () => {
    await save(state({ exceptionReceivers: { userIds: [project.pm.id], addresses: ["boss@customer.com"] } }));
    // Today is the 15th: three days, seven, twenty.
    expect(await tick(beijing("2026-10-15 08:00"))).toBe(4);
    const made = await mails();
    const textOf = (address: string) => made.find((mail) => mail.address === address)!.text;
    expect(textOf(owner.email)).toMatch(/WAITS/);
    expect(textOf(owner.email)).not.toMatch(/EARLY|TOOLONG|BEGUN|ELSEWHERE/);
    expect(textOf(project.lead.email)).toMatch(/WAITS/);
    expect(textOf(project.pm.email)).toMatch(/TOOLONG/);
    expect(textOf("boss@customer.com")).not.toMatch(/WAITS|EARLY|BEGUN/);
    expect(await fires()).toMatchObject([{ kind: "RFI", result: "SENT", rows: 2, mails: 4 }]);
    expect(await tick(beijing("2026-10-15 08:00"))).toBe(0);
  });

  it("mark the rows of the grid where that is asked for: who waits, and who waits too long", async () => {
    const now = beijing("2026-10-15 09:00");
    const { queryId } = await data(project.pm, "wbs/filter", { sort: [{ field: "code", dir: "asc" }] }, now);
    const marks = async () => {
      const tile = await data(
        project.pm,
        "rolloutPlan/tile",
        { queryId, from: 0, count: 10, parts: { plan: true, fields: ["code"] } },
        now,
      );
      const codes = openColumn(tile.fields[0], tile.duIds.length);
      return (tile.marks as GridMark[] | undefined)?.map(([at, ...rest]) => [columnValue(codes, at), ...rest]).sort();
    };
    await save(state());
    expect(await marks()).toBeUndefined();
    const [saved] = (await list()).states.filter(({ stateId }: { stateId: string }) => stateId === "SP");
    await save(state({ id: saved.remind.id, rowVersion: saved.remind.rowVersion, remindTypes: ["GRID_MARK"] }));
    // A tile is trusted for half a minute; another change number reads it anew.
    await db.owner`insert into plan_seq (project_id, seq) values (${project.id}, 1) on conflict (project_id) do update set seq = plan_seq.seq + 1`;
    expect(await marks()).toEqual([
      ["TOOLONG", rfi, 20, true],
      ["WAITS", rfi, 7, false],
    ]);
    expect(await tick(beijing("2026-10-15 08:00"))).toBe(0);
  });

  it("tell inside the product where that is asked for", async () => {
    await save(state({ remindTypes: ["IN_APP"], exceptionReceivers: { userIds: [project.pm.id] } }));
    expect(await tick(beijing("2026-10-15 08:00"))).toBe(0);
    const told = await db.owner<{ userId: number; title: string; params: unknown }[]>`
      select user_id as "userId", title, params from notice where project_id = ${project.id} order by id`;
    expect(told).toEqual(
      expect.arrayContaining([
        { userId: owner.id, title: "reminder-mails.notice.rfi", params: { state: "São Paulo", count: 1 } },
        { userId: project.lead.id, title: "reminder-mails.notice.rfi", params: { state: "São Paulo", count: 1 } },
        { userId: project.pm.id, title: "reminder-mails.notice.rfiException", params: { state: "São Paulo", count: 1 } },
      ]),
    );
  });
});
