import { beforeAll, describe, expect, it } from "vitest";
import { slotTables } from "#lib/activity-flows/changes/commands.ts";
import { dayNumber } from "#lib/core/clock.ts";
import { callAs } from "../../../support/call.ts";
import { clock, useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject } from "../../../support/factories.ts";
import { type MadeDu, makeDus, makeOwnerSet } from "../../../support/plan-factories.ts";
import { done } from "../make-flow.ts";
import { calls, makeOldDus, makeScene, pair, type Scene, toNext } from "./scene.ts";

const database = useDatabase();
let scene: Scene;
let call: ReturnType<typeof calls>;
/** Owner set of the PM alone. */
let owners: number;

beforeAll(async () => {
  scene = await makeScene(database.owner);
  owners = await makeOwnerSet(database.owner, scene.id, [scene.pm.id]);
  call = calls(scene);
});

const day = (iso: string) => dayNumber(iso);
const planColumns = [
  ...["plan_start", "plan_end", "actual_start", "actual_end", "baseline_start", "baseline_end", "released_start", "released_end"],
  ...["plan_owner", "actual_owner", "attr_owner"],
];
/** The columns of a plan row that hold something; one that held nothing may stand as zeros. */
const filled = (row: Record<string, number[] | null>) => planColumns.filter((column) => row[column]?.some((value) => value !== 0));
const plan = async (duId: number) => (await database.owner`select * from du_plan where du_id = ${duId}`)[0]!;
const dus = (...given: MadeDu[]) => makeOldDus(database.owner, scene, given);
const mapping = async (...rows: object[]) =>
  (await done(call.saveMapping(scene.pm, { name: `Mapping ${Math.random()}`, fromFlowId: scene.old.id, toFlowId: scene.next.id, rows })))
    .id as number;
const codes = (answer: { problems?: { path: string; code: string }[] }) => answer.problems?.map(({ path, code }) => `${path} ${code}`);
const lastLog = async (duId: number) =>
  (
    await database.owner`
    select l.cells, l.old, l.new, l.attrs, l.flow_id, b.source, b.reason, b.origin from plan_log l join plan_batch b on b.id = l.batch_id
    where l.du_id = ${duId} order by b.seq desc limit 1`
  )[0]!;
const logged = (log: Awaited<ReturnType<typeof lastLog>>, cell: number) => {
  const at = (log.cells as number[]).indexOf(cell);
  return at < 0 ? null : [log.old[at], log.new[at]];
};

