"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import { ExportTab, ImportTabs } from "./schema.ts";

/** A workbook of the tab's rows that an import takes back. [DUT-13] */
export const exportTab = action({
  address: "duTabAttr/export",
  needs: "duTab.view",
  input: ExportTab,
  starts: "task",
  onClosed: true,
  run: commands.startTabExport,
  errors: ["EXPORT_CELLS", "EXPORT_LIMIT", "EXPORT_UNFINISHED", "NOT_FOUND", "SEARCH_TOO_MANY"],
});

/** Takes exported workbooks back; which tab each is of, it says itself. [DUT-13] */
export const importTabs = action({
  address: "duTabAttr/import",
  needs: "duTab.view",
  input: ImportTabs,
  starts: "task",
  run: commands.startTabImport,
  errors: ["FILE_EXPIRED", "FILE_FORMAT", "FILE_TOO_LARGE", "NOT_FOUND", "TOO_MANY_FILES"],
});
