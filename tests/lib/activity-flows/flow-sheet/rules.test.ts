import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sheetColumns } from "#lib/activity-flows/flow-sheet/limits.ts";
import {
  flowFields,
  type SheetFacts,
  type SheetFlow,
  type SheetNode,
  type SheetTexts,
  sheetRows,
} from "#lib/activity-flows/flow-sheet/logic.ts";
import { planSheet } from "#lib/activity-flows/flow-sheet/rules.ts";
import { relationTypes } from "#lib/activity-flows/graph/limits.ts";
import type { Cell } from "#lib/core/workbook-cell.ts";
import type { ImportRow } from "#lib/imports/kind/logic.ts";
import { mappedColumns, readRow } from "#lib/imports/logic.ts";

const texts: SheetTexts = {
  column: (key) => key,
  columnNames: (key) => [key],
  flag: (value) => (value ? "Yes" : "No"),
  unlinked: "not there",
};
const columns = mappedColumns([...sheetColumns], flowFields(texts));
const rowsOf = (cells: readonly Cell[][]): ImportRow[] => cells.map((row, at) => readRow({ no: at + 3, cells: row }, columns, "ymd"));
const factsOf = (flows: SheetFlow[], more: Partial<SheetFacts> = {}): SheetFacts => ({
  flows: new Map(flows.map((flow) => [flow.name.toLowerCase(), flow])),
  library: new Map(
    flows.flatMap(({ nodes }) =>
      nodes.flatMap(({ code, activityId }) => (code && activityId ? [[`code ${code.toLowerCase()}`, activityId] as const] : [])),
    ),
  ),
  standard: new Set(),
  mayRemoveReleased: true,
  used: new Map(),
  ...more,
});

const days = fc.integer({ min: 0, max: 1095 });
const offset = fc.integer({ min: -1095, max: 1095 });
const flags = fc.record({
  isAnchor: fc.boolean(),
  isMilestone: fc.boolean(),
  needDeliverable: fc.boolean(),
  needApproval: fc.boolean(),
  naNeedsApproval: fc.boolean(),
  docPdMayCancelNa: fc.boolean(),
});
const size = 8;
/** A flow of some activities, each relation from an earlier to a later one in some order that is not that of the rows. */
const anyFlow = fc
  .record({
    nodes: fc.array(fc.record({ leadTimeDays: days, flags, linked: fc.boolean() }), { minLength: 1, maxLength: size }),
    order: fc.shuffledSubarray(
      Array.from({ length: size }, (_, at) => at),
      { minLength: size },
    ),
    relations: fc.array(fc.record({ a: fc.nat(size - 1), b: fc.nat(size - 1), type: fc.constantFrom(...relationTypes), offset }), {
      maxLength: 20,
    }),
  })
  .map(({ nodes, order, relations }): SheetFlow => {
    const kept = new Map<string, SheetFlow["relations"][number]>();
    for (const { a, b, type, offset: days } of relations) {
      const [pre, node] = order.indexOf(a) < order.indexOf(b) ? [a, b] : [b, a];
      if (pre !== node && pre < nodes.length && node < nodes.length)
        kept.set(`${pre} ${node} ${type}`, { pre: pre + 1, node: node + 1, type, offset: days });
    }
    return {
      flowId: 1,
      name: "Flow",
      status: "draft",
      revision: "1",
      nodes: nodes.map(
        ({ leadTimeDays, flags: given, linked }, at): SheetNode => ({
          id: at + 1,
          activityId: linked ? at + 100 : null,
          code: linked ? `A${at}` : null,
          name: `N${at}`,
          leadTimeDays,
          x: at * 10,
          y: 5,
          released: false,
          ...given,
        }),
      ),
      relations: [...kept.values()],
    };
  });

test("whatever a flow holds, its own rows change nothing, in whatever order they stand", () => {
  fc.assert(
    fc.property(anyFlow, fc.infiniteStream(fc.nat()), (flow, chance) => {
      const cells = sheetRows([flow], texts)
        .map((row) => ({ row, at: chance.next().value as number }))
        .sort((a, b) => a.at - b.at)
        .map(({ row }) => row);
      const plan = planSheet(rowsOf(cells), factsOf([flow]), true, texts);
      expect(plan.checked.map(({ outcome, problems }) => [outcome, problems])).toEqual(cells.map(() => ["unchanged", []]));
      expect(plan.leftOut).toEqual([]);
    }),
  );
});

test("the rows of one flow under a new name make the same flow", () => {
  fc.assert(
    fc.property(anyFlow, (flow) => {
      const rows = rowsOf(sheetRows([{ ...flow, name: "Copy" }], texts));
      const [plan] = planSheet(rows, factsOf([flow]), true, texts).flows;
      expect(plan).toMatchObject({ name: "Copy", flow: null, refused: false, changed: true });
      const keys = plan!.nodes.map(({ key }) => key);
      const relation = (pre: number, node: number, type: string, days: number) => `${pre} ${node} ${type} ${days}`;
      expect(
        plan!.relations.map((one) => relation(keys.indexOf(one.pre) + 1, keys.indexOf(one.node) + 1, one.type, one.offset)).sort(),
      ).toEqual(flow.relations.map((one) => relation(one.pre, one.node, one.type, one.offset)).sort());
      expect(plan!.nodes.map(({ name, leadTimeDays, isAnchor, activityId }) => [name, leadTimeDays, isAnchor, activityId])).toEqual(
        flow.nodes.map(({ name, leadTimeDays, isAnchor, activityId }) => [name, leadTimeDays, isAnchor, activityId]),
      );
    }),
  );
});

