import { z } from "zod";
import { plainList } from "#lib/core/plain-value.ts";
import type { ErrorCode } from "#lib/errors.ts";
import { cellTextChars, reasonChars } from "./limits.ts";

const id = z.int().min(1);
const isId = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 1;

/** Value of a cell: ISO day, number, text, choice, list of user ids for owners, null to clear. */
export const CellValue = z.union([z.string().max(cellTextChars), z.number(), z.boolean(), z.null(), z.array(id).max(1000)]);
export type CellValue = z.output<typeof CellValue>;

/** One edited cell: its place, its new value and the value the editor read, which is the revision of a cell. */
export const Edit = z.strictObject({
  duId: id,
  activityId: id.optional(),
  field: z.string().min(1).max(60),
  value: CellValue,
  base: CellValue,
});
export type Edit = z.output<typeof Edit>;

/** The hash of the questions a save asked, once they are answered with yes. */
export const confirmed = z.string().max(64).optional();

const isPlainValue = (value: unknown) =>
  typeof value === "string" ? value.length <= cellTextChars : value === null || typeof value === "boolean" || Number.isFinite(value);

/** Edits of one column of the grid or of several of the same kind, side by side: thousands of dates are a third as long as when each says all its names. */
export const EditColumns = z
  .strictObject({
    field: Edit.shape.field,
    duIds: plainList(id, isId),
    /** null where the field is one of the DU. */
    activityIds: plainList(id.nullable(), (value) => value === null || isId(value)),
    values: plainList(CellValue, isPlainValue),
    bases: plainList(CellValue, isPlainValue),
  })
  .refine(({ duIds, activityIds, values, bases }) => [activityIds, values, bases].every((list) => list.length === duIds.length), {
    path: ["duIds"],
    params: { code: "VALUE_FORMAT" },
  });
export type EditColumns = z.output<typeof EditColumns>;

export const SaveInput = z
  .strictObject({
    edits: z.array(Edit).optional(),
    /** Edits side by side; of a cell that is named twice the one here counts. */
    columns: z.array(EditColumns).optional(),
    reason: z.string().trim().max(reasonChars).optional(),
    confirmed,
  })
  .refine(({ edits, columns }) => edits ?? columns, { path: ["edits"], params: { code: "VALUE_MISSING" } });
export type SaveInput = z.output<typeof SaveInput>;

/** A cell that was not saved, and why, in the caller's language. */
export type RejectedCell = { duId: number; activityId?: number | undefined; field: string; code: ErrorCode; msg: string };
/** A cell whose value is no longer the one the editor read. */
export type ConflictCell = {
  duId: number;
  activityId?: number | undefined;
  field: string;
  mine: CellValue;
  theirs: CellValue;
  by: string | null;
  at: Date | null;
};
export type SaveResult = { saved: number; rejected: RejectedCell[]; conflicts: ConflictCell[]; batchId: number | null; seq: number | null };
