import { beforeAll, describe, expect, it } from "vitest";
import { addBatch, announceBatch } from "#lib/rollout-plan/plan-log/commands.ts";
import type { LogEntry } from "#lib/rollout-plan/plan-log/logic.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject } from "../../../support/factories.ts";
import { inProject } from "../../../support/plan-ctx.ts";
import { makeDus } from "../../../support/plan-factories.ts";

describe("addBatch", () => {
  const db = useDatabase();
  let number: string;
  let pm: Awaited<ReturnType<typeof makeMember>>;
  let dus: number[];
  beforeAll(async () => {
    const project = await makeProject(db.owner);
    number = project.number;
    pm = await makeMember(db.owner, project.id, "PM");
    dus = await makeDus(db.owner, project.id, [{}, {}, {}]);
  });

  const entry = (at: number, cells: number[], old: number[], now: number[], attrs: LogEntry["attrs"] = null): LogEntry => ({
    duId: dus[at]!,
    flowId: 0,
    cells,
    old,
    new: now,
    attrs,
  });
  const shapes: [title: string, entries: () => LogEntry[]][] = [
    [
      "the same cells",
      () => [entry(0, [18, 34], [0, 0], [9000, 9001]), entry(1, [18, 34], [8999, 0], [9002, 9003], { "du.name": ["A", "B"] })],
    ],
    [
      "different cells",
      () => [entry(0, [18, 34], [0, 8000], [9000, 9001]), entry(1, [19], [0], [9002]), entry(2, [], [], [], { a1: [null, "x"] })],
    ],
    ["no cells", () => [entry(0, [], [], [], { a1: [null, "x"] }), entry(1, [], [], [], { a1: ["x", null] })]],
  ];
  it.each(shapes)("keeps of each DU what it was given, with %s", async (_title, make) => {
    const entries = make();
    const cells = entries.reduce((sum, { cells, attrs }) => sum + cells.length + Object.keys(attrs ?? {}).length, 0);
    const added = await inProject(pm, number, (ctx) => addBatch(ctx, entries, { source: "grid" }));
    expect(added.cells).toBe(cells);
    const rows = await db.owner`
      select l.du_id as "duId", l.cells, l.old, l.new, l.attrs, b.du_count as dus, b.cell_count as count
      from plan_log l join plan_batch b on b.id = l.batch_id where b.id = ${added.batchId} order by l.du_id`;
    expect([...rows]).toEqual(entries.map(({ flowId: _flow, ...kept }) => ({ ...kept, dus: entries.length, count: cells })));
  });

  it("sends the statement that was announced, so that the connection knows it", async () => {
    const entries = shapes[0]![1]();
    // With an origin it is a statement that no test before has sent.
    const options = { source: "undo", origin: { kind: "task" } } as const;
    const known = await inProject(pm, number, async (ctx) => {
      const count = async () => (await ctx.sql`select 1 from pg_prepared_statements where statement like '%insert into plan_log%'`).length;
      const before = await count();
      const batches = async () => (await ctx.sql`select 1 from plan_batch`).length;
      const written = await batches();
      announceBatch(ctx, entries, options);
      const announced = await count();
      announceBatch(ctx, entries, options);
      const again = await count();
      expect(await batches()).toBe(written);
      const { seq } = await addBatch(ctx, entries, options);
      const [last] = await ctx.sql`select max(seq) as seq from plan_batch where seq < ${seq}`;
      expect(last?.seq).toBe(seq - 1);
      return [announced - before, again - announced, (await count()) - again];
    });
    expect(known).toEqual([1, 0, 0]);
  });
});
