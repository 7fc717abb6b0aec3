import { expect } from "vitest";
import { runTask } from "#jobs/run-task.ts";
import { taskKinds } from "#jobs/tasks.ts";
import { clock, type TestDatabase } from "./database.ts";
import { makeDus } from "./plan-factories.ts";
import { type PlanProject, planCalls } from "./plan-project.ts";

const never = new AbortController().signal;

/** A version of the engine that can be calculated: DUs with a survey and an installation that takes two antennas, one team each. */
export type EngineVersion = { versionId: number; dus: number[]; warehouseId: number };

/** Calls of a suite about runs of the engine. */
export function engineCalls(db: TestDatabase, project: PlanProject) {
  const { call } = planCalls(db, project);
  // biome-ignore lint/suspicious/noExplicitAny: tests read the answer of many calls.
  const ok = async (address: string, input: unknown = {}, user = project.pm, now = clock): Promise<any> => {
    const answer = await call(user, address, input, now);
    expect(answer.status, `${address}: ${JSON.stringify(answer.problems ?? answer.msg)}`).toBe(200);
    return answer.data;
  };
  const saved = async (versionId: number, address: string, rows: Record<string, unknown>[]): Promise<number[]> =>
    (await ok(address, { versionId, rows })).ids;
  /** Runs the task of a started run, as a worker does. */
  // biome-ignore lint/suspicious/noExplicitAny: rows of a table as the driver gives them.
  const work = async (taskId: string): Promise<any> => {
    await runTask(db.app, taskKinds, taskId, never);
    return (await db.owner`select * from task where id = ${taskId}`)[0]!;
  };
  const start = (versionId: number, more: Record<string, unknown> = {}): Promise<{ runId: number; taskId: string }> =>
    ok("engine/executeEngine/plan", { versionId, ...more });
  /** Starts a run and works it off. */
  const plan = async (versionId: number, more: Record<string, unknown> = {}) => {
    const started = await start(versionId, more);
    const task = await work(started.taskId);
    return { ...started, task, status: await ok("engine/executeEngine/status", { runId: started.runId }) };
  };
  /**
   * Makes a version of `count` DUs; stock covers all but the last, whose antennas come on `inbound` where one is given.
   * The priorities leave one order of the installations that is best.
   * @param settings besides a short search that always gives the same plan
   */
  const makeVersion = async (
    versionName: string,
    { count = 3, settings = {}, inbound = null }: { count?: number; settings?: Record<string, unknown>; inbound?: string | null } = {},
  ): Promise<EngineVersion> => {
    const versionId = (await ok("engine/version/save", { versionName })).id as number;
    const dus = await makeDus(
      db.owner,
      project.id,
      Array.from({ length: count }, (_, at) => ({ code: `${versionName}-${at + 1}` })),
      project.flow,
    );
    await ok("engine/setting/save", { versionId, planStartDate: "2026-11-02", sortByRfi: true, evaluationLimit: 60, ...settings });
    await saved(
      versionId,
      "nc/duConfig/save",
      dus.map((duId, at) => ({
        duId,
        workflowName: "NEW",
        duType: "both",
        region: at % 2 ? "South" : "North",
        planEndDate: "2026-11-06",
        rfiPriority: at + 1,
        longitude: 121 + at / 10,
        latitude: 31,
      })),
    );
    await saved(versionId, "engine/activity/save", [
      { workflowName: "NEW", activityName: "Survey", sort: 1, durationDays: 1, needSubcontractor: true, skillType: "SUR" },
      {
        workflowName: "NEW",
        activityName: "Install",
        sort: 2,
        durationDays: 3,
        needSubcontractor: true,
        skillType: "INST",
        materialRelated: true,
        assembly: true,
        predecessors: [{ activityName: "Survey", relation: "FS" }],
      },
    ]);
    await db.owner`
      update engine_activity a set slot = l.slot from activity_library l
      where a.version_id = ${versionId} and l.project_id = a.project_id and l.name = a.activity_name`;
    await saved(versionId, "engine/skillResource/save", [
      { skillType: "SUR", resourceName: "Alpha", teamCount: 1 },
      { skillType: "INST", resourceName: "Alpha", teamCount: 1 },
    ]);
    const rows = [{ name: `Main ${versionName}`, type: "central", priority: 1 }];
    const [warehouseId] = ((await ok("nc/centerWarehouse/save", { rows })) as { ids: number[] }).ids;
    await saved(versionId, "nc/inventory/save", [
      { warehouseId, itemCode: "ANT", inventoryQty: 2 * (count - 1) },
      ...(inbound ? [{ warehouseId, itemCode: "ANT", planQty: 2, planInboundDate: inbound }] : []),
    ]);
    await saved(
      versionId,
      "nc/duMaterial/save",
      dus.map((duId) => ({ duId, itemCode: "ANT", installQty: 2 })),
    );
    return { versionId, dus, warehouseId: warehouseId as number };
  };
  return { call, ok, saved, start, work, plan, makeVersion };
}
