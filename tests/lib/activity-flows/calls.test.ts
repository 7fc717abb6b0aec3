import { beforeAll, describe, expect, test } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { callAs } from "../../support/call.ts";
import { useDatabase } from "../../support/database.ts";
import { makeMember, makeProject, makeUser } from "../../support/factories.ts";
import { done, makeDraft, makeDus, makeFlow } from "./make-flow.ts";

const database = useDatabase();
let project: string;
let projectId: number;
let pm: CtxUser;
let viewer: CtxUser;
let stranger: CtxUser;
let other: string;
let otherId: number;
let otherPm: CtxUser;

beforeAll(async () => {
  ({ id: projectId, number: project } = await makeProject(database.owner));
  pm = await makeMember(database.owner, projectId, "PM");
  viewer = await makeMember(database.owner, projectId, "COMMON_VIEW");
  stranger = await makeUser(database.owner);
  const second = await makeProject(database.owner);
  ({ id: otherId, number: other } = second);
  otherPm = await makeMember(database.owner, second.id, "PM");
});

const list = (user: CtxUser, filters: unknown[] = [], number = project) =>
  callAs(user, `flow/list/1/20/default/${encodeURIComponent(JSON.stringify(filters))}`, {}, { project: number });
const find = (user: CtxUser, id: number, number = project) => callAs(user, `flow/find/${id}`, {}, { project: number });

async function audits(object: string): Promise<{ event: string; detail: { before: unknown; after: unknown } }[]> {
  return [...(await database.owner`select event, detail from audit_log where object = ${object} order by id`)] as never;
}

describe("flow/save", () => {
  test("makes a draft with its head and logs it [FLW-01]", async () => {
    const head = { name: "New build", description: "Rooftops", deliveryTypes: ["Turnkey", "Swap"] };
    const { id, version, rowVersion } = await done(callAs(pm, "flow/save", head, { project }));
    expect([version, rowVersion]).toEqual([0, 1]);
    const { flow } = await done(find(pm, id));
    expect(flow).toMatchObject({ id, ...head, status: "draft", version: 0, draftOf: null, ownerName: pm.name });
    expect(await audits(`activity_flow ${id}`)).toEqual([{ event: "write", detail: { before: null, after: head } }]);
  });

  test("changes a draft and raises its revision; a stale one is refused with the present values", async () => {
    const draft = await makeDraft(pm, project, "To rename", "A*");
    const saved = await done(callAs(pm, "flow/save", { id: draft.id, name: "Renamed", rowVersion: draft.rowVersion }, { project }));
    expect(saved.rowVersion).toBe(draft.rowVersion + 1);
    const stale = await callAs(pm, "flow/save", { id: draft.id, name: "Again", rowVersion: draft.rowVersion }, { project });
    expect(stale).toMatchObject({ status: 409, code: "STALE", data: { rowVersion: saved.rowVersion } });
    expect((await done(find(pm, draft.id))).flow.name).toBe("Renamed");
  });

  test.each([
    [{ name: "" }, "name VALUE_MISSING"],
    [{ name: "n".repeat(101) }, "name VALUE_TOO_LONG"],
    [{ name: "A", description: "d".repeat(2001) }, "description VALUE_TOO_LONG"],
    [{ name: "A", deliveryTypes: ["t".repeat(41)] }, "deliveryTypes.0 VALUE_TOO_LONG"],
    [{ name: "A", id: 1 }, "rowVersion VALUE_MISSING"],
    [{ name: "A", status: "released" }, "status VALUE_UNKNOWN"],
  ])("bad input %j", async (input, problem) => {
    const answer = await callAs(pm, "flow/save", input, { project });
    expect(answer).toMatchObject({ status: 400, code: "INVALID_INPUT" });
    expect(answer.problems?.map(({ path, code }) => `${path} ${code}`)).toContain(problem);
  });

  test("a name is taken once per project, whatever its case", async () => {
    await done(callAs(pm, "flow/save", { name: "Unique" }, { project }));
    expect(await callAs(pm, "flow/save", { name: " uNIQUE " }, { project })).toMatchObject({ status: 422, code: "NAME_EXISTS" });
    await done(callAs(otherPm, "flow/save", { name: "Unique" }, { project: other }));
  });

  test("two at the same moment: the index decides", async () => {
    const answers = await Promise.all([1, 2].map(() => callAs(pm, "flow/save", { name: "Race" }, { project })));
    expect(answers.map((answer) => answer.code ?? "ok").sort()).toEqual(["NAME_EXISTS", "ok"]);
  });
});

