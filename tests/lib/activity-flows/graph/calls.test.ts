import { beforeAll, describe, expect, test } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { callAs } from "../../../support/call.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject } from "../../../support/factories.ts";
import { meanwhile } from "../../../support/meanwhile.ts";
import { done, makeDraft, makeDus, makeFlow, nameActivity, nodes, relations } from "../make-flow.ts";

const database = useDatabase();
let project: string;
let projectId: number;
let pm: CtxUser;
let pcm: CtxUser;
let td: CtxUser;

beforeAll(async () => {
  ({ id: projectId, number: project } = await makeProject(database.owner));
  pm = await makeMember(database.owner, projectId, "PM");
  pcm = await makeMember(database.owner, projectId, "PCM");
  td = await makeMember(database.owner, projectId, "TD");
});

type Found = {
  flow: { rowVersion: number };
  nodes: { id: number; name: string; activityId: number; leadTimeDays: number }[];
  relations: { pre: number; node: number; type: string; offset: number }[];
};
const find = (id: number) => done<Found>(callAs(pm, `flow/find/${id}`, {}, { project }));
const save = (user: CtxUser, input: object) => callAs(user, "flow/graph/save", input, { project });

async function drawn(id: number): Promise<string> {
  const { nodes: found, relations: joined } = await find(id);
  const names = new Map(found.map((node) => [node.id, node.name]));
  const arrows = joined.map((one) => `${names.get(one.pre)}>${names.get(one.node)}:${one.type}${one.offset ? one.offset : ""}`).sort();
  return `${found.map((node) => `${node.name}:${node.leadTimeDays}`).join(" ")} | ${arrows.join(" ")}`;
}

