import { Worker } from "node:worker_threads";
import type { RunEnd, RunOrder, RunTelling } from "#jobs/planning-engine-run.ts";
import { projectToday } from "#lib/core/clock.ts";
import { rollOut } from "#tests/support/roll-out.ts";
import { type Installation, makeCall, openInstallation, settled } from "./installation.ts";
import { line, median, once } from "./measure.ts";
import { peakMegabytes } from "./memory.ts";
import { makeEngineProject } from "./planning-engine-project.ts";
import { shiftAll } from "./schedule.ts";

const sizes = {
  "1000x20": { size: [1_000, 20, 250], goal: 1.5 },
  "10000x20": { size: [10_000, 20, 500], goal: 5 },
  "10000x60": { size: [10_000, 60, 500], goal: 12 },
} as const;
const runs = 5;

/**
 * Generated roll-outs through the product, with the first plan only: from the click to the stored output, and where the time goes; then the plan applied.
 * @param asked one of the sizes by its name; none = all
 */
export async function benchEngineRuns(asked?: string): Promise<void> {
  const installation = await openInstallation();
  try {
    for (const [name, { size, goal }] of Object.entries(sizes)) {
      const [dus, activities, window] = size;
      if (asked !== undefined && name !== asked) continue;
      await benchSize(installation, `ROLL-${dus}-${activities}`, rollOut(dus, activities, window, 1).problem, goal);
    }
    console.log(`worker: ${peakMegabytes(installation.pid("worker")).toFixed(0)} MB at most`);
  } finally {
    await installation.stop();
  }
}

async function benchSize(
  installation: Installation,
  number: string,
  problem: ReturnType<typeof rollOut>["problem"],
  goal: number,
): Promise<void> {
  const { sql, address, token } = installation;
  const [user] = await sql<{ id: number }[]>`select id from app_user where account = 'pm'`;
  const versionId = await makeEngineProject(sql, number, problem, user!.id, projectToday(new Date(), 0));
  const call = makeCall(address, token, number);
  const totals: number[] = [];
  const times = new Map<string, number[]>();
  const note = (phase: string, ms: number) => times.set(phase, [...(times.get(phase) ?? []), ms]);
  let runId = 0;
  for (let run = 0; run < runs; run++) {
    const began = Date.now();
    const started = await call<{ runId: number; taskId: string }>("engine/executeEngine/plan", { versionId });
    const answered = Date.now();
    runId = started.runId;
    await settled(installation, started.taskId, number);
    totals.push(Date.now() - began);
    const [row] = await sql<{ status: string; begun: Date; published: Date; stored: Date }[]>`
      select r.status, r.started_at as begun, r.finished_at as published, t.finished_at as stored from engine_run r join task t on t.id = r.task_id
      where r.id = ${runId}`;
    if (row?.status !== "success") throw new Error(`${number}: the run is ${row?.status}`);
    note("read, checked, frozen and answered", answered - began);
    note("until a worker begins", row.begun.getTime() - answered);
    note("calculated", row.published.getTime() - row.begun.getTime());
    note("stored", row.stored.getTime() - row.published.getTime());
  }
  console.log(`${number} through the product: ${seconds(median(totals))} s from the click to the stored output   goal ≤ ${goal} s`);
  for (const [phase, values] of times) console.log(`  ${phase} ${seconds(median(values))} s`);
  const phases = await phasesOf(sql, runId);
  console.log(`  of it calculated, in a thread alone: ${phases.map(({ phase, ms }) => `${phase} ${seconds(ms)} s`).join(", ")}`);
  await benchApply(installation, number, runId);
}

/** A plan written into the rollout plan, where only RFI has dates; against reading, shifting and writing the same dates with one packed change row for each DU. */
async function benchApply(installation: Installation, number: string, runId: number): Promise<void> {
  const { sql, address, token } = installation;
  const call = makeCall(address, token, number);
  const [project] = await sql<{ id: number }[]>`select id from project where number = ${number}`;
  const times: { product: number[]; written: number[]; bare: number[] } = { product: [], written: [], bare: [] };
  let dates = 0;
  for (let run = -1; run < runs; run++) {
    const began = Date.now();
    const { taskId } = await call<{ taskId: string }>("engine/output/apply", { runId });
    await settled(installation, taskId, number);
    const product = Date.now() - began;
    const [task] = await sql<{ cells: number; ms: number }[]>`
      select (result ->> 'cells')::int as cells, extract(epoch from finished_at - started_at)::float8 * 1000 as ms from task where id = ${taskId}`;
    const bare = await once(() => shiftAll(sql, project!.id));
    // The day RFI was moved by is taken back, and with it every other date.
    await sql`
      update du_plan set plan_start = array[plan_start[1] - 1]::smallint[], plan_end = array[plan_end[1] - 1]::smallint[], row_version = row_version + 1
      where project_id = ${project!.id}`;
    if (run < 0) continue;
    dates = task!.cells;
    times.product.push(product);
    times.written.push(task!.ms);
    times.bare.push(bare);
  }
  line(`${number} applied, ${dates} dates: from the click`, median(times.product), median(times.bare), "ms", "≤ 3");
  console.log(`  of it in the worker ${seconds(median(times.written))} s   goal ≤ ${seconds((dates / 200_000) * planRowsMs)} s`);
}

/** Reading, computing and writing back 200,000 dates with their history, as measured before the first line of the product. */
const planRowsMs = 245;

const seconds = (ms: number) => (ms / 1000).toFixed(2);

/** The calculation of a run once more from its frozen input, in the thread the worker uses: how long each of its phases takes. */
async function phasesOf(sql: Installation["sql"], runId: number): Promise<{ phase: string; ms: number }[]> {
  const [row] = await sql<Omit<RunOrder, "baseSnapshot" | "exactFolder">[]>`
    select id as "runId", project_id as "projectId", snapshot, snapshot_sha256 as sha256, seed, evaluation_limit as "evaluationLimit",
      time_budget_s as "timeBudgetS", islands from engine_run where id = ${runId}`;
  const workerData: RunOrder = { ...row!, snapshot: Uint8Array.from(row!.snapshot), baseSnapshot: null, exactFolder: null };
  const names: Record<RunTelling["phase"], string> = {
    prepare: "thawed and pre-checked",
    construct: "solved",
    improve: "solved",
    check: "checked",
    write: "made rows of",
  };
  const found: { phase: string; ms: number }[] = [{ phase: "thread started", ms: 0 }];
  let since = performance.now();
  const enter = (phase: string) => {
    const now = performance.now();
    found.at(-1)!.ms += now - since;
    since = now;
    if (found.at(-1)!.phase !== phase) found.push({ phase, ms: 0 });
  };
  await new Promise<void>((resolve, reject) => {
    const thread = new Worker(new URL("../../jobs/planning-engine-run.ts", import.meta.url), { workerData });
    thread.on("message", (message: RunTelling | RunEnd) => enter(message.kind === "telling" ? names[message.phase] : "handed over"));
    thread.once("error", reject);
    thread.once("exit", () => resolve());
  });
  return found.slice(0, -1);
}