describe("who may", () => {
  const writes: [string, object][] = [
    ["flow/save", { name: "Not mine" }],
    ["flow/edit", { id: 1 }],
    ["flow/discard", { id: 1 }],
    ["flow/delete", { ids: [1] }],
    ["flow/copy", { id: 1, name: "Copy" }],
    ["flow/disable", { id: 1, rowVersion: 1 }],
    ["flow/enable", { id: 1, rowVersion: 1 }],
    ["flow/release", { id: 1, rowVersion: 1 }],
    ["flow/graph/save", { flowId: 1, rowVersion: 1, nodes: [], relations: [] }],
    ["flow/node/save", { flowId: 1, rowVersion: 1, node: { name: "A" } }],
    ["flow/node/delete", { ids: [1] }],
    ["activityLibrary/save", { code: "X", name: "X" }],
    ["activityLibrary/disable", { ids: [1] }],
    ["duFlow/bind", { duIds: [1], flowId: 1 }],
    ["duFlow/unbind", { duIds: [1] }],
    ["duFlow/unbindCheck", { duIds: [1] }],
  ];

  test.each(writes)("%s is refused to one who only sees", async (address, input) => {
    expect(await callAs(viewer, address, input, { project })).toMatchObject({ status: 403, code: "NO_PERMISSION" });
  });

  test.each(writes)("%s reaches nothing of another project", async (address, input) => {
    const flow = await makeFlow(otherPm, other, `Theirs ${address}`, "A*");
    const [du] = await makeDus(database.owner, otherId, 1);
    const node = [...flow.ids.values()][0]!;
    const activity = [...flow.activityIds.values()][0]!;
    const aimed = Object.fromEntries(
      Object.entries({
        ...input,
        ...("id" in input ? { id: flow.id } : {}),
        ...("flowId" in input ? { flowId: flow.id } : {}),
        ...("ids" in input ? { ids: [address.startsWith("flow/node") ? node : address.startsWith("activity") ? activity : flow.id] } : {}),
        ...("duIds" in input ? { duIds: [du] } : {}),
      }),
    );
    if (address === "flow/save" || address === "activityLibrary/save") {
      const answer = await callAs(pm, address, { ...aimed, id: address === "flow/save" ? flow.id : activity, rowVersion: 1 }, { project });
      expect(answer).toMatchObject({ status: 404, code: "NOT_FOUND" });
      return;
    }
    const answer = await callAs(pm, address, aimed, { project });
    if (address === "duFlow/unbindCheck") expect(answer.data).toEqual({ dus: [] });
    else expect(["NOT_FOUND", "DU_NOT_FOUND"]).toContain(answer.code);
  });

  test("a flow is not found in another project, nor by one who is not a member", async () => {
    const draft = await makeDraft(pm, project, "Ours", "A*");
    expect(await find(otherPm, draft.id, other)).toMatchObject({ status: 404, code: "NOT_FOUND" });
    expect(await find(stranger, draft.id)).toMatchObject({ status: 403 });
    const names = (await done(list(otherPm, [], other))).records.map((row: { name: string }) => row.name);
    expect(names).not.toContain("Ours");
  });
});

describe("flow/list", () => {
  test("counts activities and DUs, and filters by name and status", async () => {
    const flow = await makeFlow(pm, project, "Counted", "A* B C", "A>B B>C");
    const dus = await makeDus(database.owner, projectId, 3);
    await done(callAs(pm, "duFlow/bind", { duIds: dus, flowId: flow.id }, { project }));
    const page = await done(list(pm, [{ field: "name", type: "like", values: ["COUNT"] }]));
    expect(page).toMatchObject({ total: 1, page: 1, size: 20 });
    expect(page.records[0]).toMatchObject({
      id: flow.id,
      activityCount: 3,
      duCount: 3,
      status: "released",
      version: 1,
      workingCopyId: null,
    });
    const drafts = await done(list(pm, [{ field: "status", type: "eq", values: ["draft"] }]));
    expect(drafts.records.every((row: { status: string }) => row.status === "draft")).toBe(true);
  });
});

