import "server-only";
import { createHash } from "node:crypto";
import type { Ctx } from "#lib/core/ctx.ts";
import { loadMessages } from "#lib/core/messages.ts";
import { readModes } from "../modes/queries.ts";
import { type AttributeRow, readConfigs } from "../queries.ts";
import type { DefinitionColumn } from "./limits.ts";

/** What the hidden sheet says of the project a workbook was made of. */
export type SheetBasis = { nodeCount: number; ids: number[]; checksum: string };

/** The activity nodes of the project's flows, and the attributes the caller may see. */
export async function readBasis(ctx: Ctx): Promise<SheetBasis & { attributes: AttributeRow[] }> {
  const { sql, project } = ctx;
  const [[count], modes] = await Promise.all([
    sql<{ nodes: number }[]>`
      select count(*)::int as nodes from flow_activity n join activity_flow f on f.id = n.flow_id where f.project_id = ${project.id} and f.draft_of is null`,
    readModes(ctx),
  ]);
  const visible = [...modes].flatMap(([id, mode]) => (mode === "HIDDEN" ? [] : [id]));
  const attributes = await readConfigs(ctx, visible);
  const ids = attributes.map(({ id }) => id);
  return { nodeCount: count!.nodes, ids, checksum: checksumOf(project.number, count!.nodes, ids), attributes };
}

/** A checksum over what a workbook claims. */
export const checksumOf = (number: string, nodeCount: number, ids: readonly number[]): string =>
  createHash("sha256")
    .update(JSON.stringify([number, nodeCount, ids]))
    .digest("hex");

type Texts = {
  sheet: { title: string; reason: string; columns: Record<DefinitionColumn, string>; failures: string; mismatch: Record<string, string> };
};

/** Texts of the workbook in the caller's language. */
export const sheetTexts = ({ locale }: Pick<Ctx, "locale">) => (loadMessages(locale).attributes as unknown as Texts).sheet;