describe("a change with a mapping", () => {
  it("keeps survey in slot 7 and empties slots 1 to 3; the log has both; nobody is asked while only the survey is done [FLW-11] [FLW-21]", async () => {
    const [du] = (await dus({
      plan: {
        1: {
          plan_start: "2026-09-20",
          plan_end: "2026-09-22",
          actual_start: "2026-09-20",
          actual_end: "2026-09-22",
          plan_owner: owners,
          baseline_end: "2026-09-21",
        },
        2: { plan_start: "2026-10-20", plan_end: "2026-10-25", plan_owner: owners },
        3: { plan_end: "2026-11-02" },
      },
    })) as [number];
    await database.owner`update du_plan set release_state = 1 where du_id = ${du}`;
    const mappingId = await mapping(pair(scene, 1, 7, "plan", "actual", "owner"));
    const answer = await done(call.submit(scene.pm, { ...toNext(scene, du), mappingId }));
    expect(answer).toMatchObject({ status: "done", done: 1, refused: [] });

    const row = await plan(du);
    const [start, end] = [day("2026-09-20"), day("2026-09-22")];
    expect([row.plan_start, row.plan_end]).toEqual([
      [0, 0, 0, 0, 0, 0, start],
      [0, 0, 0, 0, 0, 0, end],
    ]);
    expect([row.actual_start, row.actual_end]).toEqual([
      [0, 0, 0, 0, 0, 0, start],
      [0, 0, 0, 0, 0, 0, end],
    ]);
    expect([row.plan_owner, row.baseline_end, row.release_state, row.done_count, row.applicable_count]).toEqual([
      [0, 0, 0, 0, 0, 0, owners],
      null,
      0,
      1,
      3,
    ]);
    // In flow at slots 3, 7 and 8 alone; the survey counts as completed.
    expect((row.state as number[]).map((bits) => bits & 1)).toEqual([0, 0, 1, 0, 0, 0, 1, 1]);
    expect((row.state[6] >> 10) & 7).toBe(6);

    const log = await lastLog(du);
    expect(log).toMatchObject({
      source: "flow",
      reason: "Scope changed",
      flow_id: scene.old.id,
      origin: { kind: "duChange", id: answer.id },
    });
    expect([logged(log, 1 * 16 + 4), logged(log, 2 * 16 + 2), logged(log, 3 * 16 + 2), logged(log, 7 * 16 + 4)]).toEqual([
      [end, 0],
      [day("2026-10-25"), 0],
      [day("2026-11-02"), 0],
      [0, end],
    ]);
    expect(logged(log, 1 * 16 + 6)).toEqual([day("2026-09-21"), 0]);

    const flows = await database.owner`select flow_id, unbound_at, source, bound_by from du_flow where du_id = ${du} order by id`;
    expect(flows).toMatchObject([
      { flow_id: scene.old.id, unbound_at: clock },
      { flow_id: scene.next.id, unbound_at: null, source: "manual", bound_by: scene.pm.id },
    ]);
  });

  it.each([
    ["design", 2],
    ["install", 3],
  ])("asks PD or DPD when %s carries an actual date too [FLW-22]", async (_name, slot) => {
    const mappingId = await mapping(pair(scene, 1, 7, "plan", "actual", "owner"));
    const [kept, lost] = (await dus(
      { plan: { 1: { actual_end: "2026-09-22" } } },
      { plan: { 1: { actual_end: "2026-09-22" }, [slot]: { actual_start: "2026-09-25" } } },
    )) as [number, number];
    const check = await done(call.check(scene.pm, { ...toNext(scene, kept, lost), mappingId }));
    expect(check.dus.map((du: { needsApproval: boolean }) => du.needsApproval)).toEqual([false, true]);
    expect(check.needsApproval).toBe(true);
    expect(check.approvers.map(({ id, role }: { id: number; role: string }) => [id, role])).toEqual([
      [scene.pd.id, "PD"],
      [scene.dpd.id, "DPD"],
    ]);
    const answer = await done(call.submit(scene.pm, { ...toNext(scene, kept, lost), mappingId, approverId: scene.pd.id }));
    expect(answer.status).toBe("approving");
    expect(await database.owner`select 1 from du_flow where du_id in (${kept}, ${lost}) and flow_id = ${scene.next.id}`).toHaveLength(0);
    await done(call.approve(scene.pd, [answer.id]));
    expect(
      await database.owner`select 1 from du_flow where du_id in (${kept}, ${lost}) and flow_id = ${scene.next.id} and unbound_at is null`,
    ).toHaveLength(2);
  });

  it("without mapping keeps nothing, an activity of both flows included, and names what goes in numbers [FLW-21]", async () => {
    const [du] = (await dus({
      ext: { a1: "stays", "a2@3": "goes", "a2@1": "goes too" },
      plan: {
        1: {
          plan_start: "2026-09-20",
          plan_end: "2026-09-22",
          actual_end: "2026-09-22",
          plan_owner: owners,
          actual_owner: owners,
          attr_owner: owners,
          state: 1 | (3 << 7),
        },
        3: { plan_end: "2026-11-02", actual_start: "2026-10-01", baseline_end: "2026-11-01", state: 1 | (4 << 10) | (1 << 19) },
      },
    })) as [number];
    await database.owner`
      update du_plan set released_start = array[${day("2026-09-20")}]::smallint[], released_end = array[${day("2026-09-22")}]::smallint[] where du_id = ${du}`;
    await database.owner`insert into du_activity_note (du_id, slot, delay_reason) values (${du}, 3, 'Landlord')`;
    await database.owner`
      insert into work_order (project_id, number, du_id, slot, status, assignee_id) values (${scene.id}, 801, ${du}, 3, 'started', ${scene.pm.id})`;
    const check = await done(call.check(scene.pm, toNext(scene, du)));
    expect(check.dus[0].impact).toEqual({
      lost: { planDates: 2, actualDates: 2, owners: 1, baselines: 1, attributes: 2, notes: 1, approvals: 1, workOrders: 1, frozen: 0 },
      kept: { planDates: 0, actualDates: 0, owners: 0, baselines: 0, attributes: 0, notes: 0, approvals: 0, workOrders: 0, frozen: 0 },
    });
    const { id } = await done(call.submit(scene.pm, { ...toNext(scene, du), approverId: scene.pd.id }));
    expect(await done(call.approve(scene.pd, [id]))).toMatchObject({ decided: 1, done: 1, refused: 0 });
    const row = await plan(du);
    expect(filled(row)).toEqual([]);
    expect(row.state).toEqual([0, 0, 1 | (7 << 7), 0, 0, 0, 1 | (7 << 7), 1 | (7 << 7)]);
    expect((await database.owner`select ext from du where id = ${du}`)[0]!.ext).toEqual({ a1: "stays" });
    expect(await database.owner`select 1 from du_activity_note where du_id = ${du}`).toHaveLength(0);
    expect((await lastLog(du)).attrs).toMatchObject({
      "a2@3": ["goes", null],
      "a2@1": ["goes too", null],
      "note.delayReason@3": ["Landlord", null],
    });
  });

  it("takes attribute values and baseline dates over, also to the same slot [FLW-11]", async () => {
    const mappingId = await mapping(pair(scene, 1, 8, "attributes", "baseline"), pair(scene, 3, 3, "attributes", "plan"));
    const [du] = (await dus({
      ext: { "a2@1": "moves", "a3@1": 7, "a2@3": "stays", "a9@2": "goes" },
      plan: { 1: { baseline_start: "2026-09-01", baseline_end: "2026-09-03", plan_end: "2026-09-05" }, 3: { plan_end: "2026-11-02" } },
    })) as [number];
    await done(call.submit(scene.pm, { ...toNext(scene, du), mappingId }));
    expect((await database.owner`select ext from du where id = ${du}`)[0]!.ext).toEqual({ "a2@8": "moves", "a3@8": 7, "a2@3": "stays" });
    const row = await plan(du);
    expect([row.baseline_end, row.plan_end]).toEqual([
      [0, 0, 0, 0, 0, 0, 0, day("2026-09-03")],
      [0, 0, day("2026-11-02")],
    ]);
    expect(logged(await lastLog(du), 3 * 16 + 2)).toBeNull();
  });

  it("keeps one historical version of its DUs as they were", async () => {
    const [one, two] = (await dus({ plan: { 1: { plan_end: "2026-09-22" } } }, {})) as [number, number];
    const { id, number } = await done(call.submit(scene.pm, toNext(scene, one, two)));
    const { version } = await done(call.find(scene.pm, id));
    const [kept] = await database.owner`select * from plan_version where id = ${version.id}`;
    expect(kept).toMatchObject({
      kind: "historical",
      former_kind: null,
      scope: "selection",
      in_force: false,
      source: "flow_change",
      du_count: 2,
    });
    expect(kept!.name).toBe(`DUC-${String(number).padStart(4, "0")}`);
    const rows =
      await database.owner`select du_id, flow_id, plan_end from plan_version_row where version_id = ${version.id} order by du_id`;
    expect(rows).toEqual([
      { du_id: one, flow_id: scene.old.id, plan_end: [day("2026-09-22"), 0, 0] },
      { du_id: two, flow_id: scene.old.id, plan_end: [0, 0, 0] },
    ]);
  });
});

