import "server-only";
import type { z } from "zod";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { holdProject } from "#lib/core/hold-project.ts";
import { locales } from "#lib/core/locale.ts";
import { loadMessages } from "#lib/core/messages.ts";
import { brokenRules, checkRules } from "#lib/core/rule.ts";
import { refuseUnchanged } from "#lib/core/unchanged.ts";
import type { CheckedRow, FieldProblem, ImportField, ImportKind, ImportRow, WriteFrame } from "#lib/imports/kind/logic.ts";
import { type RelationKind, relationKinds, relationNoteChars } from "./limits.ts";
import { addLink, indexLinks, type Link, type Links, linkKey } from "./logic.ts";
import { listLinks, readCodes, readRelatable } from "./queries.ts";
import { linkRules } from "./rules.ts";
import { type DeleteDuRelations, DuRelationImportOptions, type SaveDuRelation } from "./schema.ts";

/** Makes or changes a relation between two DUs. */
export async function saveDuRelation(ctx: Ctx, input: SaveDuRelation): Promise<{ id: number; rowVersion: number }> {
  const { sql, project } = ctx;
  const { id = null, duId, relatedDuId, kind } = input;
  const note = input.note || null;
  await lockRelations(ctx);
  const [before] =
    id === null
      ? []
      : await sql<(Link & { note: string | null; rowVersion: number })[]>`
    select r.id, r.du_id as "duId", r.related_du_id as "relatedDuId", r.kind, r.note, r.row_version as "rowVersion" from du_relation r
    join du on du.id = r.du_id where r.id = ${id} and ${ctx.scope.where("duRelation.edit")}`;
  if (id !== null && !before) throw new AppError("NOT_FOUND", { object: id });
  if (before && before.rowVersion !== input.rowVersion) throw new AppError("STALE", {}, [], before);
  const reached = new Map((await readRelatable(ctx, { ids: [duId, relatedDuId] })).map((du) => [du.id, du.code]));
  const unknown = [duId, relatedDuId].find((du) => !reached.has(du));
  if (unknown !== undefined) throw new AppError("DU_NOT_FOUND", { code: unknown });
  const links = await listLinks(ctx);
  const codes = await readCodes(ctx, links.flatMap((link) => [link.duId, link.relatedDuId]).concat(duId, relatedDuId));
  const link: Link = { id, duId, relatedDuId, kind };
  checkRules(linkRules, { link, links: indexLinks(links, id), codeOf: (du) => codes.get(du) ?? String(du) });
  const values = { duId, relatedDuId, kind, note };
  if (before) {
    refuseUnchanged(before, values);
    await sql`
      update du_relation set du_id = ${duId}, related_du_id = ${relatedDuId}, kind = ${kind}, note = ${note}, row_version = row_version + 1 where id = ${id}`;
    ctx.audit(`du_relation ${id}`, { duId: before.duId, relatedDuId: before.relatedDuId, kind: before.kind, note: before.note }, values);
    return { id: before.id as number, rowVersion: before.rowVersion + 1 };
  }
  const [made] = await sql<{ id: number }[]>`
    insert into du_relation (project_id, du_id, related_du_id, kind, note) values (${project.id}, ${duId}, ${relatedDuId}, ${kind}, ${note}) returning id`;
  ctx.audit(`du_relation ${made!.id}`, null, values);
  return { id: made!.id, rowVersion: 1 };
}

/** Removes relations, all of them or none. */
export async function deleteDuRelations(ctx: Ctx, { ids }: z.output<typeof DeleteDuRelations>): Promise<{ deleted: number }> {
  await lockRelations(ctx);
  const gone = await ctx.sql<{ id: number; duId: number; relatedDuId: number; kind: RelationKind; note: string | null }[]>`
    delete from du_relation r using du where du.id = r.du_id and r.id = any(${ids}::bigint[]) and ${ctx.scope.where("duRelation.edit")}
    returning r.id, r.du_id as "duId", r.related_du_id as "relatedDuId", r.kind, r.note`;
  if (gone.length !== new Set(ids).size) throw new AppError("NOT_FOUND", { object: ids.join(", ") });
  ctx.audit("du_relation", { deleted: [...gone] }, null);
  return { deleted: gone.length };
}

/** Lets one writer at a time judge the relations of a project; those of deleted DUs, which nobody sees any more, go. */
async function lockRelations(ctx: Ctx): Promise<void> {
  const { sql, project } = ctx;
  await holdProject(ctx);
  await sql`
    delete from du_relation r using du where r.project_id = ${project.id} and du.id in (r.du_id, r.related_du_id) and du.deleted_at is not null`;
}

type Words = { column: Record<"code" | "relatedCode" | "kind" | "note", string>; kind: Record<RelationKind, string> };
const wordsOf = (locale: Ctx["locale"]): Words => (loadMessages(locale)["activity-flows"] as unknown as { relations: Words }).relations;

/** The import of relations: a row joins two DUs, or changes the note of a relation that is there. */
export const duRelationImport: ImportKind = {
  options: DuRelationImportOptions,
  fields: async (ctx) => importFields(ctx),
  choices: async () => [],
  fallbacks: [],
  labels: ["code", "relatedCode"],
  open: () => {
    let links: Links | null = null;
    const seen = new Map<string, number>();
    return {
      check: async (ctx, rows) => {
        links ??= indexLinks(await listLinks(ctx));
        return (await checkRows(ctx, rows, links, seen)).map(({ checked }) => checked);
      },
      write: (ctx, rows, frame) => writeRows(ctx, rows, frame),
    };
  },
};

