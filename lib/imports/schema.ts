import { z } from "zod";
import { listInput } from "#lib/core/paging.ts";
import { maxSheetColumns } from "#lib/core/workbook-limits.ts";
import { dateFormats } from "./kind/limits.ts";
import { sides } from "./kind/logic.ts";
import { delimiters, encodings, headerRowMax, importKindNames, pickedRowsMax, reasonChars, settledCellsMax } from "./limits.ts";

const source = {
  fileId: z.uuid(),
  kind: z.enum(importKindNames),
  /** Sheet of a workbook; the first visible one when absent. */
  sheet: z.string().max(255).optional(),
  encoding: z.enum(encodings).default("utf-8"),
  /** Separator of a csv file; found out when empty. */
  delimiter: z.enum(delimiters).default(""),
  /** Row of the sheet that holds the titles; found out when absent. */
  headerRow: z.int().min(1).max(headerRowMax).optional(),
};

export const ImportKinds = z.strictObject({});

/** A file of an import and how it is read. */
export const OpenImport = z.strictObject(source);
export type ImportSource = z.output<typeof OpenImport>;

/** A check of a file. Without a mapping the suggested one is used. */
export const PreviewImport = z.strictObject({
  ...source,
  mapping: z.array(z.string().max(100).nullable()).max(maxSheetColumns).optional(),
  dateFormat: z.enum(dateFormats).default("ymd"),
  options: z.record(z.string(), z.unknown()).default({}),
});
export type PreviewParams = z.output<typeof PreviewImport>;

/** As `import/preview`, where the address says what is imported. */
export const ImportOfOne = PreviewImport.omit({ kind: true });

/** An application of a checked file. `all` writes nothing when a row is rejected, `valid` leaves the rejected ones out. */
export const ApplyImport = z.strictObject({
  taskId: z.uuid(),
  mode: z.enum(["all", "valid"]).default("valid"),
  rows: z.array(z.int().min(1)).min(1).max(pickedRowsMax).optional(),
  reason: z.string().trim().max(reasonChars).optional(),
  /** Cells changed in the file and in the project: the present value stays unless the file's is asked for, for all or for some. */
  conflicts: z
    .strictObject({
      side: z.enum(sides).default("theirs"),
      except: z
        .array(z.strictObject({ row: z.int().min(1), path: z.string().max(100) }))
        .max(settledCellsMax)
        .default([]),
    })
    .prefault({}),
});
export const ApplyParams = ApplyImport.omit({ taskId: true }).extend({ previewId: z.uuid() });
export type ApplyParams = z.output<typeof ApplyParams>;

/** Rows of a checked file, by its task. */
export const ListImportRows = listInput({ task: ["eq"], outcome: ["in"], code: ["eq"], search: ["like"] }, { sortable: [] });

export const ImportTemplate = z.strictObject({ kind: z.enum(importKindNames) });