describe("rows at the slots of a DU", () => {
  it("are treated table by table: the list is complete [FLW-21]", async () => {
    const tables = await database.owner<{ name: string }[]>`
      select c.relname as name from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and exists (
        select from pg_attribute d, pg_attribute s where d.attrelid = c.oid and d.attname in ('du_id', 'du_a_id', 'du_b_id') and not d.attisdropped
          and s.attrelid = c.oid and s.attname in ('slot', 'activity_id') and not s.attisdropped) order by 1`;
    expect(Object.keys(slotTables).sort()).toEqual(tables.map(({ name }) => name));
  });

  it("a joint date goes with the plan end of either of its DUs and stays with one that is kept [FLW-21]", async () => {
    const ends = { plan: { 1: { plan_end: "2026-10-20" }, 3: { plan_end: "2026-10-28" } } };
    const [moved, freed, partner, other] = (await dus(ends, ends, ends, ends)) as [number, number, number, number];
    const joint = (a: number, b: number, slot: number) => database.owner`
      insert into special_plan (project_id, site_id, du_a_id, du_b_id, activity_id, joint_date, rfc_number)
      select ${scene.id}, site_id, ${Math.min(a, b)}, ${Math.max(a, b)}, ${scene.activities[slot - 1]!.id}, '2026-10-28', '' from du where id = ${a}`;
    for (const [a, b] of [
      [moved, partner],
      [freed, partner],
      [partner, other],
    ] as const)
      for (const slot of [1, 3]) await joint(a, b, slot);
    const left = async () =>
      (
        await database.owner`
        select du_a_id, du_b_id, a.slot from special_plan s join activity_library a on a.id = s.activity_id where s.project_id = ${scene.id} order by 1, 2, 3`
      ).map((row) => [row.du_a_id, row.du_b_id, row.slot]);
    const mappingId = await mapping(pair(scene, 1, 7, "plan"), pair(scene, 3, 3, "plan"));
    await done(call.submit(scene.pm, { ...toNext(scene, moved), mappingId }));
    await done(call.submit(scene.pm, { kind: "unbind", items: [{ duId: freed }] }));
    const others = [
      [partner, other, 1],
      [partner, other, 3],
    ];
    expect(await left()).toEqual([[moved, partner, 3], ...others]);
    // Kept is the activity, but not its plan.
    const [again] = (await dus(ends)) as [number];
    await joint(again, partner, 3);
    await done(call.submit(scene.pm, { ...toNext(scene, again), mappingId: await mapping(pair(scene, 3, 3, "baseline")) }));
    expect(await left()).toEqual([[moved, partner, 3], ...others]);
  });

  it("orders go and their history stays, open requests fail, freezes end with the number of the change, histories are kept [FLW-21]", async () => {
    const [du] = (await dus({
      plan: {
        1: { plan_start: "2026-10-20", plan_end: "2026-10-22", state: 1 | (3 << 10) },
        2: { plan_end: "2026-10-25", state: 1 | (1 << 14) },
        3: { plan_start: "2026-10-20", plan_end: "2026-10-28", state: 1 | (1 << 4) | (2 << 10) },
      },
    })) as [number];
    const sql = database.owner;
    const orders = await sql<{ id: number }[]>`
      insert into work_order (project_id, number, du_id, slot, status, assignee_id)
      values (${scene.id}, 901, ${du}, 1, 'accepted', ${scene.pm.id}), (${scene.id}, 902, ${du}, 3, 'assigned', ${scene.pm.id}) returning id`;
    await sql`
      insert into work_order_event (project_id, work_order_id, number, du_id, slot, event, from_status, to_status, at)
      values (${scene.id}, ${orders[0]!.id}, 901, ${du}, 1, 'dispatch', 'scheduled', 'assigned', ${clock})`;
    const [own, any] = await sql<{ id: number }[]>`
      insert into temp_process (project_id, name, flow_id, steps, status)
      values (${scene.id}, 'Of the old flow', ${scene.old.id}, '[]', 'released'), (${scene.id}, 'Of any flow', null, '[]', 'released') returning id`;
    await sql`
      insert into work_order (project_id, number, du_id, name, status, temp, temp_process_id) values
        (${scene.id}, 903, ${du}, 'Temporary power', 'started', true, ${own!.id}), (${scene.id}, 904, ${du}, 'Fence', 'started', true, ${any!.id})`;
    await sql`
      insert into na_request (project_id, number, du_id, slot, kind, reason, applicant_id, status, created_at)
      values (${scene.id}, 901, ${du}, 2, 'NA', 'x', ${scene.pm.id}, 'approving', ${clock})`;
    await sql`
      insert into plan_freeze (project_id, du_id, slot, reason, frozen_at, frozen_by) values (${scene.id}, ${du}, 3, 'Promised', ${clock}, ${scene.pm.id})`;
    const [lock] = await sql<{ id: number }[]>`
      insert into plan_change (project_id, number, reason, status, created_by, created_at) values (${scene.id}, 901, 'x', 'applied', ${scene.pm.id}, ${clock}) returning id`;
    await sql`
      insert into plan_change_item (change_id, project_id, du_id, slot, field, old, new) values (${lock!.id}, ${scene.id}, ${du}, 3, 'plan_end', 1, 2)`;
    const [subFlow] = await sql<{ id: number }[]>`insert into sub_flow (project_id, name) values (${scene.id}, 'Steps') returning id`;
    const [step] = await sql<
      { id: number }[]
    >`insert into sub_flow_step (sub_flow_id, name, seq) values (${subFlow!.id}, 'A', 1) returning id`;
    await sql`insert into du_sub_step (project_id, du_id, slot, step_id, done_on) values (${scene.id}, ${du}, 1, ${step!.id}, '2026-10-01')`;
    const check = await done(call.check(scene.pm, toNext(scene, du)));
    expect(check.dus[0].impact.lost).toMatchObject({ workOrders: 4, frozen: 1 });
    const reason = "x".repeat(2000);
    const { id, number } = await done(call.submit(scene.pm, { ...toNext(scene, du), reason, approverId: scene.pd.id }));
    await done(call.approve(scene.pd, [id]));
    const code = `DUC-${String(number).padStart(4, "0")}`;
    // A process for any flow goes on.
    expect(await sql`select number, status from work_order where du_id = ${du}`).toEqual([{ number: 904, status: "started" }]);
    expect(await sql`select number, event, from_status, reason from work_order_event where du_id = ${du} order by id`).toEqual([
      { number: 901, event: "dispatch", from_status: "scheduled", reason: null },
      { number: 901, event: "remove", from_status: "accepted", reason: `${code}: ${reason}`.slice(0, 2000) },
      { number: 902, event: "remove", from_status: "assigned", reason: `${code}: ${reason}`.slice(0, 2000) },
      { number: 903, event: "remove", from_status: "started", reason: `${code}: ${reason}`.slice(0, 2000) },
    ]);
    expect(await sql`select status, code from na_request where du_id = ${du}`).toEqual([{ status: "failed", code: "NO_ACTIVITY" }]);
    expect(await sql`select unfrozen_by, unfreeze_reason from plan_freeze where du_id = ${du}`).toEqual([
      { unfrozen_by: scene.pd.id, unfreeze_reason: code },
    ]);
    expect(await sql`select 1 from plan_change_item where du_id = ${du}`).toHaveLength(1);
    expect(await sql`select 1 from du_sub_step where du_id = ${du}`).toHaveLength(0);
    expect(((await plan(du)).state as number[]).every((bits) => bits === 0 || bits === (1 | (7 << 7)))).toBe(true);
  });
});

