import { beforeAll, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import type { LogBatch } from "#lib/logs/plan-batches/queries.ts";
import { logDuChanges } from "#lib/rollout-plan/plan-log/commands.ts";
import { callAs } from "../../../support/call.ts";
import { clock, useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject, makeSubcontractor } from "../../../support/factories.ts";
import { inProject } from "../../../support/plan-ctx.ts";
import { type MadeActivity, makeActivities, makeAttribute, makeDus, makeFlow } from "../../../support/plan-factories.ts";

const db = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;
let partner: CtxUser;
let activities: MadeActivity[];
let flowId: number;
let dus: number[];

const call = (user: CtxUser, address: string, input: unknown = {}, now = clock) =>
  callAs(user, address, input, { project: project.number, now });
const at = (minutes: number) => new Date(clock.getTime() + minutes * 60_000);
const batches = async (filters: unknown[] = [], user = pm, more: object = {}): Promise<{ records: LogBatch[]; more: boolean }> =>
  (await call(user, "planLog/batches", { filters, ...more })).data;

beforeAll(async () => {
  project = await makeProject(db.owner);
  pm = await makeMember(db.owner, project.id, "PM");
  partner = await makeMember(db.owner, project.id, "SUBCON");
  const subcontractor = await makeSubcontractor(db.owner, project.id, [partner.id]);
  activities = await makeActivities(db.owner, project.id, ["Survey", "Install"]);
  flowId = await makeFlow(db.owner, project.id, pm.id, activities);
  dus = await makeDus(
    db.owner,
    project.id,
    [
      { code: "PB-1", subcontractorId: null },
      { code: "PB-2", subcontractorId: subcontractor },
    ],
    { id: flowId, activities },
  );
  const save = (edits: unknown[], reason: string, minutes: number) => call(pm, "rolloutPlan/save", { edits, reason }, at(minutes));
  const cell = (du: number, activity: number, value: string) => ({
    duId: dus[du],
    activityId: activities[activity]!.id,
    field: "planEnd",
    value,
    base: null,
  });
  await save([cell(0, 0, "2026-10-14"), cell(0, 1, "2026-11-02")], "first", 0);
  await save([cell(1, 0, "2026-10-20")], "second", 5);
  await save([cell(1, 1, "2026-11-05")], "third", 10);
});

describe("planLog/batches", () => {
  it("gives batches newest first with who, when, by what, why and how many DUs and cells", async () => {
    const { records, more } = await batches();
    expect(records.map(({ reason, dus: count, cells }) => [reason, count, cells])).toEqual([
      ["third", 1, 1],
      ["second", 1, 1],
      ["first", 1, 2],
    ]);
    expect(more).toBe(false);
    expect(records[0]).toMatchObject({ source: "grid", actorId: pm.id, actor: pm.name, undoOf: null, task: null });
  });

  it("counts only the DUs and cells that were asked for", async () => {
    const ask = async (filters: unknown[]) =>
      (await batches(filters)).records.map(({ reason, dus: count, cells }) => [reason, count, cells]);
    expect(await ask([{ field: "activity", type: "eq", values: [activities[1]!.id] }])).toEqual([
      ["third", 1, 1],
      ["first", 1, 1],
    ]);
    expect(await ask([{ field: "du", type: "in", values: ["PB-2"] }])).toEqual([
      ["third", 1, 1],
      ["second", 1, 1],
    ]);
    expect(await ask([{ field: "source", type: "eq", values: ["import"] }])).toEqual([]);
  });

  it("goes on behind a change number, at most 100 at once", async () => {
    const first = await batches([], pm, { size: 2 });
    expect([first.records.length, first.more]).toEqual([2, true]);
    const second = await batches([], pm, { size: 2, beforeSeq: first.records[1]!.seq });
    expect([second.records.map(({ reason }) => reason), second.more]).toEqual([["first"], false]);
    expect(await call(pm, "planLog/batches", { size: 100 })).toMatchObject({ status: 200 });
    expect(await call(pm, "planLog/batches", { size: 101 })).toMatchObject({ status: 400, problems: [{ path: "size" }] });
  });

  it("gives the chunks of one task one mark, and other batches none", async () => {
    const origin = { kind: "task", id: "t1" };
    for (const name of ["one", "two"])
      await inProject(pm, project.number, (ctx) =>
        logDuChanges(ctx, [{ duId: dus[0]!, attrs: { "du.name": [null, name] } }], { source: "import", origin }),
      );
    const { records } = await batches([{ field: "field", type: "eq", values: ["name"] }]);
    expect(records.map(({ source, task }) => [source, task])).toEqual([
      ["import", expect.stringMatching(/^[0-9a-f]{32}$/)],
      ["import", records[0]!.task],
    ]);
    expect((await batches([{ field: "source", type: "eq", values: ["grid"] }])).records.map(({ task }) => task)).toEqual([
      null,
      null,
      null,
    ]);
  });

  it("refuses an unknown field and a period of more than 366 days without DUs", async () => {
    expect(await call(pm, "planLog/batches", { filters: [{ field: "colour", type: "eq", values: ["red"] }] })).toMatchObject({
      status: 400,
      problems: [{ path: "filters.0.field", code: "VALUE_UNKNOWN" }],
    });
    const period = (from: string) => [{ field: "at", type: "range", values: [from, "2026-12-31"] }];
    expect(await call(pm, "planLog/batches", { filters: period("2025-12-30") })).toMatchObject({ status: 200 });
    expect(await call(pm, "planLog/batches", { filters: period("2025-12-29") })).toMatchObject({ status: 422, code: "DATE_RANGE" });
  });

  it("shows a subcontractor only batches of DUs in reach, and counts only those", async () => {
    await db.owner`insert into role_permission (project_id, role, code, scope) values (${project.id}, 'SUBCON', 'planLog.view', 'O') on conflict do nothing`;
    const { records } = await batches([], partner);
    expect(records.map(({ reason }) => reason)).toEqual(["third", "second"]);
  });
});

describe("planLog/fields", () => {
  it("names plan cells, notes, DU columns with the names behind their ids, and attributes, in the caller's language", async () => {
    const attribute = await makeAttribute(db.owner, project.id);
    const fields = async (locale: "zh" | "en" | "ja") =>
      new Map(
        ((await callAs(pm, "planLog/fields", {}, { project: project.number, locale })).data as { key: string; title: string }[]).map(
          (field) => [field.key, field],
        ),
      );
    const [zh, en, ja] = [await fields("zh"), await fields("en"), await fields("ja")];
    expect([zh, en, ja].map((named) => named.get("planEnd")?.title)).toEqual(["计划结束", "Plan end", "計画終了"]);
    expect([zh, en, ja].map((named) => named.get("state")?.title)).toEqual(["状态位", "State", "状態"]);
    expect(en.get("note.delayReason")?.title).toBe("Delay reason");
    expect(en.get("du.rfc_number")?.title).toBe("RFC number");
    expect(en.get("du.cluster_id")?.title).toBe("Cluster");
    expect(en.get(`a${attribute.id}`)?.title).toBeDefined();
    expect(Object.keys((en.get("du.subcontractor_id") as unknown as { values: object }).values)).toHaveLength(1);
  });
});
