import { beforeAll, describe, expect, test } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { callAs } from "../../../support/call.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject } from "../../../support/factories.ts";
import { meanwhile } from "../../../support/meanwhile.ts";
import { done, makeDraft, makeDus, makeFlow, nodes, relations } from "../make-flow.ts";

const database = useDatabase();
let project: string;
let projectId: number;
let pm: CtxUser;

beforeAll(async () => {
  ({ id: projectId, number: project } = await makeProject(database.owner));
  pm = await makeMember(database.owner, projectId, "PM");
});

type Node = { id: number; name: string; activityId: number; slot: number };
const find = (id: number) => done(callAs(pm, `flow/find/${id}`, {}, { project }));
const release = (id: number, rowVersion: number) => callAs(pm, "flow/release", { id, rowVersion }, { project });
const slotOf = async (flowId: number, name: string): Promise<number> =>
  (await find(flowId)).nodes.find((node: Node) => node.name === name).slot;
const inFlow = async (duId: number) => {
  const [row] = await database.owner<{ slots: number[] }[]>`
    select coalesce(array_agg(n order by n) filter (where p.state[n] & 1 = 1), '{}') as slots
    from du_plan p cross join generate_series(1, coalesce(cardinality(p.state), 0)) n where p.du_id = ${duId}`;
  return row!.slots;
};
/** Opens the working copy and gives it another graph; existing activities are kept by name. */
async function edit(flowId: number, nodeText: string, relationText = ""): Promise<{ id: number; rowVersion: number }> {
  const copy = await done(callAs(pm, "flow/edit", { id: flowId }, { project }));
  const known = new Map((await find(copy.id)).nodes.map((node: Node) => [node.name, node.id]));
  const next = nodes(nodeText).map((node) => ({ ...node, ...(known.has(node.name) ? { id: known.get(node.name) } : {}) }));
  const saved = await done(
    callAs(
      pm,
      "flow/graph/save",
      { flowId: copy.id, rowVersion: copy.rowVersion, nodes: next, relations: relations(relationText) },
      { project },
    ),
  );
  return { id: copy.id, rowVersion: saved.rowVersion };
}

describe("a draft", () => {
  test("becomes version 1", async () => {
    const draft = await makeDraft(pm, project, "First", "A* B", "A>B");
    expect(await done(release(draft.id, draft.rowVersion))).toMatchObject({ flowId: draft.id, version: 1, changedDus: 0 });
    expect((await find(draft.id)).flow).toMatchObject({ status: "released", version: 1 });
    expect(await release(draft.id, draft.rowVersion + 1)).toMatchObject({ status: 422, code: "WRONG_STATUS" });
  });

  test("waits for the project before it locks the flow, as rules that come into force do", async () => {
    const draft = await makeDraft(pm, project, "Ordered", "A*");
    const answer = await meanwhile(
      database,
      (sql) => sql`select 1 from project where id = ${projectId} for no key update`,
      () => release(draft.id, draft.rowVersion),
      (sql) => sql`select 1 from activity_flow where id = ${draft.id} for share nowait`,
    );
    expect(answer).toMatchObject({ status: 200 });
  });

  test.each([
    ["without activities", "", "", "FLOW_EMPTY"],
    ["without anchor", "A B", "A>B", "NO_ANCHOR"],
  ])("%s is not released", async (title, nodeText, relationText, code) => {
    const { id } = await done(callAs(pm, "flow/save", { name: title }, { project }));
    const graph = { flowId: id, rowVersion: 1, nodes: nodeText ? nodes(nodeText) : [], relations: relations(relationText) };
    await done(callAs(pm, "flow/graph/save", graph, { project }));
    expect(await release(id, 2)).toMatchObject({ status: 422, code });
    expect((await find(id)).flow).toMatchObject({ status: "draft", version: 0 });
  });

  test("with a loop in stored data is not released", async () => {
    const draft = await makeDraft(pm, project, "Looped", "A* B", "A>B");
    await database.owner`
      insert into flow_relation (flow_id, pre_node_id, node_id, type) values (${draft.id}, ${draft.ids.get("B")!}, ${draft.ids.get("A")!}, 'SS')`;
    const answer = await release(draft.id, draft.rowVersion);
    expect(answer).toMatchObject({ status: 422, code: "CYCLE" });
    expect(answer.msg).toContain("A → B → A");
  });

  test("links activities that had no library activity", async () => {
    const draft = await makeDraft(pm, project, "Unlinked", "Lonely*");
    await database.owner`update flow_activity set activity_id = null where flow_id = ${draft.id}`;
    await done(release(draft.id, draft.rowVersion));
    expect((await find(draft.id)).nodes[0].activityId).toBe(draft.activityIds.get("Lonely"));
  });

  test("a stale revision is refused", async () => {
    const draft = await makeDraft(pm, project, "Stale", "A*");
    expect(await release(draft.id, draft.rowVersion - 1)).toMatchObject({ status: 409, code: "STALE" });
  });
});