describe("guards", () => {
  const input = (duId: number) => toNext(scene, duId);
  const facts = { plan: { 1: { actual_end: "2026-09-22" } } };

  it("refuse a DU in another open change, with its own message, until that one ends [FLW-25]", async () => {
    const [du] = (await dus(facts)) as [number];
    const first = await done(call.submit(scene.pm, { ...input(du), approverId: scene.pd.id }));
    const second = await call.submit(scene.tl, { ...input(du), approverId: scene.dpd.id });
    expect([second.status, second.code, second.msg, codes(second)]).toEqual([
      422,
      "CHANGE_IN_PROGRESS",
      "Another flow change of the DU is in progress",
      ["items.0 CHANGE_IN_PROGRESS"],
    ]);
    const direct = await callAs(scene.pm, "duFlow/unbind", { duIds: [du] }, { project: scene.number });
    expect(codes(direct)).toEqual(["duIds.0 CHANGE_IN_PROGRESS"]);
    await done(call.withdraw(scene.pm, [first.id]));
    await done(call.submit(scene.tl, { ...input(du), approverId: scene.dpd.id }));
  });

  it("refuse a DU that has the wanted flow already, with its own message [FLW-25]", async () => {
    const [du] = (await dus({})) as [number];
    await done(call.submit(scene.pm, input(du)));
    const again = await call.submit(scene.pm, input(du));
    expect([again.code, again.msg, codes(again)]).toEqual([
      "ALREADY_CHANGED",
      "The flow of the DU has already been changed",
      ["items.0 ALREADY_CHANGED"],
    ]);
  });

  it.each([
    ["triggered revenue [FLW-26]", 1 << 15, "REVENUE_TRIGGERED"],
    ["a frozen MOS [FLW-28]", 1 << 17, "MOS_FROZEN"],
  ])("refuse a DU with %s for a change and for an unbind, before and when it is approved", async (_title, bit, code) => {
    const [bare, later] = (await dus({ plan: { 2: { state: 1 | bit } } }, facts)) as [number, number];
    for (const wanted of [input(bare), { kind: "unbind", items: [{ duId: bare }] }]) {
      expect((await done(call.check(scene.pm, wanted))).dus[0].problems.map((problem: { code: string }) => problem.code)).toEqual([code]);
      const refused = await call.submit(scene.pm, wanted);
      expect([refused.status, refused.code, codes(refused)]).toEqual([422, code, [`items.0 ${code}`]]);
      expect(refused.msg).toContain("flow");
    }
    const { id } = await done(call.submit(scene.pm, { ...input(later), approverId: scene.pd.id }));
    await database.owner`update du_plan set state[2] = state[2] | ${bit}::int, row_version = row_version + 1 where du_id = ${later}`;
    expect(await done(call.approve(scene.pd, [id]))).toMatchObject({ decided: 1, done: 0, refused: 1 });
    expect((await done(call.find(scene.pm, id))).items).toMatchObject([{ result: "refused", refusal: code }]);
  });

  it("take DUs out that a guard refuses when the change is carried out: it is done in part", async () => {
    const [fine, moved, gone] = (await dus({ ...facts, code: "PART-1" }, { ...facts, code: "PART-2" }, { ...facts, code: "PART-3" })) as [
      number,
      number,
      number,
    ];
    const { id } = await done(call.submit(scene.pm, { ...toNext(scene, fine, moved, gone), approverId: scene.pd.id }));
    await database.owner`update du set deleted_at = now() where id = ${gone}`;
    await database.owner`update du_plan set state[2] = state[2] | (1 << 15), row_version = row_version + 1 where du_id = ${moved}`;
    const before = await plan(moved);
    expect(await done(call.approve(scene.pd, [id]))).toMatchObject({ done: 1, refused: 2 });
    expect(await database.owner`select code from du_change_item where change_id = ${id} and du_id = ${gone}`).toEqual([
      { code: "DU_NOT_FOUND" },
    ]);
    const change = await done(call.find(scene.pm, id));
    expect([change.status, change.items.map((item: { result: string; refusal: string | null }) => [item.result, item.refusal])]).toEqual([
      "partly_done",
      [
        ["done", null],
        ["refused", "REVENUE_TRIGGERED"],
      ],
    ]);
    expect(await plan(moved)).toEqual(before);
    expect((await database.owner`select du_count from plan_version where id = ${change.version.id}`)[0]!.du_count).toBe(1);
    expect((await done(call.check(scene.pm, input(moved)))).dus[0].problems.map((problem: { code: string }) => problem.code)).toEqual([
      "REVENUE_TRIGGERED",
    ]);
  });

  it("ask again whether the flow can be given: none of the DUs gets one that was disabled meanwhile, and no version is kept", async () => {
    const other = await makeScene(database.owner);
    const [du] = (await makeOldDus(database.owner, other, [facts])) as [number];
    const { id } = await done(calls(other).submit(other.pm, { ...toNext(other, du), approverId: other.pd.id }));
    await database.owner`update activity_flow set status = 'disabled' where id = ${other.next.id}`;
    expect(await done(calls(other).approve(other.pd, [id]))).toMatchObject({ decided: 1, done: 0, refused: 1 });
    expect(await done(calls(other).find(other.pm, id))).toMatchObject({
      status: "partly_done",
      version: null,
      items: [{ refusal: "FLOW_NOT_RELEASED" }],
    });
    expect(await database.owner`select 1 from plan_version where project_id = ${other.id}`).toHaveLength(0);
  });

  it("refuse the whole change and name every DU and reason", async () => {
    const [bound, free] = (await dus({}, { plan: { 2: { state: 1 | (1 << 15) | (1 << 17) } } })) as [number, number];
    const [unbound] = (await makeDus(database.owner, scene.id, [{}])) as [number];
    const foreign = await makeProject(database.owner);
    const [theirs] = (await makeDus(database.owner, foreign.id, [{}])) as [number];
    const answer = await call.submit(scene.pm, toNext(scene, bound, free, unbound, theirs));
    expect(codes(answer)).toEqual(["items.1 REVENUE_TRIGGERED", "items.1 MOS_FROZEN", "items.2 NOT_BOUND", "items.3 DU_NOT_FOUND"]);
    expect((await database.owner`select flow_id from du_flow where du_id = ${bound} and unbound_at is null`)[0]!.flow_id).toBe(
      scene.old.id,
    );
  });

  it("refuse a flow that is not released or not there, and a mapping of other flows", async () => {
    const [du] = (await dus({})) as [number];
    const [disabled] = await database.owner<{ id: number }[]>`
      insert into activity_flow (project_id, name, status, version, owner_id, created_by, created_at, updated_by, updated_at)
      values (${scene.id}, 'Gone', 'disabled', 1, ${scene.pm.id}, ${scene.pm.id}, now(), ${scene.pm.id}, now()) returning id`;
    const to = (newFlowId: number) => ({ kind: "change", items: [{ duId: du, newFlowId }] });
    expect(codes(await call.submit(scene.pm, to(disabled!.id)))).toEqual(["items.0 FLOW_NOT_RELEASED"]);
    expect(codes(await call.submit(scene.pm, to(999_999)))).toEqual(["items.0.newFlowId NOT_FOUND"]);
    const back = await done(call.saveMapping(scene.pm, { name: "Back", fromFlowId: scene.next.id, toFlowId: scene.old.id, rows: [] }));
    expect(codes(await call.submit(scene.pm, { ...input(du), mappingId: back.id }))).toEqual(["items.0 MAPPING_MISFIT"]);
    expect((await call.submit(scene.pm, { ...input(du), mappingId: 999_999 })).code).toBe("NOT_FOUND");
  });
});

