import { beforeEach, describe, expect, test } from "vitest";
import { searchCondition } from "#lib/activity-flows/binding/logic.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { searchEntriesMax } from "#lib/core/filter-limits.ts";
import { stateBits } from "#lib/rollout-plan/plan-rows/limits.ts";
import { jointRowsMax } from "#lib/rollout-plan/two-networks/limits.ts";
import { callAs } from "../../../support/call.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject } from "../../../support/factories.ts";
import { type MadeActivity, makeActivities, makeDuOwner, makeDus, makeFlow } from "../../../support/plan-factories.ts";
import { done } from "../../scheduling/make-scheduled.ts";

const db = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;
let activities: MadeActivity[];
let dus: Record<string, number>;

const day = (date: string) => ({ plan_start: date, plan_end: date });

/** Two sites: the first holds two DUs of 5G and one of 4G, the second one of each. */
beforeEach(async () => {
  project = await makeProject(db.owner);
  pm = await makeMember(db.owner, project.id, "PM");
  activities = await makeActivities(db.owner, project.id, ["Survey", "Cutover", "Only 5G"]);
  const both = activities.slice(0, 2);
  const [wide, narrow] = [await makeFlow(db.owner, project.id, pm.id, activities), await makeFlow(db.owner, project.id, pm.id, both)];
  const plan = () => ({ 1: day("2026-10-20"), 2: day("2026-10-26") });
  const codes = { new: ["A-5G", "A-5G2", "B-5G"], old: ["A-4G", "B-4G"] };
  const fives = await makeDus(
    db.owner,
    project.id,
    codes.new.map((code) => ({ code, plan: plan() })),
    { id: wide, activities },
  );
  const fours = await makeDus(
    db.owner,
    project.id,
    codes.old.map((code) => ({ code, plan: plan() })),
    { id: narrow, activities: both },
  );
  dus = Object.fromEntries([...codes.new.map((code, at) => [code, fives[at]!]), ...codes.old.map((code, at) => [code, fours[at]!])]);
  for (const [code, id] of Object.entries(dus)) {
    const first = dus[code.startsWith("A") ? "A-5G" : "B-5G"]!;
    await db.owner`update du set site_id = (select site_id from du where id = ${first}), product_line = ${code.includes("5G") ? "5G" : "4G"}, rfc_number = 'R1' where id = ${id}`;
  }
});

const call = (address: string, input: object = {}, user = pm) => callAs(user, address, input, { project: project.number });
const lines = { typeA: "5G", typeB: "4G" };
const find = async (more: object = {}, user = pm) =>
  done(call("specialRolloutPlan/find", { ...lines, activityIds: [activities[1]!.id], filters: [], ...more }, user));
const row = (a: string, b: string, jointDate: string | null, more: object = {}) => ({
  duAId: dus[a],
  duBId: dus[b],
  activityId: activities[1]!.id,
  jointDate,
  rowVersion: null,
  ...more,
});
const save = (rows: object[], user = pm) => call("specialRolloutPlan/save", { rows }, user);
const endOf = async (code: string) => (await db.owner`select plan_end[2]::int as "end" from du_plan where du_id = ${dus[code]!}`)[0]!.end;
const codesOf = (answer: { rejected: { code: string }[] }) => answer.rejected.map(({ code }) => code);
// Days since 2000-01-01.
const [before, joint] = [9795, 9799];
const jointDay = "2026-10-30";

describe("specialRolloutPlan/head", () => {
  test("gives the product lines, and the activities that both of two lines have [RPL-36]", async () => {
    expect(await done(call("specialRolloutPlan/head"))).toEqual({ lines: ["4G", "5G"], columns: [] });
    expect((await done(call("specialRolloutPlan/head", lines))).columns).toEqual([
      { activityId: activities[0]!.id, name: "Survey" },
      { activityId: activities[1]!.id, name: "Cutover" },
    ]);
    expect((await call("specialRolloutPlan/head", { typeA: "5G", typeB: "5G" })).problems).toMatchObject([
      { path: "typeB", code: "VALUE_REPEATED" },
    ]);
  });
});

