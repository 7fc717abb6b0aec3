// Reads one file in a process of its own, so that a hostile one ends this process and nothing else.
// The standard input says which, as JSON; a reader that was kept ready and hears nothing ends with who started it. Rows go to the file `out`, one JSON array
// per line; the standard output says, one JSON object per line, how many bytes of them are written, and at the end what the file holds or what is wrong with it.
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { AppError } from "#lib/core/error.ts";
import { type FileInfo, type ReadRequest, readFileRows } from "#lib/core/workbook-read.ts";

const asked = readFileSync(0, "utf8");
if (asked === "") process.exit();
const request = JSON.parse(asked) as ReadRequest & { path: string; out: string };
const out = openSync(request.out, "w");
let known: FileInfo | undefined;
let text = "";
let bytes = 0;
let rows = 0;
let columns = 0;
// Characters that are written together: few at first, so that who reads them begins soon.
let piece = 65_536;
const flush = (end: object = {}): void => {
  bytes += writeSync(out, text);
  text = "";
  process.stdout.write(`${JSON.stringify({ bytes, ...(known && { info: known }), ...end })}\n`);
  known = undefined;
};
try {
  const { isProtected } = await readFileRows(
    request.path,
    request,
    (row) => {
      text += `${JSON.stringify([row.no, row.cells])}\n`;
      rows++;
      if (row.cells.length > columns) columns = row.cells.length;
      if (text.length > piece) {
        flush();
        piece = Math.min(2 * piece, 262_144);
      }
      return true;
    },
    (info) => {
      known = info;
    },
  );
  flush({ counts: { rows, columns, ...(isProtected && { isProtected }) } });
  closeSync(out);
} catch (error) {
  const known = error instanceof AppError;
  if (!known) process.stderr.write(`${(error as Error).stack ?? error}\n`);
  process.stdout.write(`${JSON.stringify({ code: known ? error.code : "FILE_DAMAGED", params: known ? error.params : {} })}\n`);
}