describe("a flow of three", () => {
  const node = (id: number, more: Partial<SheetNode> = {}): SheetNode => ({
    id,
    activityId: id + 100,
    code: `A${id}`,
    name: `N${id}`,
    leadTimeDays: 1,
    x: 0,
    y: 0,
    released: true,
    isAnchor: id === 1,
    isMilestone: false,
    needDeliverable: false,
    needApproval: false,
    naNeedsApproval: false,
    docPdMayCancelNa: false,
    ...more,
  });
  const flow: SheetFlow = {
    flowId: 1,
    name: "Flow",
    status: "released",
    revision: "1",
    nodes: [node(1, { x: 16, y: 16 }), node(2, { x: 264, y: 16 }), node(3, { x: 512, y: 16 })],
    relations: [
      { pre: 1, node: 2, type: "FS", offset: 0 },
      { pre: 2, node: 3, type: "FS", offset: 0 },
    ],
  };
  const rows = sheetRows([flow], texts);
  const plan = (cells: Cell[][], more: Partial<SheetFacts> = {}, removeLeftOut = true) =>
    planSheet(rowsOf(cells), factsOf([flow], more), removeLeftOut, texts);
  const at = (key: (typeof sheetColumns)[number]) => sheetColumns.indexOf(key);

  test("a row between two others takes a number between theirs, and a place that nobody has", () => {
    const cells = [rows[0]!, ["Flow", 1.5, null, "New", 1, "1", ...Array(7).fill(null)], rows[1]!, rows[2]!];
    expect(plan(cells).checked[1]!.problems).toMatchObject([{ path: "no", code: "VALUE_RANGE" }]);
    const tens = cells.map((row, index) =>
      row!.with(at("no"), (index + 1) * 10).with(at("predecessors"), index === 0 ? null : `${index * 10}FS`),
    );
    const { checked, flows } = plan(tens);
    expect(checked.map(({ outcome }) => outcome)).toEqual(["unchanged", "new", "changed", "unchanged"]);
    expect(checked[2]!.changes).toEqual([["predecessors", "10FS", "20FS"]]);
    expect(flows[0]!.nodes.map(({ name }) => name)).toEqual(["N1", "New", "N2", "N3"]);
    const places = flows[0]!.nodes.map(({ x, y }) => `${x} ${y}`);
    expect(new Set(places).size).toBe(4);
  });

  test("activities the rows leave out are listed as leaving, or stay with their relations where they are kept", () => {
    const cells = [rows[0]!, rows[2]!.with(at("predecessors"), "1FS")];
    const leaving = plan(cells);
    expect(leaving.leftOut).toEqual([{ flow: "Flow", code: "A2", name: "N2", remove: true }]);
    expect(leaving.flows[0]).toMatchObject({ leaving: [102], refused: false });
    const kept = plan(cells, {}, false);
    expect(kept.leftOut).toEqual([]);
    expect(kept.flows[0]!.nodes.map(({ name }) => name)).toEqual(["N1", "N2", "N3"]);
    expect(kept.flows[0]!.relations.map(({ pre, node: next }) => `${pre}>${next}`)).toEqual(["1>2", "1>3"]);
  });

  test.each<[string, Partial<SheetFacts>, string | undefined]>([
    ["one who may, of an activity nobody uses", {}, undefined],
    ["one who may not", { mayRemoveReleased: false }, "NO_PERMISSION"],
    ["one who may, of an activity in use [FLW-33]", { used: new Map([["1 102", "N2 (1 DU)"]]) }, "ACTIVITY_REFERENCED"],
  ])("a released activity is removed by %s", (_title, facts, code) => {
    const cells = [rows[0]!, rows[1]!.with(at("remove"), true), rows[2]!.with(at("predecessors"), "1FS")];
    const { checked } = plan(cells, facts);
    expect(checked[1]!.problems.map((problem) => problem.code)).toEqual(code ? [code] : []);
    expect(checked.map(({ outcome }) => outcome)).toEqual(
      code ? ["rejected", "rejected", "rejected"] : ["unchanged", "changed", "changed"],
    );
  });

  test("names may be exchanged between two activities that are told by their codes", () => {
    const cells = [rows[0]!.with(at("name"), "N2"), rows[1]!.with(at("name"), "N1"), rows[2]!];
    const { checked, flows } = plan(cells);
    expect(checked.map(({ outcome }) => outcome)).toEqual(["changed", "changed", "unchanged"]);
    expect(flows[0]!.nodes.map(({ id, name }) => `${id} ${name}`)).toEqual(["1 N2", "2 N1", "3 N3"]);
  });
});