describe("a working copy", () => {
  test("replaces its flow: nodes that stay keep their ids, the copy is gone", async () => {
    const flow = await makeFlow(pm, project, "Next", "A*:1 B:2 C:3", "A>B B>C:SS+1");
    const before = new Map((await find(flow.id)).nodes.map((node: Node) => [node.name, node.id]));
    const copy = await edit(flow.id, "C:9 A*:1 D:4", "A>C A>D:FF-2");
    await done(callAs(pm, "flow/save", { id: copy.id, name: "Next renamed", rowVersion: copy.rowVersion }, { project }));
    expect(await done(release(copy.id, copy.rowVersion + 1))).toMatchObject({ flowId: flow.id, version: 2, entering: 1, leaving: 1 });
    const after = await find(flow.id);
    expect(after.flow).toMatchObject({ id: flow.id, name: "Next renamed", version: 2, status: "released" });
    expect(after.workingCopy).toBeNull();
    expect(after.nodes.map((node: Node & { leadTimeDays: number }) => `${node.name} ${node.leadTimeDays}`)).toEqual(["C 9", "A 1", "D 4"]);
    expect(after.nodes.slice(0, 2).map((node: Node) => node.id)).toEqual([before.get("C"), before.get("A")]);
    const names = new Map(after.nodes.map((node: Node) => [node.id, node.name]));
    expect(
      after.relations
        .map(
          (one: { pre: number; node: number; type: string; offset: number }) =>
            `${names.get(one.pre)}>${names.get(one.node)} ${one.type}${one.offset}`,
        )
        .sort(),
    ).toEqual(["A>C FS0", "A>D FF-2"]);
    expect(await callAs(pm, `flow/find/${copy.id}`, {}, { project })).toMatchObject({ status: 404 });
  });

  test("brings every bound DU along: new activities come in, removed ones go out with what hangs on them", async () => {
    const flow = await makeFlow(pm, project, "Followed", "Stays* Goes", "Stays>Goes");
    const dus = await makeDus(database.owner, projectId, 3);
    await done(callAs(pm, "duFlow/bind", { duIds: dus, flowId: flow.id }, { project }));
    const [stays, goes] = [await slotOf(flow.id, "Stays"), await slotOf(flow.id, "Goes")];
    const [first] = dus as [number];
    // An owner and a note are no facts: they do not keep an activity, but nothing of them may stay behind.
    const [owners] = await database.owner<
      { id: number }[]
    >`insert into owner_set (project_id, user_ids) values (${projectId}, ${[pm.id]}) returning id`;
    await database.owner`update du_plan set plan_owner = array_fill(${owners!.id}::int, array[${goes}::int]), state[${goes}] = state[${goes}] | (1 << 19) where du_id = ${first}`;
    await database.owner`insert into du_activity_note (du_id, slot, score) values (${first}, ${goes}, 4), (${first}, ${stays}, 5)`;
    await database.owner`update du set ext = ${database.owner.json({ a1: "du", [`a2@${goes}`]: "goes", [`a2@${stays}`]: "stays" })} where id = ${first}`;
    const copy = await edit(flow.id, "Stays* Comes", "Stays>Comes");
    expect(await inFlow(first)).toEqual([stays, goes].sort((a, b) => a - b));
    expect(await done(release(copy.id, copy.rowVersion))).toMatchObject({ version: 2, changedDus: 3 });

    const comes = await slotOf(flow.id, "Comes");
    for (const du of dus) expect(await inFlow(du)).toEqual([stays, comes].sort((a, b) => a - b));
    const [row] =
      await database.owner`select coalesce(plan_owner[${goes}], 0) as owner, coalesce(state[${goes}], 0) as state from du_plan where du_id = ${first}`;
    expect(row).toEqual({ owner: 0, state: 0 });
    expect(await database.owner`select slot from du_activity_note where du_id = ${first}`).toEqual([{ slot: stays }]);
    const [{ ext } = {}] = await database.owner`select ext from du where id = ${first}`;
    expect(ext).toEqual({ a1: "du", [`a2@${stays}`]: "stays" });
    expect(await database.owner`select distinct flow_version from du_flow where flow_id = ${flow.id}`).toEqual([{ flow_version: 2 }]);
    const batches = await database.owner`
      select b.source, b.du_count, b.origin from plan_batch b join plan_log l on l.batch_id = b.id where l.du_id = ${first} order by b.seq`;
    expect(batches.map((batch) => [batch.source, batch.du_count])).toEqual([
      ["flow", 3],
      ["flow", 3],
    ]);
    expect(batches[1]!.origin).toEqual({ kind: "flow", id: flow.id, version: 2 });
  });

  test.each([
    ["changed relations", "A* B", "A>B:FS+3", 2],
    ["a new activity", "A* B N", "A>B", 2],
    ["other lead times only", "A*:9 B", "A>B", 1],
  ])("%s: a released plan counts as changed or not", async (title, nodeText, relationText, expected) => {
    const flow = await makeFlow(pm, project, `Plans ${title}`, "A* B", "A>B");
    const [released, open] = (await makeDus(database.owner, projectId, 2)) as [number, number];
    await done(callAs(pm, "duFlow/bind", { duIds: [released, open], flowId: flow.id }, { project }));
    await database.owner`update du_plan set release_state = 1 where du_id = ${released}`;
    const copy = await edit(flow.id, nodeText, relationText);
    await done(release(copy.id, copy.rowVersion));
    const states = await database.owner`select release_state as state from du_plan where du_id in (${released}, ${open}) order by du_id`;
    expect(states.map((row) => row.state)).toEqual([expected, 0]);
  });

  test("an approval that has not begun follows the activity, one that has stays", async () => {
    const flow = await makeFlow(pm, project, "Approved", "A* B", "A>B");
    const [fresh, begun] = (await makeDus(database.owner, projectId, 2)) as [number, number];
    await done(callAs(pm, "duFlow/bind", { duIds: [fresh, begun], flowId: flow.id }, { project }));
    const slot = await slotOf(flow.id, "B");
    await database.owner`update du_plan set state[${slot}] = (state[${slot}] & ~(7 << 7)) | (3 << 7) where du_id = ${begun}`;
    const copy = await done(callAs(pm, "flow/edit", { id: flow.id }, { project }));
    const b = (await find(copy.id)).nodes.find((node: Node) => node.name === "B");
    const node = { id: b.id, name: "B", needApproval: true };
    const saved = await done(callAs(pm, "flow/node/save", { flowId: copy.id, rowVersion: 1, node }, { project }));
    await done(release(copy.id, saved.rowVersion));
    const states =
      await database.owner`select state[${slot}] >> 7 & 7 as approval from du_plan where du_id in (${fresh}, ${begun}) order by du_id`;
    expect(states.map((row) => row.approval)).toEqual([0, 3]);
  });

  test("without anchor is refused and the flow stays", async () => {
    const flow = await makeFlow(pm, project, "Unanchored", "A* B", "A>B");
    const copy = await edit(flow.id, "A B", "A>B");
    expect(await release(copy.id, copy.rowVersion)).toMatchObject({ code: "NO_ANCHOR" });
    expect((await find(flow.id)).flow.version).toBe(1);
  });

  test("a binding at the same moment ends on the new version", async () => {
    const flow = await makeFlow(pm, project, "Concurrent", "A* B", "A>B");
    const dus = await makeDus(database.owner, projectId, 4);
    const copy = await edit(flow.id, "A* B C", "A>B B>C");
    const answers = await Promise.all([
      release(copy.id, copy.rowVersion),
      ...dus.map((du) => callAs(pm, "duFlow/bind", { duIds: [du], flowId: flow.id }, { project })),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200]);
    const c = await slotOf(flow.id, "C");
    for (const du of dus) expect(await inFlow(du)).toContain(c);
    expect(await database.owner`select distinct flow_version from du_flow where flow_id = ${flow.id}`).toEqual([{ flow_version: 2 }]);
  });

  test("10,000 bound DUs follow in one transaction", async () => {
    const large = await makeProject(database.owner);
    const member = await makeMember(database.owner, large.id, "PM");
    const text = Array.from({ length: 60 }, (_, at) => `L${at}${at === 0 ? "*" : ""}`).join(" ");
    const flow = await makeFlow(member, large.number, "Large", text);
    const dus = await makeDus(database.owner, large.id, 10_000);
    await database.owner`
      insert into du_flow (project_id, du_id, flow_id, flow_version, source, bound_at) select ${large.id}, id, ${flow.id}, 1, 'import', now() from unnest(${dus}::bigint[]) id`;
    await database.owner`update du_plan set state = array_fill(897, array[60]) where project_id = ${large.id}`;
    const copy = await done(callAs(member, "flow/edit", { id: flow.id }, { project: large.number }));
    const added = await done(
      callAs(member, "flow/node/save", { flowId: copy.id, rowVersion: 1, node: { name: "Late" } }, { project: large.number }),
    );
    const result = await done(callAs(member, "flow/release", { id: copy.id, rowVersion: added.rowVersion }, { project: large.number }));
    expect(result).toMatchObject({ version: 2, changedDus: 10_000 });
    const [{ count } = {}] =
      await database.owner`select count(*)::int as count from du_plan where project_id = ${large.id} and state[61] & 1 = 1`;
    expect(count).toBe(10_000);
  });
});