describe("a working copy", () => {
  test("is opened once, holds the whole graph and stays out of the list", async () => {
    const flow = await makeFlow(pm, project, "Edited", "A* B:5", "A>B:SS+2");
    const copy = await done(callAs(pm, "flow/edit", { id: flow.id }, { project }));
    const again = await done(callAs(pm, "flow/edit", { id: flow.id }, { project }));
    expect(again).toEqual({ id: copy.id, rowVersion: 1, opened: false });
    const { nodes, relations, flow: head } = await done(find(pm, copy.id));
    expect(head).toMatchObject({ draftOf: flow.id, status: "draft", name: "Edited" });
    expect(nodes.map((node: { originNodeId: number }) => node.originNodeId)).toEqual([...flow.ids.values()]);
    const [a, b] = nodes;
    expect(relations).toEqual([{ pre: a.id, node: b.id, type: "SS", offset: 2 }]);
    expect((await done(find(pm, flow.id))).workingCopy).toMatchObject({ id: copy.id });
    const rows = (await done(list(pm, [{ field: "name", type: "like", values: ["Edited"] }]))).records;
    expect(rows).toMatchObject([{ id: flow.id, workingCopyId: copy.id }]);
  });

  test("two editors at the same moment get the same copy", async () => {
    const flow = await makeFlow(pm, project, "Opened twice", "A*");
    const copies = await Promise.all([1, 2, 3].map(() => done(callAs(pm, "flow/edit", { id: flow.id }, { project }))));
    expect(new Set(copies.map((copy) => copy.id)).size).toBe(1);
  });

  test("is discarded without a trace in the flow", async () => {
    const flow = await makeFlow(pm, project, "Kept", "A* B", "A>B");
    const before = await done(find(pm, flow.id));
    const copy = await done(callAs(pm, "flow/edit", { id: flow.id }, { project }));
    await done(callAs(pm, "flow/save", { id: copy.id, name: "Other name", rowVersion: 1 }, { project }));
    expect(await callAs(pm, "flow/discard", { id: flow.id }, { project })).toMatchObject({ code: "WRONG_STATUS" });
    expect(await callAs(pm, "flow/discard", { id: copy.id, rowVersion: 1 }, { project })).toMatchObject({ code: "STALE" });
    await done(callAs(pm, "flow/discard", { id: copy.id, rowVersion: 2 }, { project }));
    expect(await done(find(pm, flow.id))).toEqual(before);
  });

  test("is the only way into a released flow", async () => {
    const flow = await makeFlow(pm, project, "Closed", "A*");
    const { rowVersion } = (await done(find(pm, flow.id))).flow;
    expect(await callAs(pm, "flow/save", { id: flow.id, name: "X", rowVersion }, { project })).toMatchObject({ code: "WRONG_STATUS" });
    const graph = { flowId: flow.id, rowVersion, nodes: [], relations: [] };
    expect(await callAs(pm, "flow/graph/save", graph, { project })).toMatchObject({ code: "WRONG_STATUS" });
    expect(await callAs(pm, "flow/edit", { id: (await makeDraft(pm, project, "Still a draft", "A*")).id }, { project })).toMatchObject({
      code: "WRONG_STATUS",
    });
  });
});

test("a draft is deleted, a released flow or a working copy is not, and all or none", async () => {
  const draft = await makeDraft(pm, project, "Thrown away", "A* B", "A>B");
  const flow = await makeFlow(pm, project, "Stays", "A*");
  const copy = await done(callAs(pm, "flow/edit", { id: flow.id }, { project }));
  for (const id of [flow.id, copy.id])
    expect(await callAs(pm, "flow/delete", { ids: [draft.id, id] }, { project })).toMatchObject({ status: 422, code: "WRONG_STATUS" });
  expect((await done(find(pm, draft.id))).nodes).toHaveLength(2);
  expect(await done(callAs(pm, "flow/delete", { ids: [draft.id] }, { project }))).toEqual({ deleted: 1 });
  expect(await find(pm, draft.id)).toMatchObject({ status: 404 });
});

test("a copy is a draft of the same graph", async () => {
  const flow = await makeFlow(pm, project, "Original", "A*:2 B:3", "A>B:FF-1");
  expect(await callAs(pm, "flow/copy", { id: flow.id, name: "Original" }, { project })).toMatchObject({ code: "NAME_EXISTS" });
  const { id } = await done(callAs(pm, "flow/copy", { id: flow.id, name: "Copied" }, { project }));
  const copy = await done(find(pm, id));
  expect(copy.flow).toMatchObject({ status: "draft", version: 0, draftOf: null });
  const bare = (node: { name: string; leadTimeDays: number; activityId: number }) => [node.name, node.leadTimeDays, node.activityId];
  expect(copy.nodes.map(bare)).toEqual((await done(find(pm, flow.id))).nodes.map(bare));
  expect(copy.nodes.every((node: { originNodeId: unknown }) => node.originNodeId === null)).toBe(true);
  expect(copy.relations).toMatchObject([{ type: "FF", offset: -1 }]);
});

test("a flow is taken out of use and back", async () => {
  const flow = await makeFlow(pm, project, "Switched", "A*");
  const call = (address: string, rowVersion: number) => callAs(pm, address, { id: flow.id, rowVersion }, { project });
  expect(await call("flow/enable", flow.rowVersion)).toMatchObject({ code: "WRONG_STATUS" });
  expect(await call("flow/disable", flow.rowVersion - 1)).toMatchObject({ code: "STALE" });
  await done(call("flow/disable", flow.rowVersion));
  const [du] = await makeDus(database.owner, projectId, 1);
  expect(await callAs(pm, "duFlow/bind", { duIds: [du], flowId: flow.id }, { project })).toMatchObject({ code: "FLOW_NOT_RELEASED" });
  expect(await callAs(pm, "flow/edit", { id: flow.id }, { project })).toMatchObject({ code: "WRONG_STATUS" });
  await done(call("flow/enable", flow.rowVersion + 1));
  await done(callAs(pm, "duFlow/bind", { duIds: [du], flowId: flow.id }, { project }));
});