describe("what is submitted", () => {
  const many = (size: number) => ({
    kind: "change",
    items: Array.from({ length: size }, (_, at) => ({ duId: 900_000 + at, newFlowId: scene.next.id })),
  });

  it("holds 100 DUs at most [FLW-31] [OPS-20]", async () => {
    expect((await call.submit(scene.pm, many(100))).code).toBe("DU_NOT_FOUND");
    for (const answer of [await call.submit(scene.pm, many(101)), await call.check(scene.pm, many(101))])
      expect(answer).toMatchObject({ status: 400, problems: [{ path: "items", code: "TOO_MANY", params: { max: 100 } }] });
  });

  it("is carried out for 100 DUs in one transaction, batch and version", async () => {
    const ids = await dus(...Array.from({ length: 100 }, () => ({ plan: { 1: { plan_end: "2026-10-20" } } })));
    expect(await done(call.submit(scene.pm, toNext(scene, ...ids)))).toMatchObject({ status: "done", done: 100 });
    const [counts] = await database.owner`
      select count(distinct l.batch_id)::int as batches, count(*)::int as rows from plan_log l where l.du_id = any(${ids}::bigint[])`;
    expect(counts).toEqual({ batches: 1, rows: 100 });
  });

  it("names a reason, each DU once, and a flow for a change but none for an unbind", async () => {
    const [du] = (await dus({})) as [number];
    const wrong = async (given: object) => codes(await call.submit(scene.pm, given));
    expect(await wrong({ ...toNext(scene, du), reason: "  " })).toEqual(["reason REASON_REQUIRED"]);
    expect(await wrong({ ...toNext(scene, du), reason: "x".repeat(2001) })).toEqual(["reason VALUE_TOO_LONG"]);
    expect(await wrong(toNext(scene, du, du))).toEqual(["items.1.duId VALUE_REPEATED"]);
    expect(await wrong({ kind: "change", items: [{ duId: du }] })).toEqual(["items.0.newFlowId VALUE_MISSING"]);
    expect(await wrong({ kind: "unbind", items: [{ duId: du, newFlowId: scene.next.id }] })).toEqual(["items.0.newFlowId VALUE_UNKNOWN"]);
    expect(await wrong({ kind: "change", items: [] })).toEqual(["items NO_SELECTION"]);
    expect((await done(call.submit(scene.pm, { ...toNext(scene, du), reason: "x".repeat(2000) }))).status).toBe("done");
  });

  it("may take the flow away where a direct unbind is refused: with approval order, approval, dates and owners go [FLW-21] [FLW-22]", async () => {
    const held = { plan_start: "2026-10-18", plan_end: "2026-10-20", actual_end: "2026-10-10", plan_owner: owners, actual_owner: owners };
    const [du] = (await dus({ plan: { 1: { ...held, state: 1 | (3 << 7) | (3 << 10) } } })) as [number];
    await database.owner`
      insert into work_order (project_id, number, du_id, slot, status, assignee_id) values (${scene.id}, 803, ${du}, 1, 'accepted', ${scene.pm.id})`;
    const unbind = { kind: "unbind", items: [{ duId: du }] };
    expect((await callAs(scene.pm, "duFlow/unbind", { duIds: [du] }, { project: scene.number })).code).toBe("HAS_FACTS");
    const { id, status } = await done(call.submit(scene.pm, { ...unbind, approverId: scene.dpd.id }));
    expect(status).toBe("approving");
    await done(call.approve(scene.dpd, [id]));
    const row = await plan(du);
    expect(row.state).toEqual([]);
    expect(filled(row)).toEqual([]);
    expect(await database.owner`select 1 from work_order where du_id = ${du}`).toHaveLength(0);
    expect(await database.owner`select 1 from du_flow where du_id = ${du} and unbound_at is null`).toHaveLength(0);
  });

  it("keeps the mapping it was submitted with, whatever becomes of the mapping", async () => {
    const [du] = (await dus({ plan: { 1: { plan_end: "2026-09-22" }, 2: { actual_end: "2026-10-01" } } })) as [number];
    const mappingId = await mapping(pair(scene, 1, 7, "plan"));
    const { id } = await done(call.submit(scene.pm, { ...toNext(scene, du), mappingId, approverId: scene.pd.id }));
    await done(callAs(scene.pm, "retentionMapping/delete", { ids: [mappingId] }, { project: scene.number }));
    await done(call.approve(scene.pd, [id]));
    expect((await plan(du)).plan_end).toEqual([0, 0, 0, 0, 0, 0, day("2026-09-22")]);
    expect((await done(call.find(scene.pm, id))).pairs).toMatchObject([
      { fromName: "Survey", toName: "New survey", plan: true, actual: false },
    ]);
  });
});

