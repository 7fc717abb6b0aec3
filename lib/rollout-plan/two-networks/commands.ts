import "server-only";
import { dayNumber } from "#lib/core/clock.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { checkRules } from "#lib/core/rule.ts";
import { errorText } from "#lib/core/texts.ts";
import type { ErrorCode } from "#lib/errors.ts";
import { rfcRules } from "../batches/rules.ts";
import { writePlanRows } from "../plan-rows/commands.ts";
import { diffBlock, getCell, isApplicable, type PlanBlock, rowIndex, setCell } from "../plan-rows/logic.ts";
import { listLibraryActivities, listRefusals, readPlanRows, writableFields } from "../plan-rows/queries.ts";
import { pairKey, refusedTogether } from "./logic.ts";
import { readJointRows, readPairedDus } from "./queries.ts";
import type { JointRow, SavePairs } from "./schema.ts";

/** A row that was not saved, and why. */
export type RefusedPair = { duAId: number; duBId: number; activityId: number; code: ErrorCode; msg: string };
export type SavedPairs = { saved: number; rejected: RefusedPair[]; batchId: number | null };

type Fault = { code: ErrorCode; params?: Record<string, string | number> };

/**
 * Saves joint dates of pairs and makes them the plan end of both DUs, by the rules of the plan: both DUs of a pair are written or none. All DUs of the call
 * must carry the same RFC number. [RPL-38]
 * @throws RFC_DIFFERS
 */
export async function saveNetworkPairs(ctx: Ctx, { rows, confirmed }: SavePairs): Promise<SavedPairs> {
  const duIds = [...new Set(rows.flatMap(({ duAId, duBId }) => [duAId, duBId]))];
  const activityIds = [...new Set(rows.map(({ activityId }) => activityId))];
  const dus = await readPairedDus(ctx, duIds);
  checkRules(rfcRules, { rfcNumbers: new Set([...dus.values()].map(({ rfcNumber }) => rfcNumber)), planDate: true });
  // Plan rows are locked before the rows of the pairs, as every writer of both does.
  const block = await readPlanRows(ctx, [...dus.keys()], { lock: true, fields: writableFields });
  const [kept, library] = await Promise.all([readJointRows(ctx, rows, activityIds, { lock: true }), listLibraryActivities(ctx)]);
  const slots = new Map(library.map(({ id, slot }) => [id, slot]));
  const faults = new Map<JointRow, Fault>();
  const ends = new Map<string, number>();
  const refuse = (row: JointRow, fault: Fault) => faults.set(row, fault);
  for (const row of rows) {
    const present = kept.get(pairKey(row, row.activityId));
    const [a, b] = [dus.get(row.duAId), dus.get(row.duBId)];
    if (!a || !b) refuse(row, { code: "DU_NOT_FOUND", params: { code: a ? row.duBId : row.duAId } });
    else if (a.siteId !== b.siteId) refuse(row, { code: "DU_NOT_FOUND", params: { code: b.code } });
    else if ((present?.rowVersion ?? null) !== row.rowVersion) refuse(row, { code: "STALE" });
    else {
      const fault = enterEnds(block, row, slots.get(row.activityId), ends);
      if (fault) refuse(row, fault);
    }
  }
  const own = await refuseByRules(ctx, block, rows, faults);
  const sound = rows.filter((row) => !faults.has(row));
  const written = await writePlanRows(ctx, block, {
    source: "batch",
    reason: null,
    origin: { kind: "twoNetworks" },
    refused: own,
    ask: { confirmed },
  });
  for (const row of sound)
    if (written.moved.includes(row.duAId) || written.moved.includes(row.duBId)) throw new AppError("CHANGED_MEANWHILE");
  await keepRows(ctx, sound, dus);
  const rejected = rows.flatMap((row): RefusedPair[] => {
    const fault = faults.get(row);
    const { duAId, duBId, activityId } = row;
    return fault ? [{ duAId, duBId, activityId, code: fault.code, msg: errorText(ctx.locale, fault.code, fault.params ?? {}) }] : [];
  });
  ctx.audit("special_plan", null, { saved: sound.length, rejected: rejected.length, batchId: written.batchId });
  return { saved: sound.length, rejected, batchId: written.batchId };
}

/** Enters the plan ends a row wants; a date that another row of the call wants otherwise is not entered twice. */
function enterEnds(block: PlanBlock, row: JointRow, slot: number | undefined, ends: Map<string, number>): Fault | null {
  const places = rowIndex(block);
  const wanted = [
    { duId: row.duAId, end: row.planEndA === undefined ? row.jointDate : row.planEndA },
    { duId: row.duBId, end: row.planEndB === undefined ? row.jointDate : row.planEndB },
  ];
  for (const { duId, end } of wanted) {
    const place = places.get(duId);
    if (slot === undefined || place === undefined || !isApplicable(getCell(block, place, slot, "state"))) return { code: "NO_ACTIVITY" };
    const before = ends.get(`${duId} ${slot}`);
    if (end !== null && before !== undefined && before !== dayNumber(end))
      return { code: "VALUE_REPEATED", params: { field: "jointDate" } };
  }
  for (const { duId, end } of wanted) {
    if (end === null) continue;
    ends.set(`${duId} ${slot}`, dayNumber(end) as number);
    setCell(block, places.get(duId) as number, slot as number, "planEnd", dayNumber(end) as number);
  }
  return null;
}

/** Gives every row of a DU that the rules of the plan refuse, or whose partner they refuse, its reason. @returns the DUs nothing is written of */
async function refuseByRules(ctx: Ctx, block: PlanBlock, rows: readonly JointRow[], faults: Map<JointRow, Fault>): Promise<Set<number>> {
  const diffs = new Map(diffBlock(block).map((diff) => [diff.row, diff]));
  const refusals = new Map(
    (await listRefusals(ctx, block, diffs, { source: "batch" })).toReversed().map((refusal) => [refusal.duId, refusal]),
  );
  const entered = rows.filter((row) => !faults.has(row));
  const refused = refusedTogether(entered, refusals.keys());
  for (const row of entered) {
    if (!refused.has(row.duAId)) continue;
    const reason = refusals.get(row.duAId) ?? refusals.get(row.duBId) ?? [...refusals.values()][0];
    faults.set(row, { code: reason!.code, params: reason!.params });
  }
  return refused;
}

async function keepRows(
  { sql, project }: Ctx,
  rows: readonly JointRow[],
  dus: ReadonlyMap<number, { siteId: number; rfcNumber: string | null }>,
): Promise<void> {
  const given = rows.map(({ duAId, duBId, activityId, jointDate }) => {
    const du = dus.get(duAId)!;
    return { a: Math.min(duAId, duBId), b: Math.max(duAId, duBId), activityId, jointDate, siteId: du.siteId, rfc: du.rfcNumber ?? "" };
  });
  await sql`
    insert into special_plan as s (project_id, site_id, du_a_id, du_b_id, activity_id, joint_date, rfc_number)
    select ${project.id}, g."siteId", g.a, g.b, g."activityId", g."jointDate", g.rfc
    from jsonb_to_recordset(${sql.json(given)}) as g(a bigint, b bigint, "activityId" bigint, "jointDate" date, "siteId" bigint, rfc text)
    on conflict on constraint special_plan_pair_unique do update
      set joint_date = excluded.joint_date, rfc_number = excluded.rfc_number, site_id = excluded.site_id, row_version = s.row_version + 1`;
}
