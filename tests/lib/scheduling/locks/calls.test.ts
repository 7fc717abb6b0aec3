import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { searchCondition } from "#lib/activity-flows/binding/logic.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { searchEntriesMax } from "#lib/core/filter-limits.ts";
import { callAs } from "../../../support/call.ts";
import { clock, useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject, makeRegion } from "../../../support/factories.ts";
import { makeDuOwner, makeDus, makeOwnerSet } from "../../../support/plan-factories.ts";
import { done, makeScheduledFlow, readPlan, type ScheduledFlow } from "../make-scheduled.ts";

const database = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;
let pd: CtxUser;
let delegate: CtxUser;
let other: { id: number; number: string };
let otherPm: CtxUser;
let flow: ScheduledFlow;

beforeAll(async () => {
  project = await makeProject(database.owner);
  pm = await makeMember(database.owner, project.id, "PM");
  pd = await makeMember(database.owner, project.id, "PD");
  delegate = await makeMember(database.owner, project.id, "TL");
  await database.owner`
    insert into role_delegation (project_id, role, delegator_id, delegate_id, valid_from, valid_to)
    values (${project.id}, 'PD', ${pd.id}, ${delegate.id}, '2026-10-01', '2026-10-31')`;
  other = await makeProject(database.owner);
  otherPm = await makeMember(database.owner, other.id, "PM");
  flow = await makeScheduledFlow(database.owner, project.id, pm.id, "S survey 2\nM* delivery:mos 1 | S FS 0\nB build 3 | M FS 0");
});
beforeEach(() => database.owner`delete from project_switch`);

type Slots = NonNullable<Parameters<typeof makeDus>[2][number]["plan"]>;
const slot = (letter: string) => flow.of(letter).slot;
const id = (letter: string) => flow.of(letter).id;
const planned = (): Slots => ({
  [slot("S")]: { plan_start: "2026-10-15", plan_end: "2026-10-16" },
  [slot("M")]: { plan_start: "2026-10-21", plan_end: "2026-10-21" },
  [slot("B")]: { plan_start: "2026-10-22", plan_end: "2026-10-26" },
});
const dus = (count: number, plan: Slots = planned(), more: object = {}) =>
  makeDus(
    database.owner,
    project.id,
    Array.from({ length: count }, () => ({ plan: structuredClone(plan), ...more })),
    flow,
  );
const call = (user: CtxUser, address: string, input: object = {}) => callAs(user, address, input, { project: project.number });
const list = (user: CtxUser, address: string, filters: unknown[] = [], sort?: unknown[]) =>
  done(call(user, `${address}/1/50/default/${encodeURIComponent(JSON.stringify(filters))}`, sort ? { sort } : {}));
const bits = async (duId: number, letter: string) => {
  const [row] = await database.owner`select state[${slot(letter)}] as state from du_plan where du_id = ${duId}`;
  const state = (row as { state: number }).state;
  return { fixed: (state >> 3) & 1, frozen: (state >> 4) & 1 };
};
const codes = (answer: { rejected: { code: string }[] }) => answer.rejected.map(({ code }) => code);