describe("flow/graph/save", () => {
  test("stores a graph in one go, in its order, and logs only what changed", async () => {
    const draft = await makeDraft(pm, project, "Whole", "A*:2 B:5 C:0", "A>B B>C:SS+2 A>C:FF-3");
    expect(await drawn(draft.id)).toBe("A:2 B:5 C:0 | A>B:FS A>C:FF-3 B>C:SS2");
    const [b, a] = [draft.ids.get("B")!, draft.ids.get("A")!];
    const next = [
      { id: b, key: "b", name: "B", leadTimeDays: 7 },
      { id: a, key: "a", name: "A", leadTimeDays: 2, isAnchor: true },
      { key: "d", name: "D" },
    ];
    const input = {
      flowId: draft.id,
      rowVersion: draft.rowVersion,
      nodes: next,
      relations: [
        { pre: "a", node: "b", type: "FS" },
        { pre: "b", node: "d", type: "SF", offset: 1 },
      ],
    };
    const saved = await done(save(pm, input));
    expect(saved.rowVersion).toBe(draft.rowVersion + 1);
    expect(await drawn(draft.id)).toBe("B:7 A:2 D:1 | A>B:FS B>D:SF1");
    expect((await find(draft.id)).nodes.map((node) => node.id).slice(0, 2)).toEqual([b, a]);
    const [, entry] = await database.owner`select detail from audit_log where object = ${`activity_flow ${draft.id} graph`} order by id`;
    const { before, after } = entry!.detail;
    expect(before.nodes.map((node: { name: string }) => node.name).sort()).toEqual(["B", "C"]);
    expect(after.nodes.map((node: { name: string; leadTimeDays: number }) => `${node.name} ${node.leadTimeDays}`).sort()).toEqual([
      "B 7",
      "D 1",
    ]);
    expect([before.relations.length, after.relations.length]).toEqual([2, 1]);
  });

  test.each([["named by its id"], ["found by its name"]])("takes in no activity %s that goes out of use meanwhile", async (how) => {
    const name = `Leaving ${how.length}`;
    const { id } = await done(callAs(pm, "activityLibrary/save", { code: name, name }, { project }));
    const draft = await makeDraft(pm, project, `Takes ${name}`, "A");
    const node = { key: "n", name, ...(how === "named by its id" && { activityId: id }) };
    const saved = await meanwhile(
      database,
      async (sql) => {
        await sql`select 1 from project where id = ${projectId} for no key update`;
        await sql`update activity_library set disabled_at = now() where id = ${id}`;
      },
      () => save(pm, { flowId: draft.id, rowVersion: draft.rowVersion, nodes: [node], relations: [] }),
    );
    if (how === "named by its id") expect(saved).toMatchObject({ status: 400, problems: [{ path: "nodes.0.activityId" }] });
    else expect(saved).toMatchObject({ status: 200 });
    expect(await database.owner`select 1 from flow_activity where activity_id = ${id}`).toEqual([]);
  });

  test("names may change places", async () => {
    const draft = await makeDraft(pm, project, "Swapped", "North* South", "North>South");
    const [north, south] = [draft.ids.get("North")!, draft.ids.get("South")!];
    const swapped = [
      { id: north, key: "n", name: "South", activityId: draft.activityIds.get("South") },
      { id: south, key: "s", name: "North", activityId: draft.activityIds.get("North") },
    ];
    await done(save(pm, { flowId: draft.id, rowVersion: draft.rowVersion, nodes: swapped, relations: [] }));
    expect((await find(draft.id)).nodes.map(({ id, name, activityId }) => [id, name, activityId])).toEqual([
      [north, "South", draft.activityIds.get("South")],
      [south, "North", draft.activityIds.get("North")],
    ]);
  });

  test("500 activities and 2,000 relations in one call", async () => {
    const { id } = await done(callAs(pm, "flow/save", { name: "Large" }, { project }));
    const large = Array.from({ length: 500 }, (_, at) => ({ key: `k${at}`, name: `Large ${at}`, isAnchor: at === 0 }));
    const joined = Array.from({ length: 2000 }, (_, at) => ({
      pre: `k${at % 499}`,
      node: `k${(at % 499) + 1}`,
      type: ["FS", "SS", "FF", "SF"][Math.floor(at / 499) % 4],
    })).slice(0, 1996);
    await done(save(pm, { flowId: id, rowVersion: 1, nodes: large, relations: joined }));
    const found = await find(id);
    expect([found.nodes.length, found.relations.length]).toEqual([500, 1996]);
  });

  test("broken rules are reported together and nothing is stored [FLW-32]", async () => {
    const draft = await makeDraft(pm, project, "Broken", "A* B", "A>B");
    const before = await drawn(draft.id);
    const answer = await save(pm, {
      flowId: draft.id,
      rowVersion: draft.rowVersion,
      nodes: [...nodes("A* B C"), { key: "c2", name: "c" }],
      relations: [...relations("A>B B>A"), { pre: "A", node: "C" }],
    });
    expect(answer).toMatchObject({ status: 422, code: "ACTIVITY_REPEAT", msg: "Activity repeat" });
    expect(answer.problems?.map((problem) => problem.code)).toEqual(["ACTIVITY_REPEAT", "RELATION_REQUIRED", "CYCLE"]);
    expect(answer.problems?.at(-1)?.msg).toContain("A → B → A");
    expect(await drawn(draft.id)).toBe(before);
  });

  test("a stale revision is refused and nothing is stored", async () => {
    const draft = await makeDraft(pm, project, "Moved on", "A*");
    const answer = await save(pm, { flowId: draft.id, rowVersion: draft.rowVersion - 1, nodes: [], relations: [] });
    expect(answer).toMatchObject({ status: 409, code: "STALE", data: { rowVersion: draft.rowVersion } });
    expect((await find(draft.id)).nodes).toHaveLength(1);
  });

  test("two saves of one revision: one wins", async () => {
    const draft = await makeDraft(pm, project, "Contended", "A*");
    const input = (name: string) => ({ flowId: draft.id, rowVersion: draft.rowVersion, nodes: [{ key: "x", name }], relations: [] });
    const answers = await Promise.all([save(pm, input("Left")), save(td, input("Right"))]);
    expect(answers.map((answer) => answer.code ?? "ok").sort()).toEqual(["STALE", "ok"]);
  });

  test("an activity of another flow or an unknown library activity is refused", async () => {
    const [mine, theirs] = [await makeDraft(pm, project, "Mine", "A*"), await makeDraft(pm, project, "Theirs", "B*")];
    const base = { flowId: mine.id, rowVersion: mine.rowVersion, relations: [] };
    expect(await save(pm, { ...base, nodes: [{ key: "b", id: theirs.ids.get("B"), name: "B" }] })).toMatchObject({ status: 404 });
    const answer = await save(pm, { ...base, nodes: [{ key: "b", name: "B", activityId: 999_999 }] });
    expect(answer.problems?.map(({ path, code }) => `${path} ${code}`)).toEqual(["nodes.0.activityId VALUE_UNKNOWN"]);
  });
});

