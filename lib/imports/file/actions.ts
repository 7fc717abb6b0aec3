"use server";
import { action } from "#lib/core/action.ts";
import { importKinds } from "../limits.ts";
import { OpenImport } from "../schema.ts";
import * as commands from "./commands.ts";

export const openImportFile = action({
  address: "import/open",
  kind: "read",
  needs: (input) => importKinds[input.kind].needs,
  input: OpenImport,
  run: commands.openImport,
  errors: [
    "CELL_TOO_LONG",
    "FILE_BOMB",
    "FILE_DAMAGED",
    "FILE_ENCRYPTED",
    "FILE_FORMAT",
    "FILE_OLD_FORMAT",
    "FILE_PARTS",
    "FILE_TOO_LARGE",
    "FILE_UNSAFE",
    "SHEET_COLUMNS",
    "SHEET_MISSING",
    "SHEET_ROWS",
    "ENCODING_WRONG",
    "CSV_QUOTES",
    "FORMULA_NO_VALUE",
    "WRONG_PROJECT",
    "WRONG_FILE",
    "EXPORT_TOO_OLD",
    "EXPORT_KEYS_MISSING",
    "NO_DATA",
    "NOT_FOUND",
    "TIMEOUT",
  ],
});