describe("plan/fix and plan/unfix", () => {
  test("fix the chosen activities of the selected DUs and no others: scheduling no longer moves them [SCH-03]", async () => {
    const [first, second, unselected] = await dus(3);
    expect(await done(call(pm, "plan/fix", { duIds: [first, second], activityIds: [id("B")] }))).toMatchObject({
      done: 2,
      unchanged: 0,
      rejected: [],
    });
    expect(await bits(first!, "B")).toEqual({ fixed: 1, frozen: 0 });
    expect(await bits(second!, "B")).toEqual({ fixed: 1, frozen: 0 });
    expect(await bits(first!, "S")).toEqual({ fixed: 0, frozen: 0 });
    expect(await bits(unselected!, "B")).toEqual({ fixed: 0, frozen: 0 });
    const anchors = [{ activityId: id("M"), start: "2026-10-26" }];
    const { previewId } = await done(call(pm, "rollout/schedule/preview", { duIds: [first], anchors }));
    await done(call(pm, "rollout/schedule/apply", { previewId }));
    expect(await readPlan(database.owner, first!)).toMatchObject({ delivery: "2026-10-26 2026-10-26", build: "2026-10-22 2026-10-26" });
  });

  test("are undone by each other, logged, and say what was so already", async () => {
    const [du] = await dus(1);
    const input = { duIds: [du], activityIds: [id("S"), id("B")] };
    await done(call(pm, "plan/fix", { duIds: [du], activityIds: [id("S")] }));
    const fixed = await done(call(pm, "plan/fix", input));
    expect(fixed).toMatchObject({ done: 1, unchanged: 1 });
    const [log] = await database.owner`select cells, old, new from plan_log where batch_id = ${fixed.batchId}`;
    expect(log).toMatchObject({ cells: [slot("B") * 16 + 9], old: [1], new: [1 | 8] });
    expect(await done(call(pm, "plan/unfix", input))).toMatchObject({ done: 2, unchanged: 0 });
    expect(await bits(du!, "B")).toEqual({ fixed: 0, frozen: 0 });
  });

  test("refuse activities without plan date, not applicable or not in the flow, and DUs out of reach", async () => {
    const [empty] = await dus(1, { [slot("S")]: { plan_end: "2026-10-16" }, [slot("M")]: { state: 3 } });
    const answer = await done(call(pm, "plan/fix", { duIds: [empty, 999_999], activityIds: [id("S"), id("M"), id("B")] }));
    expect(answer).toMatchObject({
      done: 1,
      rejected: [
        { duId: empty, activityId: id("M"), code: "NA_OR_INV" },
        { duId: empty, activityId: id("B"), code: "PLAN_EMPTY", msg: "The plan dates are empty" },
        { duId: 999_999, code: "DU_NOT_FOUND" },
        { duId: 999_999, code: "DU_NOT_FOUND" },
        { duId: 999_999, code: "DU_NOT_FOUND" },
      ],
    });
    const [unbound] = await makeDus(database.owner, project.id, [{}]);
    expect(codes(await done(call(pm, "plan/fix", { duIds: [unbound], activityIds: [id("S")] })))).toEqual(["NO_ACTIVITY"]);
    const foreign = await callAs(otherPm, "plan/fix", { duIds: [empty], activityIds: [id("S")] }, { project: other.number });
    expect(codes(foreign.data)).toEqual(["DU_NOT_FOUND"]);
  });

  test("reach own DUs only with an owner's right, and take 200 DUs at most", async () => {
    const [mine, theirs] = await dus(2);
    const owner = await makeMember(database.owner, project.id, "COMMON_VIEW");
    await makeDuOwner(database.owner, mine!, owner.id, "SITE_OWNER");
    expect(await done(call(owner, "plan/fix", { duIds: [mine, theirs], activityIds: [id("S")] }))).toMatchObject({
      done: 1,
      rejected: [{ duId: theirs, code: "DU_NOT_FOUND" }],
    });
    const many = (count: number) =>
      call(pm, "plan/fix", { duIds: Array.from({ length: count }, (_, at) => 900_000 + at), activityIds: [id("S")] });
    expect(await many(200)).toMatchObject({ status: 200 });
    expect(await many(201)).toMatchObject({ status: 400, problems: [{ path: "duIds", code: "TOO_MANY_DU" }] });
    expect(await call(delegate, "plan/fix", { duIds: [mine], activityIds: [id("S")] })).toMatchObject({
      status: 403,
      code: "NO_PERMISSION",
    });
  });
});