describe("the library activity of an activity", () => {
  test("is the one of its name, whatever its case, else a new one with the next slot", async () => {
    const first = await makeDraft(pm, project, "First use", "Trenching*");
    const second = await makeDraft(pm, project, "Second use", "tRENCHING* Ducting");
    expect(second.activityIds.get("tRENCHING")).toBe(first.activityIds.get("Trenching"));
    const slots = await database.owner<{ slot: number }[]>`
      select slot from activity_library where id = any(${[first.activityIds.get("Trenching")!, second.activityIds.get("Ducting")!]}::bigint[]) order by slot`;
    expect(slots[1]!.slot).toBeGreaterThan(slots[0]!.slot);
  });

  test("is the one of its code before the one of its name", async () => {
    await done(callAs(pm, "activityLibrary/save", { code: "PWR", name: "Power supply", kind: "rfi" }, { project }));
    const { id } = await done(callAs(pm, "flow/save", { name: "By code" }, { project }));
    await done(save(pm, { flowId: id, rowVersion: 1, nodes: [{ key: "p", name: "Electricity", code: "pwr" }], relations: [] }));
    expect((await done(callAs(pm, `flow/find/${id}`, {}, { project }))).nodes).toMatchObject([
      { name: "Electricity", activityName: "Power supply", kind: "rfi" },
    ]);
  });

  test("is copied from the standard library on first use", async () => {
    await database.owner`insert into activity_library (code, name, kind, automatic) values ('STD-PAC', 'Provisional acceptance', 'pac', true)`;
    const draft = await makeDraft(pm, project, "Standard", "X*");
    const next = [{ key: "p", name: "provisional ACCEPTANCE" }];
    await done(save(pm, { flowId: draft.id, rowVersion: draft.rowVersion, nodes: next, relations: [] }));
    const [made] =
      await database.owner`select code, name, kind, automatic from activity_library where project_id = ${projectId} and kind = 'pac'`;
    expect(made).toEqual({ code: "STD-PAC", name: "Provisional acceptance", kind: "pac", automatic: true });
  });

  test("stays when the activity gets another name with it, and is looked up anew without it", async () => {
    const draft = await makeDraft(pm, project, "Renaming", "Old*");
    const base = { flowId: draft.id, relations: [] };
    const id = draft.ids.get("Old")!;
    const kept = await done(save(pm, { ...base, rowVersion: draft.rowVersion, nodes: [{ key: "o", id, name: "Renamed" }] }));
    expect(kept.nodes[0].activityId).toBe(draft.activityIds.get("Old"));
    const anew = await done(
      save(pm, { ...base, rowVersion: kept.rowVersion, nodes: [{ key: "o", id, name: "Renamed", activityId: null }] }),
    );
    expect(anew.nodes[0].activityId).not.toBe(draft.activityIds.get("Old"));
  });
});

