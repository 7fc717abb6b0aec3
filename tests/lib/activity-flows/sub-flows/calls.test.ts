import { beforeAll, describe, expect, test } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { callAs } from "../../../support/call.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject } from "../../../support/factories.ts";
import { meanwhile } from "../../../support/meanwhile.ts";
import { done, makeDraft, makeDus, makeFlow } from "../make-flow.ts";

const db = useDatabase();
let project: string;
let projectId: number;
let other: string;
let pm: CtxUser;
let td: CtxUser;
let stranger: CtxUser;

beforeAll(async () => {
  ({ id: projectId, number: project } = await makeProject(db.owner));
  const second = await makeProject(db.owner);
  other = second.number;
  pm = await makeMember(db.owner, projectId, "PM");
  td = await makeMember(db.owner, projectId, "TD");
  stranger = await makeMember(db.owner, second.id, "PM");
});

const call = (address: string, input: object, user = pm) => callAs(user, address, input, { project });
const step = (name: string, weight = 1) => ({ name, weight });
const make = (name: string, ...names: string[]) =>
  done(call("subFlow/save", { subFlow: { name }, steps: names.map((each) => step(each)) }));
const list = async () => (await done(call("subFlow/list", {}))).subFlows;
const find = async (name: string) => (await list()).find((row: { name: string }) => row.name === name);
const bits = async (duId: number) =>
  ((await db.owner`select state from du_plan where du_id = ${duId}`)[0]!.state as number[]).map((bit) => (bit >> 20) & 1);

describe("subFlow/save [FLW-02]", () => {
  test("stores a sub-flow with its steps in their order, and changes them", async () => {
    const made = await done(
      call("subFlow/save", { subFlow: { name: "Tower" }, steps: [step("Foundation", 2.5), { ...step("Steel"), needDeliverable: true }] }),
    );
    expect(made).toEqual({ id: expect.any(Number), stepIds: [expect.any(Number), expect.any(Number)], rowVersion: 1 });
    const [first, second] = made.stepIds;
    const changed = await done(
      call("subFlow/save", {
        subFlow: { id: made.id, name: "Tower works", status: "disabled", rowVersion: 1 },
        steps: [{ id: second, ...step("Foundation", 999.99) }, step("Paint", 0.01), { id: first, ...step("Steel") }],
      }),
    );
    expect(changed).toMatchObject({ id: made.id, rowVersion: 2 });
    expect(await find("Tower works")).toEqual({
      id: made.id,
      name: "Tower works",
      status: "disabled",
      steps: [
        { id: second, name: "Foundation", weight: 999.99, needDeliverable: false },
        { id: changed.stepIds[1], name: "Paint", weight: 0.01, needDeliverable: false },
        { id: first, name: "Steel", weight: 1, needDeliverable: false },
      ],
      usedBy: [],
      rowVersion: 2,
    });
    expect(await call("subFlow/save", { subFlow: { id: made.id, name: "X", rowVersion: 1 }, steps: [step("A")] })).toMatchObject({
      status: 409,
      code: "STALE",
    });
    const audit = await db.owner`select detail from audit_log where object = ${`sub_flow ${made.id}`} order by id desc limit 1`;
    expect(audit[0]!.detail).toMatchObject({ before: { name: "Tower", steps: [{ weight: 2.5 }, {}] }, after: { name: "Tower works" } });
  });

  test("refuses a name that is taken, whatever its case", async () => {
    await make("Cabling", "Pull");
    expect(await call("subFlow/save", { subFlow: { name: "cABLING" }, steps: [step("A")] })).toMatchObject({
      status: 422,
      code: "NAME_EXISTS",
    });
  });

  const many = (count: number) => Array.from({ length: count }, (_, at) => step(`Step ${at}`));
  test.each([
    ["a name of 100 characters", { subFlow: { name: "n".repeat(100) }, steps: many(1) }, null],
    ["one of 101", { subFlow: { name: "n".repeat(101) }, steps: many(1) }, "subFlow.name VALUE_TOO_LONG"],
    ["50 steps", { subFlow: { name: "Fifty" }, steps: many(50) }, null],
    ["51 steps", { subFlow: { name: "More" }, steps: many(51) }, "steps TOO_MANY"],
    ["no step", { subFlow: { name: "None" }, steps: [] }, "steps NO_SELECTION"],
    ["a step name of 150 characters", { subFlow: { name: "Long" }, steps: [step("s".repeat(150))] }, null],
    ["one of 151", { subFlow: { name: "Longer" }, steps: [step("s".repeat(151))] }, "steps.0.name VALUE_TOO_LONG"],
    ["a step twice", { subFlow: { name: "Twice" }, steps: [step("A"), step("a")] }, "steps.1.name VALUE_REPEATED"],
    ["a weight of nothing", { subFlow: { name: "Zero" }, steps: [step("A", 0)] }, "steps.0.weight VALUE_TOO_SMALL"],
    ["a weight of 1000", { subFlow: { name: "Heavy" }, steps: [step("A", 1000)] }, "steps.0.weight VALUE_TOO_LARGE"],
    ["three decimals", { subFlow: { name: "Fine" }, steps: [step("A", 0.125)] }, "steps.0.weight"],
    ["a change without revision", { subFlow: { id: 1, name: "Old" }, steps: many(1) }, "subFlow.rowVersion VALUE_MISSING"],
  ])("%s", async (_title, input, problem) => {
    const answer = await call("subFlow/save", input);
    if (problem === null) expect(answer, answer.msg).toMatchObject({ status: 200 });
    else expect(answer.problems?.map(({ path, code }) => `${path} ${code}`).join(" ")).toContain(problem);
  });

  test("of another project is not found, nor its steps", async () => {
    const made = await make("Ours", "A");
    const steps = [step("A")];
    const foreign = (input: object) => callAs(stranger, "subFlow/save", input, { project: other });
    expect(await foreign({ subFlow: { id: made.id, name: "Theirs", rowVersion: 1 }, steps })).toMatchObject({ status: 404 });
    const theirs = await done(foreign({ subFlow: { name: "Theirs" }, steps }));
    const stolen = await foreign({
      subFlow: { id: theirs.id, name: "Theirs", rowVersion: 1 },
      steps: [{ id: made.stepIds[0], ...step("B") }],
    });
    expect(stolen).toMatchObject({ status: 404 });
  });

  test("keeps a step that is being done", async () => {
    const made = await make("Under way", "Dig", "Fill");
    const [du] = await makeDus(db.owner, projectId, 1);
    const answer = await meanwhile(
      db,
      (sql) =>
        sql`insert into du_sub_step (project_id, du_id, slot, step_id, done_on) values (${projectId}, ${du!}, 1, ${made.stepIds[0]}, '2026-10-01')`,
      () =>
        call("subFlow/save", {
          subFlow: { id: made.id, name: "Under way", rowVersion: 1 },
          steps: [{ id: made.stepIds[1], ...step("Fill") }],
        }),
    );
    expect(answer).toMatchObject({ status: 422, code: "IN_USE", msg: expect.stringContaining("Dig (1 DU)") });
  });

  test("the 501st is refused", async () => {
    const full = await makeProject(db.owner);
    const member = await makeMember(db.owner, full.id, "PM");
    await db.owner`insert into sub_flow (project_id, name) select ${full.id}, 'S' || n from generate_series(1, 499) n`;
    const save = (name: string) => callAs(member, "subFlow/save", { subFlow: { name }, steps: [step("A")] }, { project: full.number });
    expect(await save("The 500th")).toMatchObject({ status: 200 });
    expect(await save("The 501st")).toMatchObject({ status: 422, code: "TOO_MANY" });
  });
});