describe("specialRolloutPlan/find", () => {
  test("gives a row per pair of DUs of both lines at a site, with their plan dates [RPL-37]", async () => {
    const { records, total } = await find();
    expect(total).toBe(3);
    expect(records.map(({ duA, duB }: { duA: { code: string }; duB: { code: string } }) => `${duA.code} ${duB.code}`)).toEqual([
      "A-5G A-4G",
      "A-5G2 A-4G",
      "B-5G B-4G",
    ]);
    const dates = { planStart: "2026-10-26", planEnd: "2026-10-26" };
    expect(records[0]).toMatchObject({
      rfcDiffers: false,
      cells: [{ activityId: activities[1]!.id, a: dates, b: dates, jointDate: null, rowVersion: null }],
    });
    expect((await find({ size: 2, page: 2 })).records).toHaveLength(1);
    expect((await find({ filters: [{ field: "search", type: "like", values: ["b-4"] }] })).total).toBe(1);
    expect((await find({ activityIds: [activities[2]!.id] })).records[0].cells[0]).toMatchObject({ a: { planEnd: null }, b: null });
  });

  test("searches one entry in sites and DUs, several as codes of either, at most 500 [OPS-30]", async () => {
    const search = async (text: string) =>
      (await find({ filters: [searchCondition(text)] })).records.map(
        ({ duA, duB }: { duA: { code: string }; duB: { code: string } }) => `${duA.code} ${duB.code}`,
      );
    const [first, second, other] = ["A-5G A-4G", "A-5G2 A-4G", "B-5G B-4G"];
    expect(await search("a-5g")).toEqual([first, second]);
    expect(await search("site s-b-5g")).toEqual([]);
    expect(await search("site b-5g")).toEqual([other]);
    expect(await search("A-5G, nowhere\nB-")).toEqual([first]);
    expect(await search("A-5G2, B-4G")).toEqual([second, other]);
    expect(await search("S-B-5G, nowhere")).toEqual([other]);
    const entries = (count: number) => Array.from({ length: count }, (_, n) => `entry-${n}`.padEnd(60, "-")).join(", ");
    expect(await search(entries(searchEntriesMax))).toEqual([]);
    expect(await search("n".repeat(300))).toEqual([]);
    const many = { ...lines, activityIds: [activities[1]!.id], filters: [searchCondition(entries(searchEntriesMax + 1))] };
    expect(await call("specialRolloutPlan/find", many)).toMatchObject({
      status: 400,
      problems: [{ path: "filters.0.values", code: "SEARCH_TOO_MANY" }],
    });
  });

  test("shows pairs of which the caller sees both DUs", async () => {
    const owner = await makeMember(db.owner, project.id, "SITE_OWNER");
    await makeDuOwner(db.owner, dus["A-5G"]!, owner.id, "SITE_OWNER");
    expect((await find({}, owner)).total).toBe(0);
    await makeDuOwner(db.owner, dus["A-4G"]!, owner.id, "SITE_OWNER");
    expect((await find({}, owner)).total).toBe(1);
  });
});

