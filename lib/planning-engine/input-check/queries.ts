import "server-only";
import { createTranslator } from "use-intl/core";
import type { Ctx } from "#lib/core/ctx.ts";
import { loadMessages } from "#lib/core/messages.ts";
import type { Fault, Snapshot } from "../snapshot/logic.ts";
import { readSnapshot } from "../snapshot/queries.ts";
import { demandVersion } from "../versions/queries.ts";
import { type InputBlock, type InputState, inputBlocks, type UploadState } from "./limits.ts";
import { type Finding, type FindingCode, judge, shorten } from "./logic.ts";

/** A finding as it is shown. */
export type FindingRow = { block: InputBlock; code: FindingCode; duId: number | null; duCode: string | null; text: string };
export type InputCheck = { errors: FindingRow[]; warnings: FindingRow[]; counts: Partial<Record<FindingCode, number>> };

/** What is wrong with the inputs of a version and keeps it from being calculated, and what should be looked at. @throws NOT_FOUND */
export async function checkInputs(ctx: Ctx, { versionId }: { versionId: number }): Promise<InputCheck> {
  const { snapshot, faults } = await readSnapshot(ctx, { versionId });
  return describeCheck(ctx, snapshot, faults);
}

/** The same for an input that has been read already. */
export async function describeCheck(
  ctx: Pick<Ctx, "sql" | "project" | "locale">,
  snapshot: Snapshot | null,
  faults: readonly Fault[],
): Promise<InputCheck> {
  const found = judge(snapshot, faults);
  const errors = shorten(found.filter(({ level }) => level === "error"));
  const warnings = shorten(found.filter(({ level }) => level === "warning"));
  const codes = await readCodes(ctx, [...errors.findings, ...warnings.findings]);
  const t = createTranslator({
    locale: ctx.locale,
    messages: loadMessages(ctx.locale),
    namespace: "engine-inputs",
    onError: () => {},
  }) as unknown as (key: string, values: Record<string, string | number>) => string;
  const shown = ({ block, code, duId, params }: Finding): FindingRow => {
    const duCode = duId === null ? null : (codes.get(duId) ?? null);
    return { block, code, duId, duCode, text: t(`check.${code}`, { du: duCode ?? "", ...params }) };
  };
  return {
    errors: errors.findings.map(shown),
    warnings: warnings.findings.map(shown),
    counts: { ...errors.counts, ...warnings.counts },
  };
}

async function readCodes({ sql, project }: Pick<Ctx, "sql" | "project">, findings: readonly Finding[]): Promise<Map<number, string>> {
  const ids = [...new Set(findings.flatMap(({ duId }) => duId ?? []))];
  if (ids.length === 0) return new Map();
  const rows = await sql<
    { id: number; code: string }[]
  >`select id, code from du where project_id = ${project.id} and id = any(${ids}::bigint[])`;
  return new Map(rows.map(({ id, code }) => [id, code]));
}

/** What stands for nothing filled in rather than for something wrong. */
const missing: ReadonlySet<FindingCode> = new Set<FindingCode>(["BLOCK_EMPTY", "SETTING_MISSING"]);

/** How far an input of a version is, and what became of the last file that was put into it. */
export type BlockStatus = {
  block: InputBlock;
  state: InputState;
  rows: number;
  problems: number;
  uploadStatus: UploadState | null;
  uploadedAt: Date | null;
  lastTaskId: string | null;
};

/** State of every input of a version, in their order. [ENG-17] [ENG-20] @throws NOT_FOUND */
export async function findInputStatus(ctx: Ctx, { versionId }: { versionId: number }): Promise<{ blocks: BlockStatus[] }> {
  const { sql } = ctx;
  await demandVersion(ctx, versionId);
  const [rows] = await sql<Record<InputBlock, number>[]>`
    select (select count(*)::int from engine_setting where version_id = ${versionId}) as setting,
      (select count(*)::int from engine_du where version_id = ${versionId}) as du,
      (select count(*)::int from engine_activity where version_id = ${versionId}) as activity,
      (select count(*)::int from engine_skill_resource where version_id = ${versionId}) as skill_resource,
      (select count(*)::int from engine_du_material where version_id = ${versionId}) as du_material,
      (select count(*)::int from engine_inventory where version_id = ${versionId}) as inventory,
      (select count(*)::int from engine_item_substitute where version_id = ${versionId}) as substitution,
      (select count(*)::int from engine_reuse_material where version_id = ${versionId}) as reuse`;
  const uploads = await sql<{ block: InputBlock; uploadStatus: UploadState; lastTaskId: string | null; uploadedAt: Date }[]>`
    select s.block, s.last_task_id as "lastTaskId", s.updated_at as "uploadedAt",
      case when s.upload_status = 'uploading' and coalesce(t.status, 'expired') not in ('queued', 'running') then 'failed' else s.upload_status end as "uploadStatus"
    from engine_input_state s left join task t on t.id = s.last_task_id where s.version_id = ${versionId}`;
  const { faults } = await readSnapshot(ctx, { versionId, withPlan: false });
  return {
    blocks: inputBlocks.map((block) => {
      const upload = uploads.find((row) => row.block === block);
      const problems = faults.filter((fault) => fault.block === block && fault.level === "error" && !missing.has(fault.code)).length;
      const state = rows![block] === 0 ? "not_configured" : problems > 0 ? "configuring" : "configured";
      return {
        block,
        state,
        rows: rows![block],
        problems,
        uploadStatus: upload?.uploadStatus ?? null,
        uploadedAt: upload?.uploadedAt ?? null,
        lastTaskId: upload?.lastTaskId ?? null,
      };
    }),
  };
}