describe("flow/node/save", () => {
  test("adds an activity with relations on both sides", async () => {
    const draft = await makeDraft(pm, project, "Node added", "A* C", "A>C");
    const [a, c] = [draft.ids.get("A")!, draft.ids.get("C")!];
    const input = {
      flowId: draft.id,
      rowVersion: draft.rowVersion,
      node: { name: "B", leadTimeDays: 4 },
      relations: [
        { preNodeId: a, type: "FS" },
        { nodeId: c, type: "SS", offset: -2 },
      ],
    };
    const saved = await done(callAs(td, "flow/node/save", input, { project }));
    expect(saved.rowVersion).toBe(draft.rowVersion + 1);
    expect(await drawn(draft.id)).toBe("A:1 C:1 B:4 | A>B:FS A>C:FS B>C:SS-2");
    const changed = { ...input, rowVersion: saved.rowVersion, node: { id: saved.id, name: "B", leadTimeDays: 9 }, relations: undefined };
    const again = await done(callAs(td, "flow/node/save", changed, { project }));
    expect(await drawn(draft.id)).toBe("A:1 C:1 B:9 | A>B:FS A>C:FS B>C:SS-2");
    await done(callAs(td, "flow/node/save", { ...changed, rowVersion: again.rowVersion, relations: [] }, { project }));
    expect(await drawn(draft.id)).toBe("A:1 C:1 B:9 | A>C:FS");
  });

  test.each([
    [
      "a loop",
      (ids: Map<string, number>) => ({
        node: { id: ids.get("A"), name: "A" },
        relations: [
          { preNodeId: ids.get("B"), type: "FS" },
          { nodeId: ids.get("B"), type: "FS" },
        ],
      }),
      "CYCLE",
    ],
    ["a repeated name [FLW-32]", () => ({ node: { name: "b" } }), "ACTIVITY_REPEAT"],
    [
      "a relation without type",
      (ids: Map<string, number>) => ({ node: { name: "N" }, relations: [{ preNodeId: ids.get("A") }] }),
      "RELATION_REQUIRED",
    ],
    ["a relation to another flow", () => ({ node: { name: "N" }, relations: [{ preNodeId: 999_999, type: "FS" }] }), "INVALID_INPUT"],
    ["an activity of another flow", () => ({ node: { id: 999_999, name: "N" } }), "NOT_FOUND"],
  ])("%s is refused", async (title, given, code) => {
    const draft = await makeDraft(pm, project, `Refused ${title}`, "A* B", "A>B");
    const input = { flowId: draft.id, rowVersion: draft.rowVersion, ...given(draft.ids) };
    expect(await callAs(pm, "flow/node/save", input, { project })).toMatchObject({ code });
    expect(await drawn(draft.id)).toBe("A:1 B:1 | A>B:FS");
  });
});