describe("plan/freeze and plan/unfreeze", () => {
  test("freeze the chosen activities of the selected DUs, their bit and an open row together, and unfreeze them again [SCH-04]", async () => {
    const [first, second, unselected] = await dus(3);
    const chosen = { duIds: [first, second], activityIds: [id("M"), id("B")] };
    expect(await done(call(pm, "plan/freeze", { ...chosen, reason: "Promised to the customer" }))).toMatchObject({ done: 4, rejected: [] });
    for (const du of [first!, second!])
      expect([await bits(du, "S"), await bits(du, "M"), await bits(du, "B")].map(({ frozen }) => frozen)).toEqual([0, 1, 1]);
    expect([await bits(unselected!, "M"), await bits(unselected!, "B")].map(({ frozen }) => frozen)).toEqual([0, 0]);
    expect(await done(call(pm, "plan/freeze", { ...chosen, reason: "Again" }))).toMatchObject({ done: 0, unchanged: 4 });
    const item = [{ duId: second, activityId: id("B") }];
    expect(await done(call(pd, "plan/unfreeze", { items: item, reason: "Landlord" }))).toMatchObject({ done: 1 });
    expect(await bits(second!, "B")).toEqual({ fixed: 0, frozen: 0 });
    expect(await bits(first!, "B")).toEqual({ fixed: 0, frozen: 1 });
    const rows = await database.owner`
      select du_id as du, slot, reason, frozen_by as by, unfrozen_by as ended, unfreeze_reason as why from plan_freeze
      where du_id in (${first!}, ${second!}, ${unselected!}) order by du_id, slot`;
    const open = { reason: "Promised to the customer", by: pm.id, ended: null, why: null };
    expect([...rows]).toEqual([
      { du: first, slot: slot("M"), ...open },
      { du: first, slot: slot("B"), ...open },
      { du: second, slot: slot("M"), ...open },
      { du: second, slot: slot("B"), ...open, ended: pd.id, why: "Landlord" },
    ]);
  });

  test("freezing asks for both plan dates, no actual end, an applicable activity and a reason", async () => {
    const [du] = await dus(1, {
      [slot("S")]: { plan_start: "2026-10-01", plan_end: "2026-10-02", actual_end: "2026-10-02" },
      [slot("M")]: { plan_start: "2026-10-21" },
      [slot("B")]: { state: 5, plan_start: "2026-10-22", plan_end: "2026-10-26" },
    });
    const activityIds = [id("S"), id("M"), id("B")];
    expect(codes(await done(call(pm, "plan/freeze", { duIds: [du], activityIds, reason: "Why" })))).toEqual([
      "ACTIVITY_COMPLETED",
      "PLAN_EMPTY",
      "NA_OR_INV",
    ]);
    const problem = (answer: { problems?: { path: string; code: string }[] }) =>
      answer.problems?.map(({ path, code }) => `${path} ${code}`);
    expect(problem(await call(pm, "plan/freeze", { duIds: [du], activityIds, reason: "  " }))).toEqual(["reason REASON_REQUIRED"]);
    expect(problem(await call(pm, "plan/freeze", { duIds: [du], activityIds, reason: "r".repeat(501) }))).toEqual([
      "reason VALUE_TOO_LONG",
    ]);
    expect(problem(await call(pm, "plan/freeze", { reason: "Why" }))).toEqual(["duIds VALUE_MISSING", "activityIds VALUE_MISSING"]);
  });

  test("a freeze of the chosen activities of the selected DUs ends by PD or the delegate of PD alone [SCH-04]", async () => {
    const [du, unselected] = await dus(2);
    const input = (letter: string) => ({ duIds: [du], activityIds: [id(letter)], reason: "Changed" });
    await done(call(pm, "plan/freeze", { duIds: [du, unselected], activityIds: [id("M"), id("B")], reason: "Promised" }));
    expect(await call(pm, "plan/unfreeze", input("B"))).toMatchObject({ status: 403, code: "NO_PERMISSION" });
    expect(await bits(du!, "B")).toEqual({ fixed: 0, frozen: 1 });
    expect(await done(call(delegate, "plan/unfreeze", input("B")))).toMatchObject({ done: 1 });
    expect([await bits(du!, "M"), await bits(du!, "B")].map(({ frozen }) => frozen)).toEqual([1, 0]);
    expect(await done(call(pd, "plan/unfreeze", input("M")))).toMatchObject({ done: 1 });
    expect([await bits(du!, "M"), await bits(du!, "B")].map(({ frozen }) => frozen)).toEqual([0, 0]);
    expect([await bits(unselected!, "M"), await bits(unselected!, "B")].map(({ frozen }) => frozen)).toEqual([1, 1]);
  });

  test("fixed and frozen are independent", async () => {
    const [du] = await dus(1);
    const chosen = { duIds: [du], activityIds: [id("B")] };
    await done(call(pm, "plan/fix", chosen));
    await done(call(pm, "plan/freeze", { ...chosen, reason: "Promised" }));
    expect(await bits(du!, "B")).toEqual({ fixed: 1, frozen: 1 });
    await done(call(pd, "plan/unfreeze", { ...chosen, reason: "Done" }));
    expect(await bits(du!, "B")).toEqual({ fixed: 1, frozen: 0 });
  });
});