function importFields({ locale }: Pick<Ctx, "locale">): ImportField[] {
  const own = wordsOf(locale);
  const all = locales.map(wordsOf);
  return (["code", "relatedCode", "kind", "note"] as const).map((key) => ({
    key,
    title: own.column[key],
    type: key === "kind" ? "choice" : "text",
    group: "relation",
    required: key !== "note",
    names: all.map((words) => words.column[key]),
    ...(key === "kind" && {
      values: relationKinds.map((kind) => ({ value: kind, title: own.kind[kind], names: all.map((words) => words.kind[kind]) })),
    }),
  }));
}

type Work = { checked: CheckedRow; link: Link | null; note: string | null; stored: boolean };

async function checkRows(ctx: Ctx, rows: readonly ImportRow[], links: Links, seen: Map<string, number>): Promise<Work[]> {
  const text = (row: ImportRow, key: string) => String(row.values[key] ?? "").trim();
  const dus = new Map(
    (await readRelatable(ctx, { codes: rows.flatMap((row) => [text(row, "code"), text(row, "relatedCode")]) })).map((du) => [
      du.code,
      du.id,
    ]),
  );
  const stored = [...links.all.values()].flatMap((link) => [link.duId, link.relatedDuId]);
  const codes = await readCodes(ctx, [...stored, ...dus.values()]);
  const notes = await readNotes(ctx, [...links.all.values()]);
  return rows.map((row): Work => {
    const problems: FieldProblem[] = [...row.problems];
    const ends = (["code", "relatedCode"] as const).map((key) => {
      const code = text(row, key);
      const id = dus.get(code);
      if (code === "") problems.push({ path: key, code: "VALUE_MISSING" });
      else if (id === undefined) problems.push({ path: key, code: "DU_NOT_FOUND", params: { code } });
      return id;
    });
    const kind = row.values.kind as RelationKind | null | undefined;
    if (kind === null) problems.push({ path: "kind", code: "VALUE_MISSING" });
    const note = text(row, "note") || null;
    if (note && note.length > relationNoteChars)
      problems.push({ path: "note", code: "VALUE_TOO_LONG", params: { max: relationNoteChars } });
    const [duId, relatedDuId] = ends;
    const link: Link | null = duId !== undefined && relatedDuId !== undefined && kind ? { id: null, duId, relatedDuId, kind } : null;
    const known = link ? links.all.get(linkKey(link)) : undefined;
    const first = link ? seen.get(linkKey(link)) : undefined;
    if (first !== undefined) problems.push({ path: "code", code: "REPEATED_IN_FILE", params: { row: first } });
    else if (link && !known) {
      const broken = brokenRules(linkRules, { link, links, codeOf: (du) => codes.get(du) ?? String(du) }, "relatedCode");
      problems.push(...broken.map(({ path, code, params }) => ({ path, code, ...(params && { params }) })));
    }
    if (link && first === undefined) seen.set(linkKey(link), row.no);
    if (problems.length > 0)
      return { checked: { no: row.no, outcome: "rejected", changes: [], problems }, link: null, note, stored: false };
    if (link && !known) addLink(links, link);
    const before = known?.id != null ? (notes.get(known.id) ?? null) : null;
    const same = known !== undefined && (!("note" in row.values) || before === note);
    const changes: CheckedRow["changes"] = same || (known === undefined && note === null) ? [] : [["note", before, note]];
    return {
      checked: { no: row.no, outcome: known ? (same ? "unchanged" : "changed") : "new", changes, problems },
      link: known ?? link,
      note,
      stored: known !== undefined,
    };
  });
}

async function readNotes({ sql, project }: Ctx, links: readonly Link[]): Promise<Map<number, string | null>> {
  const ids = links.flatMap(({ id }) => id ?? []);
  if (ids.length === 0) return new Map();
  const rows = await sql<{ id: number; note: string | null }[]>`
    select id, note from du_relation where project_id = ${project.id} and note is not null and id = any(${ids}::bigint[])`;
  return new Map(rows.map(({ id, note }) => [id, note]));
}

async function writeRows(
  ctx: Ctx,
  rows: readonly ImportRow[],
  frame: WriteFrame,
): Promise<{ written: CheckedRow[]; rejected: CheckedRow[] }> {
  const { sql, project } = ctx;
  await lockRelations(ctx);
  const works = await checkRows(ctx, rows, indexLinks(await listLinks(ctx)), new Map());
  const rejected = works.map(({ checked }) => checked).filter(({ outcome }) => outcome === "rejected");
  if (frame.whole && rejected.length > 0) return { written: [], rejected };
  const open = works.filter(({ checked }) => checked.outcome === "new" || checked.outcome === "changed");
  const given = (stored: boolean) =>
    sql.json(open.filter((work) => work.stored === stored).map(({ link, note }) => ({ ...link, note })) as never);
  await sql`
    insert into du_relation (project_id, du_id, related_du_id, kind, note)
    select ${project.id}, n."duId", n."relatedDuId", n.kind, n.note
    from jsonb_to_recordset(${given(false)}) as n("duId" bigint, "relatedDuId" bigint, kind text, note text)`;
  await sql`
    update du_relation r set note = n.note, row_version = r.row_version + 1
    from jsonb_to_recordset(${given(true)}) as n(id bigint, note text) where r.id = n.id and r.project_id = ${project.id}`;
  await frame.step(1);
  ctx.audit(`task ${frame.taskId}`, null, {
    kind: "duRelations",
    relations: open.map(({ link, note }) => ({ ...link, note })),
    rejected: rejected.length,
  });
  return { written: open.map(({ checked }) => checked), rejected };
}
