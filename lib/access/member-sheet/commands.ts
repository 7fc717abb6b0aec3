import "server-only";
import type { z } from "zod";
import type { Ctx } from "#lib/core/ctx.ts";
import { roleName } from "#lib/core/format.ts";
import { forgetRights } from "#lib/core/gate.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import type { JobCtx } from "#lib/core/job.ts";
import type { Outcome } from "#lib/core/task.ts";
import type { Cell } from "#lib/core/workbook-cell.ts";
import type { DateFormat } from "#lib/imports/kind/limits.ts";
import {
  type CheckedRow,
  type ImportKind,
  type ImportRow,
  type ImportRun,
  markOf,
  rowMark,
  type WriteFrame,
} from "#lib/imports/kind/logic.ts";
import { startListExport, storeListExport } from "#lib/tasks/list-export/commands.ts";
import { validityOf } from "../logic.ts";
import { countRoles, type Member, streamMembers } from "../members/queries.ts";
import type { ExportMembers } from "../members/schema.ts";
import { lockedColumns, memberSheetVersion, sheetColumns } from "./limits.ts";
import { checkedRow, keepManager, memberFields, nothingSeen, type RoleWork, roleWork, type SeenRoles } from "./logic.ts";
import { readMemberFacts, sheetTexts, sheetWords } from "./queries.ts";
import { type MemberExportParams, MemberImportOptions } from "./schema.ts";

/**
 * Starts an export of the members the conditions keep.
 * @throws NO_DATA, EXPORT_LIMIT, EXPORT_UNFINISHED
 */
export async function startMemberExport(ctx: Ctx, { filters }: z.output<typeof ExportMembers>): Promise<{ taskId: string }> {
  const total = await countRoles(ctx, filters);
  return startListExport(ctx, {
    kind: "access.exportMembers",
    title: sheetWords(ctx).title,
    params: { filters, total },
    total,
    columns: sheetColumns.length,
  });
}

/** Writes the workbook of the members, one row per role, in the form their import takes back. Safe to run twice. */
export function runMemberExport(job: JobCtx, { filters, total }: MemberExportParams): Promise<Outcome> {
  const texts = sheetTexts(job);
  const words = sheetWords(job);
  async function* rows(): AsyncGenerator<Cell[]> {
    for await (const members of streamMembers(job, filters)) for (const member of members) yield* rowsOf(member, words, job.today);
  }
  return storeListExport(job, {
    title: words.title,
    columns: sheetColumns.map((key) => ({
      key,
      title: texts.title(key),
      kind: key === "from" || key === "to" ? "day" : "text",
      hidden: key === rowMark,
    })),
    rows: rows(),
    total,
    lockedColumns,
    meta: { kind: "members", version: memberSheetVersion },
  });
}

function rowsOf(member: Member, words: ReturnType<typeof sheetWords>, today: string): Cell[][] {
  return member.roles.map((held) => [
    member.account,
    member.name,
    member.email,
    words.kind(member.kind),
    roleName(held.role),
    held.validFrom,
    held.validTo,
    words.state(validityOf(held, today)),
    markOf(held),
  ]);
}

/** The import of members: roles are given or get another validity; what the file leaves out stays. */
export const memberImport: ImportKind = {
  options: MemberImportOptions,
  fields: async (ctx) => memberFields(sheetTexts(ctx)),
  choices: async () => [{ key: "blanks", type: "blanks" }],
  fallbacks: [],
  labels: ["account", "role"],
  hidden: rowMark,
  open: (options: MemberImportOptions, format: DateFormat): ImportRun => {
    const seen = nothingSeen();
    return {
      check: async (ctx, rows) => (await checkRows(ctx, rows, options, format, seen)).map(checkedRow),
      write: (ctx, rows, frame) => writeRows(ctx, rows, options, format, frame),
    };
  },
};

async function checkRows(
  ctx: Ctx,
  rows: readonly ImportRow[],
  options: MemberImportOptions,
  format: DateFormat,
  seen: SeenRoles,
): Promise<RoleWork[]> {
  const facts = await readMemberFacts(ctx, rows);
  const works = rows.map((row) => roleWork(row, facts, options, format, seen));
  keepManager(works, facts);
  return works;
}

async function writeRows(
  ctx: Ctx,
  rows: readonly ImportRow[],
  options: MemberImportOptions,
  format: DateFormat,
  frame: WriteFrame,
): Promise<{ written: CheckedRow[]; rejected: CheckedRow[] }> {
  await holdProject(ctx);
  const works = await checkRows(ctx, rows, options, format, nothingSeen());
  const rejected = works.filter(({ problems }) => problems.length > 0).map(checkedRow);
  const accepted = works.filter(({ problems, changes }) => problems.length === 0 && changes.length > 0);
  if (accepted.length === 0 || (frame.whole && rejected.length > 0)) return { written: [], rejected };
  await frame.step(0.5);
  const { sql, project, user, now, today } = ctx;
  // A role that has ended is given anew; that of the others is only another validity.
  await sql`
    insert into project_member as m (project_id, user_id, role, valid_from, valid_to, granted_by, granted_at)
    select ${project.id}, n."userId", n.role, n."validFrom", n."validTo", ${user.id}, ${now}
    from jsonb_to_recordset(${sql.json(accepted.map(({ person, role, validFrom, validTo }) => ({ userId: person?.id, role, validFrom, validTo })) as never)})
      as n("userId" bigint, role text, "validFrom" date, "validTo" date) order by n."userId", n.role
    on conflict on constraint project_member_unique do update set valid_from = excluded.valid_from, valid_to = excluded.valid_to,
      granted_by = case when m.valid_to < ${today} then excluded.granted_by else m.granted_by end,
      granted_at = case when m.valid_to < ${today} then excluded.granted_at else m.granted_at end, row_version = m.row_version + 1`;
  for (const { person, role, held, validFrom, validTo } of accepted) {
    const before = held && { validFrom: held.validFrom, validTo: held.validTo };
    ctx.audit(`role ${role} of ${person?.account}`, before, { validFrom, validTo }, "config_changed");
  }
  ctx.afterCommit(forgetRights);
  return { written: accepted.map(checkedRow), rejected };
}