describe("duChange/list", () => {
  it("finds changes by number, DU, status, kind, delivery type and flow, with what they are about [FLW-07]", async () => {
    const other = await makeScene(database.owner);
    const list = calls(other);
    const [one, two] = (await makeOldDus(database.owner, other, [
      { code: "LIST-1", plan: { 1: { actual_end: "2026-09-22" } } },
      { code: "LIST-2" },
    ])) as [number, number];
    await database.owner`update du set delivery_type = 'Swap' where id = ${one}`;
    const open = await done(list.submit(other.pm, { ...toNext(other, one), approverId: other.pd.id }));
    await done(list.submit(other.pm, { kind: "unbind", items: [{ duId: two }] }));
    const numbers = async (filters: object[]) =>
      (await done(list.list(other.pm, filters))).records.map((row: { number: number }) => row.number);
    const eq = (field: string, value: unknown) => [{ field, type: field === "search" ? "like" : "eq", values: [value] }];
    expect(await numbers([])).toEqual([2, 1]);
    expect(await numbers(eq("search", "list-2"))).toEqual([2]);
    expect(await numbers(eq("search", "DUC-0001"))).toEqual([1]);
    expect(await numbers(eq("status", "approving"))).toEqual([1]);
    expect(await numbers(eq("kind", "unbind"))).toEqual([2]);
    expect(await numbers(eq("deliveryType", "Swap"))).toEqual([1]);
    expect(await numbers(eq("flowId", other.next.id))).toEqual([1]);
    const [, row] = (await done(list.list(other.pm))).records;
    expect(row).toMatchObject({
      id: open.id,
      deliveryType: "Swap",
      duCount: 1,
      duCodes: ["LIST-1"],
      newFlows: ["Swap flow"],
      submitterName: other.pm.name,
      approverName: other.pd.name,
      mayDecide: false,
      mayWithdraw: true,
    });
    const inbox = async (user: typeof other.pm) => (await done(list.list(user, eq("mine", true)))).records.length;
    expect([await inbox(other.pm), await inbox(other.pd), await inbox(other.dpd)]).toEqual([0, 1, 0]);
  });

  it("shows nothing of another project", async () => {
    const stranger = await makeMember(database.owner, (await makeProject(database.owner)).id, "PM");
    expect(await call.list(stranger)).toMatchObject({ status: 403 });
    const other = await makeScene(database.owner);
    const [mine] = (await done(call.list(scene.pm))).records;
    expect(await calls(other).find(other.pm, mine.id)).toMatchObject({ status: 404 });
  });
});
