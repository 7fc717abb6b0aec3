import { beforeAll, describe, expect, it } from "vitest";
import { callAs } from "../../../support/call.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeScene, pair, type Scene } from "../changes/scene.ts";
import { done } from "../make-flow.ts";

const database = useDatabase();
let scene: Scene;

beforeAll(async () => {
  scene = await makeScene(database.owner);
});

let count = 0;
const given = (more: object = {}) => ({ name: `Mapping ${++count}`, fromFlowId: scene.old.id, toFlowId: scene.next.id, rows: [], ...more });
const call = (address: string, input: object = {}, user = scene.pm) =>
  callAs(user, `retentionMapping/${address}`, input, { project: scene.number });
const save = (input: object) => call("save", input);
const listed = async (input: object = {}) => (await done(call("list", input))).records;
const problems = async (input: object) => (await save(input)).problems?.map(({ path, code }) => `${path} ${code}`);

describe("a retention mapping", () => {
  it("says per pair of activities what is retained, and is stored as it was given [FLW-11]", async () => {
    const rows = [pair(scene, 1, 7, "plan", "actual"), pair(scene, 3, 3, "owner", "baseline", "attributes", "deliverables")];
    const { id, rowVersion } = await done(save(given({ name: "New build to swap", isDefault: true, rows })));
    expect(rowVersion).toBe(1);
    const mapping = (await listed()).find((one: { id: number }) => one.id === id);
    expect(mapping).toMatchObject({
      name: "New build to swap",
      fromFlowName: "New build",
      toFlowName: "Swap flow",
      isDefault: true,
      updatedByName: scene.pm.name,
      rows,
    });
    await done(save(given({ id, rowVersion, name: "Renamed", rows: rows.slice(0, 1) })));
    expect((await listed()).find((one: { id: number }) => one.id === id)).toMatchObject({
      name: "Renamed",
      isDefault: false,
      rows: rows.slice(0, 1),
    });
    expect(await save(given({ id, rowVersion }))).toMatchObject({ status: 409, code: "STALE" });
  });

  it("names an activity of each flow once, and only activities of its flows", async () => {
    expect(await problems(given({ rows: [pair(scene, 1, 7), pair(scene, 2, 7)] }))).toEqual(["rows.1.toActivityId TARGET_REPEATED"]);
    expect(await problems(given({ rows: [pair(scene, 1, 7), pair(scene, 1, 8)] }))).toEqual(["rows.1.fromActivityId VALUE_REPEATED"]);
    expect(await problems(given({ rows: [pair(scene, 7, 1)] }))).toEqual([
      "rows.0.fromActivityId NO_ACTIVITY",
      "rows.0.toActivityId NO_ACTIVITY",
    ]);
    expect(await problems(given({ toFlowId: scene.old.id }))).toEqual(["toFlowId VALUE_REPEATED"]);
    expect((await save(given({ toFlowId: 999_999 }))).code).toBe("NOT_FOUND");
  });

  it("has a name of 1 to 100 characters that is free in the project", async () => {
    await done(save(given({ name: "x".repeat(100) })));
    expect(await problems(given({ name: "x".repeat(101) }))).toEqual(["name VALUE_TOO_LONG"]);
    expect(await problems(given({ name: " " }))).toEqual(["name NAME_REQUIRED"]);
    expect(await save(given({ name: "X".repeat(100) }))).toMatchObject({ status: 422, code: "NAME_EXISTS" });
  });

  it("is the default of its two flows alone", async () => {
    const first = await done(save(given({ isDefault: true })));
    const second = await done(save(given({ isDefault: true })));
    const back = await done(save(given({ isDefault: true, fromFlowId: scene.next.id, toFlowId: scene.old.id })));
    const defaults = (await listed()).filter((one: { isDefault: boolean }) => one.isDefault).map((one: { id: number }) => one.id);
    expect(defaults).not.toContain(first.id);
    expect(defaults.sort()).toEqual([second.id, back.id].sort());
    expect((await listed({ fromFlowId: scene.next.id })).map((one: { id: number }) => one.id)).toEqual([back.id]);
  });

  it("is suggested from the activities both flows have", async () => {
    const { rows } = await done(call("suggest", { fromFlowId: scene.old.id, toFlowId: scene.next.id }));
    expect(rows).toEqual([pair(scene, 3, 3, "plan", "actual", "owner", "baseline", "deliverables", "attributes")]);
    expect(await call("suggest", { fromFlowId: scene.old.id, toFlowId: 999_999 })).toMatchObject({ status: 404 });
  });

  it("keeps the activities it names in their flows [FLW-33]", async () => {
    await done(save(given({ name: "Names the survey", rows: [pair(scene, 1, 7, "plan")] })));
    const copy = await done(callAs(scene.pm, "flow/edit", { id: scene.old.id }, { project: scene.number }));
    const { nodes } = await done(callAs(scene.pm, `flow/find/${copy.id}`, {}, { project: scene.number }));
    const ids = nodes.flatMap((node: { id: number; name: string }) => (node.name === "Survey" ? node.id : []));
    const remove = () => callAs(scene.pm, "flow/node/delete", { ids }, { project: scene.number });
    const refused = await remove();
    expect([refused.code, refused.msg]).toEqual(["ACTIVITY_REFERENCED", expect.stringContaining("Names the survey")]);
    const naming = (await listed({ fromFlowId: scene.old.id })).map((one: { id: number }) => one.id);
    await done(call("delete", { ids: naming }));
    await done(remove());
    await done(callAs(scene.pm, "flow/discard", { id: copy.id }, { project: scene.number }));
  });

  it("is deleted by who may edit it, all of the named or none", async () => {
    const { id } = await done(save(given({ rows: [pair(scene, 1, 7, "plan")] })));
    expect(await call("delete", { ids: [id] }, scene.tl)).toMatchObject({ status: 403, code: "NO_PERMISSION" });
    expect(await call("delete", { ids: [id, 999_999] })).toMatchObject({ status: 404 });
    expect(await done(call("delete", { ids: [id] }))).toEqual({ deleted: 1 });
    expect((await listed()).some((one: { id: number }) => one.id === id)).toBe(false);
  });
});