describe("an activity with a sub-flow [FLW-02]", () => {
  test("gets it in a draft only, is named where it is used, and keeps it in use", async () => {
    const { id } = await make("Power", "Meter", "Cable");
    const draft = await makeDraft(pm, project, "With power", "Energy* Rest", "Energy>Rest");
    const nodeId = draft.ids.get("Energy")!;
    const bound = await done(call("subFlow/bind", { nodeId, subFlowId: id }));
    expect(bound).toEqual({ id: nodeId, flowId: draft.id, subFlowId: id, rowVersion: draft.rowVersion + 1 });
    expect((await find("Power")).usedBy).toEqual([{ flowId: draft.id, flowName: "With power", activities: ["Energy"] }]);
    expect(await call("subFlow/delete", { ids: [id] })).toMatchObject({
      status: 422,
      code: "IN_USE",
      msg: "Referenced, cannot be deleted: Power: With power / Energy",
    });
    await done(call("flow/release", { id: draft.id, rowVersion: bound.rowVersion }));
    expect(await call("subFlow/bind", { nodeId, subFlowId: null })).toMatchObject({ code: "WRONG_STATUS" });
  });

  test("keeps it when the graph is saved without a word of it; a graph may change it too", async () => {
    const { id } = await make("Masts", "Up");
    const draft = await makeDraft(pm, project, "Graph", "Mast* End", "Mast>End");
    const node = (name: string, more = {}) => ({ key: name, id: draft.ids.get(name), name, isAnchor: name === "Mast", ...more });
    const graph = { flowId: draft.id, relations: [] };
    const shown = async () =>
      (await done(call(`flow/find/${draft.id}`, {}))).nodes.map(
        ({ name, subFlowId }: { name: string; subFlowId: number }) => `${name} ${subFlowId}`,
      );
    await done(call("flow/graph/save", { ...graph, rowVersion: 2, nodes: [node("Mast", { subFlowId: id }), node("End")] }));
    expect(await shown()).toEqual([`Mast ${id}`, "End null"]);
    await done(call("flow/graph/save", { ...graph, rowVersion: 3, nodes: [node("Mast"), node("End")] }));
    expect(await shown()).toEqual([`Mast ${id}`, "End null"]);
    expect(
      await call("flow/graph/save", { ...graph, rowVersion: 4, nodes: [node("Mast", { subFlowId: null }), node("End")] }, td),
    ).toMatchObject({
      code: "NO_PERMISSION",
    });
    await done(call("flow/graph/save", { ...graph, rowVersion: 4, nodes: [node("Mast", { subFlowId: null }), node("End")] }));
    expect(await shown()).toEqual(["Mast null", "End null"]);
  });

  test("takes none that is disabled or of another project", async () => {
    const { id, stepIds } = await make("Retired", "A");
    const off = { subFlow: { id, name: "Retired", status: "disabled", rowVersion: 1 }, steps: [{ id: stepIds[0], ...step("A") }] };
    await done(call("subFlow/save", off));
    const foreign = await done(callAs(stranger, "subFlow/save", { subFlow: { name: "Far" }, steps: [step("A")] }, { project: other }));
    const draft = await makeDraft(pm, project, "Choosy", "Pick*");
    const nodeId = draft.ids.get("Pick")!;
    expect(await call("subFlow/bind", { nodeId, subFlowId: id })).toMatchObject({ code: "WRONG_STATUS" });
    expect(await call("subFlow/bind", { nodeId, subFlowId: foreign.id })).toMatchObject({ status: 404 });
    for (const subFlowId of [id, foreign.id]) {
      const nodes = [{ key: "p", id: nodeId, name: "Pick", isAnchor: true, subFlowId }];
      expect(await call("flow/graph/save", { flowId: draft.id, rowVersion: 2, nodes, relations: [] })).toMatchObject({
        code: "INVALID_INPUT",
      });
    }
    await done(call("subFlow/delete", { ids: [id] }));
    expect(await find("Retired")).toBeUndefined();
  });

  test("is marked in the plan rows when DUs are bound, and when a flow they follow is released", async () => {
    const { id } = await make("Marked", "A");
    const draft = await makeDraft(pm, project, "Marking", "One* Two", "One>Two");
    const { rowVersion } = await done(call("subFlow/bind", { nodeId: draft.ids.get("One")!, subFlowId: id }));
    await done(call("flow/release", { id: draft.id, rowVersion }));
    const [du] = (await makeDus(db.owner, projectId, 1)) as [number];
    await done(call("duFlow/bind", { duIds: [du], flowId: draft.id }));
    const slotOf = async (name: string) =>
      (await db.owner`select slot from activity_library where id = ${draft.activityIds.get(name)!}`)[0]!.slot as number;
    const [one, two] = [await slotOf("One"), await slotOf("Two")];
    const marked = async () => (await bits(du)).flatMap((bit, at) => (bit ? [at + 1] : []));
    expect(await marked()).toEqual([one]);

    const copy = await done(call("flow/edit", { id: draft.id }));
    const nodes = (await done(call(`flow/find/${copy.id}`, {}))).nodes as { id: number; name: string }[];
    const nodeOf = (name: string) => nodes.find((node) => node.name === name)!.id;
    await done(call("subFlow/bind", { nodeId: nodeOf("One"), subFlowId: null }));
    const last = await done(call("subFlow/bind", { nodeId: nodeOf("Two"), subFlowId: id }));
    expect(await marked()).toEqual([one]);
    await done(call("flow/release", { id: copy.id, rowVersion: last.rowVersion }));
    expect(await marked()).toEqual([two]);
  });

  test("comes along when a flow is copied", async () => {
    const { id } = await make("Copied", "A");
    const flow = await makeFlow(pm, project, "Original", "Deep*");
    const copy = await done(call("flow/edit", { id: flow.id }));
    const nodes = (await done(call(`flow/find/${copy.id}`, {}))).nodes as { id: number }[];
    const { rowVersion } = await done(call("subFlow/bind", { nodeId: nodes[0]!.id, subFlowId: id }));
    await done(call("flow/release", { id: copy.id, rowVersion }));
    const second = await done(call("flow/copy", { id: flow.id, name: "Second" }));
    expect((await done(call(`flow/find/${second.id}`, {}))).nodes).toMatchObject([{ subFlowId: id }]);
  });
});
