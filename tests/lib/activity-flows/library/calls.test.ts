import { beforeAll, describe, expect, test } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { callAs } from "../../../support/call.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject } from "../../../support/factories.ts";
import { done, makeDraft, nameActivity } from "../make-flow.ts";

const database = useDatabase();
let project: string;
let projectId: number;
let pm: CtxUser;

beforeAll(async () => {
  ({ id: projectId, number: project } = await makeProject(database.owner));
  pm = await makeMember(database.owner, projectId, "PM");
});

const save = (input: object, number = project) => callAs(pm, "activityLibrary/save", input, { project: number });
const list = async (filters: unknown[] = []) =>
  (await done(callAs(pm, `activityLibrary/list/1/200/default/${encodeURIComponent(JSON.stringify(filters))}`, {}, { project }))).records;

describe("activityLibrary/save", () => {
  test("gives slots one after another, none twice, even at the same moment", async () => {
    const made = await Promise.all(Array.from({ length: 8 }, (_, at) => done(save({ code: `C${at}`, name: `Together ${at}` }))));
    const slots = made.map((activity) => activity.slot).sort((a, b) => a - b);
    expect(new Set(slots).size).toBe(8);
    expect(slots[7]! - slots[0]!).toBe(7);
  });

  test("changes code, name and kind, never the slot, and logs old and new", async () => {
    const made = await done(save({ code: "RFI", name: "Ready", kind: "normal" }));
    const changed = await done(save({ id: made.id, code: "RFI", name: "Ready for installation", kind: "rfi", rowVersion: 1 }));
    expect(changed).toEqual({ id: made.id, slot: made.slot, rowVersion: 2 });
    expect((await list([{ field: "kind", type: "eq", values: ["rfi"] }]))[0]).toMatchObject({
      id: made.id,
      name: "Ready for installation",
      slot: made.slot,
    });
    const rows = await database.owner`select detail from audit_log where object = ${`activity_library ${made.id}`} order by id`;
    expect(rows[1]!.detail).toMatchObject({
      before: { name: "Ready", kind: "normal" },
      after: { name: "Ready for installation", kind: "rfi" },
    });
    expect(await save({ id: made.id, code: "RFI", name: "X", rowVersion: 1 })).toMatchObject({ status: 409, code: "STALE" });
  });

  test.each([
    ["name", { code: "OTHER", name: "sITE survey" }],
    ["code", { code: "sur", name: "Other" }],
  ] as const)("a %s in use is refused [FLW-32]", async (field, input) => {
    await save({ code: "SUR", name: "Site survey" });
    expect(await save(input)).toMatchObject({ status: 422, code: "ACTIVITY_REPEAT", msg: "Activity repeat" });
    // Nor is it taken by a change of another one, which may keep its own.
    const own = { code: `OWN-${field}`, name: `Own ${field}` };
    const { id } = await done(save(own));
    expect(await save({ ...own, [field]: input[field], id, rowVersion: 1 })).toMatchObject({ status: 422, code: "ACTIVITY_REPEAT" });
    await done(save({ ...own, [field]: own[field].toUpperCase(), id, rowVersion: 1 }));
  });

  test.each([
    [{ code: "", name: "A" }, "code VALUE_MISSING"],
    [{ code: "c".repeat(61), name: "A" }, "code VALUE_TOO_LONG"],
    [{ code: "C", name: "n".repeat(151) }, "name VALUE_TOO_LONG"],
    [{ code: "C", name: "A", kind: "other" }, "kind VALUE_UNKNOWN"],
    [{ code: "C", name: "A", slot: 5 }, "slot VALUE_UNKNOWN"],
  ])("bad input %j", async (input, problem) => {
    expect((await save(input)).problems?.map(({ path, code }) => `${path} ${code}`)).toContain(problem);
  });

  test("the 2,001st is refused, by hand and by a flow", async () => {
    const full = await makeProject(database.owner);
    const member = await makeMember(database.owner, full.id, "PM");
    await database.owner`insert into activity_library (project_id, slot, code, name) select ${full.id}, n, 'F' || n, 'Filled ' || n from generate_series(1, 1999) n`;
    const call = (address: string, input: object) => callAs(member, address, input, { project: full.number });
    const { slot } = await done(call("activityLibrary/save", { code: "LAST", name: "Last" }));
    expect(slot).toBe(2000);
    expect(await call("activityLibrary/save", { code: "MORE", name: "One more" })).toMatchObject({ status: 422, code: "LIBRARY_FULL" });
    const { id } = await done(call("flow/save", { name: "Too much" }));
    const graph = { flowId: id, rowVersion: 1, nodes: [{ key: "n", name: "New here" }], relations: [] };
    expect(await call("flow/graph/save", graph)).toMatchObject({ code: "LIBRARY_FULL" });
    await done(call("flow/graph/save", { ...graph, nodes: [{ key: "n", name: "Filled 7" }] }));
  });
});

describe("activityLibrary/disable", () => {
  test("is refused while a flow holds the activity, naming it [FLW-33]", async () => {
    const draft = await makeDraft(pm, project, "Holder", "Held*");
    const id = draft.activityIds.get("Held")!;
    const answer = await callAs(pm, "activityLibrary/disable", { ids: [id] }, { project });
    expect(answer).toMatchObject({ status: 422, code: "ACTIVITY_REFERENCED" });
    expect(answer.msg).toContain("Holder");
    expect((await list()).find((row: { id: number }) => row.id === id)).toMatchObject({ disabled: false, flowCount: 1 });
  });

  test("is refused while configuration names the activity, naming that [FLW-33]", async () => {
    const { id } = await done(save({ code: "NAMED", name: "Named elsewhere" }));
    await nameActivity(database.owner, projectId, pm.id, id, "Columns of the north");
    const answer = await callAs(pm, "activityLibrary/disable", { ids: [id] }, { project });
    expect(answer).toMatchObject({
      status: 422,
      code: "ACTIVITY_REFERENCED",
      msg: "Activity referenced, cannot be deleted: Named elsewhere: Columns of the north",
    });
  });

  test("keeps the slot for good and frees the name", async () => {
    const old = await done(save({ code: "OLD", name: "Retired" }));
    await done(callAs(pm, "activityLibrary/disable", { ids: [old.id] }, { project }));
    const fresh = await done(save({ code: "NEW", name: "Retired" }));
    expect(fresh.slot).toBeGreaterThan(old.slot);
    expect(await save({ id: old.id, code: "OLD", name: "Back", rowVersion: 2 })).toMatchObject({ code: "WRONG_STATUS" });
    const off = await list([{ field: "enabled", type: "eq", values: [false] }]);
    expect(off.map((row: { id: number }) => row.id)).toContain(old.id);
    const draft = await makeDraft(pm, project, "After it", "Retired*");
    expect(draft.activityIds.get("Retired")).toBe(fresh.id);
  });
});

test("the list is found by code and name, and pages", async () => {
  const found = await list([{ field: "code", type: "like", values: ["c3"] }]);
  expect(found.map((row: { name: string }) => row.name)).toEqual(["Together 3"]);
  const page = await done(callAs(pm, "activityLibrary/list/2/10/default/%5B%5D", {}, { project }));
  expect(page.page).toBe(2);
  expect(page.total).toBeGreaterThan(10);
  const beyond = await done(callAs(pm, "activityLibrary/list/90/10/default/%5B%5D", {}, { project }));
  expect([beyond.records.length, beyond.total]).toEqual([0, page.total]);
});