describe("flow/node/delete", () => {
  test("takes the relations along", async () => {
    const draft = await makeDraft(pm, project, "Node removed", "A* B C", "A>B B>C A>C");
    const stale = { ids: [draft.ids.get("B")], rowVersion: draft.rowVersion - 1 };
    expect(await callAs(pm, "flow/node/delete", stale, { project })).toMatchObject({ code: "STALE" });
    await done(callAs(pm, "flow/node/delete", { ids: [draft.ids.get("B")] }, { project }));
    expect(await drawn(draft.id)).toBe("A:1 C:1 | A>C:FS");
  });

  test("ids of two flows are refused", async () => {
    const [one, two] = [await makeDraft(pm, project, "One", "A*"), await makeDraft(pm, project, "Two", "A*")];
    expect(await callAs(pm, "flow/node/delete", { ids: [one.ids.get("A"), two.ids.get("A")] }, { project })).toMatchObject({ status: 404 });
  });

  describe("of a released flow, in its working copy", () => {
    const facts: [string, string][] = [
      ["a plan date", "plan_end = array[9783, 0]::smallint[]"],
      ["an actual date", "actual_start = array[9783, 0]::smallint[]"],
      ["a baseline", "baseline_end = array[9783, 0]::smallint[]"],
      ["a released date", "released_start = array[9783, 0]::smallint[]"],
      ["a work order", "state[%] = state[%] | (2 << 10)"],
      ["an approval", "state[%] = (state[%] & ~(7 << 7)) | (2 << 7)"],
      ["an open NA request", "state[%] = state[%] | (1 << 14)"],
    ];

    test.each(facts)("is refused while a DU holds %s on it, in the copy and at the release [FLW-33]", async (title, set) => {
      const flow = await makeFlow(pm, project, `Referenced ${title}`, "Gone Stay*", "Gone>Stay");
      const [du] = await makeDus(database.owner, projectId, 1);
      await done(callAs(pm, "duFlow/bind", { duIds: [du], flowId: flow.id }, { project }));
      const early = await done(callAs(pm, "flow/edit", { id: flow.id }, { project }));
      const [slot] = await database.owner<
        { slot: number }[]
      >`select slot from activity_library where id = ${flow.activityIds.get("Gone")!}`;
      const value = set.includes("%")
        ? set.replaceAll("%", String(slot!.slot))
        : set.replace(/array\[.*\]/, `array_fill(0::smallint, array[${slot!.slot - 1}]) || 9783::smallint`).replace("::smallint[]", "");
      const gone = (await find(early.id)).nodes.find((node) => node.name === "Gone")!.id;
      // Taken out before anybody held a fact: the copy lets it go, the release asks again.
      const removed = await done(callAs(pm, "flow/node/delete", { ids: [gone] }, { project }));
      await database.owner.unsafe(`update du_plan set ${value} where du_id = ${du}`);
      const release = await callAs(pm, "flow/release", { id: early.id, rowVersion: removed.rowVersion }, { project });
      expect(release).toMatchObject({ status: 422, code: "ACTIVITY_REFERENCED" });
      expect(release.msg).toContain("Gone (1 DU)");
      await done(callAs(pm, "flow/discard", { id: early.id }, { project }));
      const late = await done(callAs(pm, "flow/edit", { id: flow.id }, { project }));
      const lateGone = (await find(late.id)).nodes.find((node) => node.name === "Gone")!.id;
      expect(await callAs(pm, "flow/node/delete", { ids: [lateGone] }, { project })).toMatchObject({
        status: 422,
        code: "ACTIVITY_REFERENCED",
      });
      const rest = (await find(late.id)).nodes
        .filter((node) => node.id !== lateGone)
        .map((node) => ({ key: "s", id: node.id, name: node.name }));
      const graph = { flowId: late.id, rowVersion: 1, nodes: rest, relations: [] };
      expect(await save(pm, graph)).toMatchObject({ code: "ACTIVITY_REFERENCED" });
      expect((await find(late.id)).nodes).toHaveLength(2);
    });

    test("is refused while configuration names it, in the copy and at the release [FLW-33]", async () => {
      const flow = await makeFlow(pm, project, "Named", "Shown Rest*", "Shown>Rest");
      const early = await done(callAs(pm, "flow/edit", { id: flow.id }, { project }));
      const shown = (await find(early.id)).nodes.find((node) => node.name === "Shown")!.id;
      const removed = await done(callAs(pm, "flow/node/delete", { ids: [shown] }, { project }));
      await nameActivity(database.owner, projectId, pm.id, flow.activityIds.get("Shown")!, "Our columns");
      const release = await callAs(pm, "flow/release", { id: early.id, rowVersion: removed.rowVersion }, { project });
      expect(release).toMatchObject({
        status: 422,
        code: "ACTIVITY_REFERENCED",
        msg: "Activity referenced, cannot be deleted: Shown (Our columns)",
      });
      await done(callAs(pm, "flow/discard", { id: early.id }, { project }));
      const late = await done(callAs(pm, "flow/edit", { id: flow.id }, { project }));
      const lateShown = (await find(late.id)).nodes.find((node) => node.name === "Shown")!.id;
      expect(await callAs(pm, "flow/node/delete", { ids: [lateShown] }, { project })).toMatchObject({
        status: 422,
        code: "ACTIVITY_REFERENCED",
      });
    });

    test("needs the right for it; a new activity of the copy does not", async () => {
      const flow = await makeFlow(pm, project, "Guarded", "A* B", "A>B");
      const copy = await done(callAs(pcm, "flow/edit", { id: flow.id }, { project }));
      const added = await done(callAs(pcm, "flow/node/save", { flowId: copy.id, rowVersion: 1, node: { name: "Fresh" } }, { project }));
      await done(callAs(pcm, "flow/node/delete", { ids: [added.id] }, { project }));
      const b = (await find(copy.id)).nodes.find((node) => node.name === "B")!.id;
      expect(await callAs(pcm, "flow/node/delete", { ids: [b] }, { project })).toMatchObject({ status: 403, code: "NO_PERMISSION" });
      await done(callAs(pm, "flow/node/delete", { ids: [b] }, { project }));
    });

    test("exchanging its library activity counts as deleting it", async () => {
      const flow = await makeFlow(pm, project, "Exchanged", "A* B", "A>B");
      const copy = await done(callAs(pcm, "flow/edit", { id: flow.id }, { project }));
      const { nodes: found } = await find(copy.id);
      const graph = found.map(({ id, name, activityId }) => ({ key: name, id, name, activityId: name === "B" ? null : activityId }));
      const renamed = graph.map((node) => (node.name === "B" ? { ...node, name: "Other B" } : node));
      expect(await save(pcm, { flowId: copy.id, rowVersion: 1, nodes: renamed, relations: [] })).toMatchObject({ code: "NO_PERMISSION" });
      await done(save(pcm, { flowId: copy.id, rowVersion: 1, nodes: graph, relations: [] }));
    });
  });
});