describe("planFreeze/list and planFreeze/preview", () => {
  test("show what is frozen and, as history, what was [SCH-01]", async () => {
    const region = await makeRegion(database.owner, project.id);
    const [du] = await dus(1, planned(), { regionId: region });
    await done(call(pm, "plan/freeze", { duIds: [du], activityIds: [id("M"), id("B")], reason: "Promised" }));
    await done(call(pd, "plan/unfreeze", { duIds: [du], activityIds: [id("B")], reason: "Landlord" }));
    const here = { field: "regionId", type: "eq", values: [region] };
    const open = await list(pm, "planFreeze/list", [here, { field: "open", type: "eq", values: [true] }]);
    expect(open).toMatchObject({
      total: 1,
      records: [
        {
          duId: du,
          activityName: "delivery",
          planStart: "2026-10-21",
          planEnd: "2026-10-21",
          reason: "Promised",
          frozenBy: pm.name,
          unfrozenAt: null,
        },
      ],
    });
    const history = await list(pm, "planFreeze/list", [here, { field: "open", type: "eq", values: [false] }]);
    expect(history).toMatchObject({ total: 1, records: [{ activityName: "build", unfrozenBy: pd.name, unfreezeReason: "Landlord" }] });
    expect(await list(pm, "planFreeze/list", [here], [{ field: "activity", dir: "asc" }])).toMatchObject({
      total: 2,
      records: [{ activityName: "build" }, { activityName: "delivery" }],
    });
    const elsewhere = await callAs(otherPm, "planFreeze/list/1/50/default/[]", {}, { project: other.number });
    expect(elsewhere.data).toMatchObject({ total: 0, records: [] });
  });

  test("preview takes what starts from today to so many days ahead and is not frozen yet; what it finds is frozen then [SCH-01]", async () => {
    const region = await makeRegion(database.owner, project.id);
    const starting = (day: string): Slots => ({ [slot("B")]: { plan_start: day, plan_end: "2026-12-01" } });
    const [past] = await dus(1, starting("2026-10-13"), { regionId: region });
    const [today] = await dus(1, starting("2026-10-14"), { regionId: region });
    const [last] = await dus(1, starting("2026-10-21"), { regionId: region });
    const [after] = await dus(1, starting("2026-10-22"), { regionId: region });
    const [frozen] = await dus(1, starting("2026-10-15"), { regionId: region });
    await done(call(pm, "plan/freeze", { duIds: [frozen], activityIds: [id("B")], reason: "Promised" }));
    const filters = [{ field: "regionId", type: "eq", values: [region] }];
    const { dus: count, activities, items } = await done(call(pm, "planFreeze/preview", { filters, withinDays: 7 }));
    expect({ count, activities }).toEqual({ count: 2, activities: 2 });
    expect(items.map(({ duId }: { duId: number }) => duId).sort()).toEqual([today, last].sort());
    const found = items.map(({ duId, activityId }: { duId: number; activityId: number }) => ({ duId, activityId }));
    expect(await done(call(pm, "plan/freeze", { items: found, reason: "Near" }))).toMatchObject({ done: 2, rejected: [] });
    const frozenBits = await Promise.all([past, today, last, after].map(async (duId) => (await bits(duId!, "B")).frozen));
    expect(frozenBits).toEqual([0, 1, 1, 0]);
  });

  test("preview looks at the plan owner", async () => {
    const set = await makeOwnerSet(database.owner, project.id, [pm.id]);
    const [du] = await dus(1, { [slot("B")]: { plan_start: "2026-10-20", plan_end: "2026-10-22", plan_owner: set } });
    const filters = [{ field: "ownerId", type: "eq", values: [pm.id] }];
    expect(await done(call(pm, "planFreeze/preview", { filters, withinDays: 30 }))).toMatchObject({ dus: 1, items: [{ duId: du }] });
  });
});

describe.each(["planFreeze/list", "lockLogic/list"])("the search of %s", (address) => {
  test("is for one entry in codes and names, or for several codes, at most 500 [OPS-30]", async () => {
    const mark = `OF-${address.slice(0, 4).toUpperCase()}`;
    const made = await Promise.all(["1", "10", "2"].map((at) => dus(1, planned(), { code: `${mark}-${at}` })));
    await done(call(pm, "plan/freeze", { duIds: made.flat(), activityIds: [id("B")], reason: "Promised" }));
    const search = async (text: string) =>
      (await list(pm, address, [searchCondition(text)], [{ field: "code", dir: "asc" }])).records.map(
        ({ duCode }: { duCode: string }) => duCode,
      );
    expect(await search(`${mark.toLowerCase()}-1`)).toEqual([`${mark}-1`, `${mark}-10`]);
    expect(await search(`name of ${mark}-2`)).toEqual([`${mark}-2`]);
    expect(await search(`${mark}-2, ${mark}-1\nnowhere`)).toEqual([`${mark}-1`, `${mark}-2`]);
    const entries = (count: number) => Array.from({ length: count }, (_, at) => `entry-${at}`).join(", ");
    expect(await search(entries(searchEntriesMax))).toEqual([]);
    const many = encodeURIComponent(JSON.stringify([searchCondition(entries(searchEntriesMax + 1))]));
    expect(await call(pm, `${address}/1/50/default/${many}`)).toMatchObject({ status: 422, code: "SEARCH_TOO_MANY" });
  });
});