describe("specialRolloutPlan/save", () => {
  test("makes the joint date the plan end of both DUs, and keeps it; the change can be undone [RPL-38]", async () => {
    const answer = await done(save([row("B-5G", "B-4G", jointDay)]));
    expect(answer).toEqual({ saved: 1, rejected: [], batchId: expect.any(Number) });
    expect([await endOf("B-5G"), await endOf("B-4G")]).toEqual([joint, joint]);
    const pair = async () => (await find({ filters: [{ field: "search", type: "like", values: ["B-"] }] })).records[0].cells[0];
    expect(await pair()).toMatchObject({ jointDate: jointDay, rowVersion: 1, a: { planEnd: jointDay }, b: { planEnd: jointDay } });
    // The same pair seen from the other side is the same row.
    expect(await done(save([row("B-4G", "B-5G", "2026-11-02", { rowVersion: 1, planEndA: null })]))).toMatchObject({ saved: 1 });
    expect(await pair()).toMatchObject({ jointDate: "2026-11-02", rowVersion: 2, a: { planEnd: "2026-11-02" }, b: { planEnd: jointDay } });
    await done(call("rolloutPlan/undo", { batchId: answer.batchId }));
    expect(await endOf("B-4G")).toBe(before);
  });

  test("writes both DUs or none, with all that hang together; other sites are not touched by it", async () => {
    await db.owner`update du_plan set state[2] = state[2] | ${1 << stateBits.frozen.at}::int where du_id = ${dus["A-4G"]!}`;
    const answer = await done(save([row("A-5G", "A-4G", jointDay), row("A-5G2", "A-4G", jointDay), row("B-5G", "B-4G", jointDay)]));
    expect(answer.saved).toBe(1);
    expect(codesOf(answer)).toEqual(["FROZEN", "FROZEN"]);
    expect([await endOf("A-5G"), await endOf("A-5G2"), await endOf("A-4G"), await endOf("B-5G")]).toEqual([before, before, before, joint]);
    expect((await find()).records.map(({ cells }: { cells: { jointDate: string | null }[] }) => cells[0]!.jointDate)).toEqual([
      null,
      null,
      jointDay,
    ]);
  });

  test("needs one RFC number in all DUs of the call; none counts as a number [RPL-26]", async () => {
    await db.owner`update du set rfc_number = null where id = ${dus["A-4G"]!}`;
    expect(await save([row("B-5G", "B-4G", jointDay), row("A-5G", "A-4G", jointDay)])).toMatchObject({ status: 422, code: "RFC_DIFFERS" });
    expect(await endOf("B-5G")).toBe(before);
    expect((await find()).records.map(({ rfcDiffers }: { rfcDiffers: boolean }) => rfcDiffers)).toEqual([true, true, false]);
    await db.owner`update du set rfc_number = null where project_id = ${project.id}`;
    expect(await done(save([row("A-5G", "A-4G", jointDay)]))).toMatchObject({ saved: 1 });
  });

  test("refuses a row somebody else has changed", async () => {
    await done(save([row("B-5G", "B-4G", jointDay)]));
    expect(codesOf(await done(save([row("B-5G", "B-4G", "2026-11-02")])))).toEqual(["STALE"]);
    expect(codesOf(await done(save([row("B-5G", "B-4G", "2026-11-02", { rowVersion: 2 })])))).toEqual(["STALE"]);
    expect(await endOf("B-5G")).toBe(joint);
    expect(await done(save([row("B-5G", "B-4G", null, { rowVersion: 1 })]))).toMatchObject({ saved: 1, batchId: null });
    expect(await endOf("B-5G")).toBe(joint);
  });

  test("refuses pairs that are none, activities one of them does not have, and two dates for one DU", async () => {
    expect(codesOf(await done(save([row("A-5G", "B-4G", jointDay)])))).toEqual(["DU_NOT_FOUND"]);
    expect(codesOf(await done(save([row("A-5G", "A-4G", jointDay, { activityId: activities[2]!.id })])))).toEqual(["NO_ACTIVITY"]);
    const twice = await done(save([row("A-5G", "A-4G", jointDay), row("A-5G2", "A-4G", "2026-11-02")]));
    expect(codesOf(twice)).toEqual(["VALUE_REPEATED"]);
    expect([await endOf("A-4G"), await endOf("A-5G2")]).toEqual([joint, before]);
    const problem = async (rows: object[]) => (await save(rows)).problems?.map(({ path, code }) => `${path} ${code}`).join();
    expect(await problem([row("A-5G", "A-5G", jointDay)])).toBe("rows.0.duBId VALUE_REPEATED");
    expect(await problem([row("A-5G", "A-4G", "soon")])).toBe("rows.0.jointDate DATE_FORMAT");
    expect(await problem(Array(jointRowsMax + 1).fill(row("A-5G", "A-4G", jointDay)))).toBe("rows TOO_MANY");
    expect(await save([row("A-5G", "A-4G", jointDay)], await makeMember(db.owner, project.id, "TD"))).toMatchObject({ status: 403 });
  });
});