describe("lockLogic/list", () => {
  const search = (code: string) => ({ field: "search", type: "in", values: [code] });

  test("shows which plan data is locked and by which lock [SCH-02]", async () => {
    const locked = (bits: number) => ({ state: 1 | bits, plan_start: "2026-10-21", plan_end: "2026-10-21" });
    await dus(
      1,
      { [slot("S")]: locked(8 | 32), [slot("M")]: locked(1 << 17), [slot("B")]: locked(64 | (2 << 7) | (1 << 15)) },
      { code: "LOCK-1" },
    );
    const { records, total } = await list(pm, "lockLogic/list", [search("LOCK-1")]);
    expect(total).toBe(6);
    expect(records.map(({ activityName, kind, field }: Record<string, string>) => [activityName, kind, field])).toEqual([
      ["survey", "FIXED", "plan"],
      ["survey", "TOOL", "actualDates"],
      ["delivery", "MOS_FROZEN", "planDates"],
      ["build", "APPROVING", "actualDates"],
      ["build", "CLOSED", "allDates"],
      ["build", "REVENUE", "actualDates"],
    ]);
    await dus(1, { [slot("S")]: locked(1 << 1), [slot("M")]: locked(2 << 1), [slot("B")]: locked(1 << 7) }, { code: "LOCK-NA" });
    // NA and INV; an approval that nobody was asked for yet locks nothing.
    expect((await list(pm, "lockLogic/list", [search("LOCK-NA")])).records).toMatchObject([
      { activityName: "survey", kind: "NA", field: "allDates" },
      { activityName: "delivery", kind: "NA", field: "allDates" },
    ]);
  });

  test("says since when and by whom a freeze lasts [SCH-02]", async () => {
    const [du] = await dus(1, planned(), { code: "LOCK-2" });
    await done(call(pm, "plan/freeze", { duIds: [du], activityIds: [id("B")], reason: "Promised" }));
    expect((await list(pm, "lockLogic/list", [search("LOCK-2")])).records).toMatchObject([{ kind: "FROZEN", by: pm.name, since: clock }]);
  });

  test("locks of the project's switches count while they are on [SCH-02]", async () => {
    const [du] = await dus(1, planned(), { code: "LOCK-3" });
    await database.owner`update du_plan set release_state = 1 where du_id = ${du!}`;
    await makeDuOwner(database.owner, du!, pm.id);
    expect((await list(pm, "lockLogic/list", [search("LOCK-3")])).total).toBe(0);
    for (const [key, kind] of [
      ["planChangeControl", "RELEASED"],
      ["dataControl", "OWNER_ONLY"],
    ]) {
      await database.owner`delete from project_switch`;
      await database.owner`insert into project_switch (project_id, key, value, effective_at, updated_at) values (${project.id}, ${key!}, 'Y', ${clock}, ${clock})`;
      const { records } = await list(pm, "lockLogic/list", [search("LOCK-3")]);
      expect(records.map((row: { kind: string }) => row.kind)).toEqual([kind, kind, kind]);
    }
  });

  test("stays empty without a DU search, a flow with activity, or a kind", async () => {
    const none = [[], [{ field: "flowId", type: "eq", values: [flow.id] }], [{ field: "activityId", type: "eq", values: [id("B")] }]];
    for (const filters of none) expect((await list(pm, "lockLogic/list", filters)).total).toBe(0);
    expect((await list(pm, "lockLogic/list", [...none[1]!, ...none[2]!])).total).toBeGreaterThan(0);
    const kind = await list(pm, "lockLogic/list", [{ field: "kind", type: "eq", values: ["CLOSED"] }]);
    expect(kind.records.every((row: { kind: string }) => row.kind === "CLOSED")).toBe(true);
    expect(kind.total).toBeGreaterThan(0);
  });
});
