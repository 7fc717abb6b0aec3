// Reads one file in a process of its own, so that a hostile one ends this process and nothing else.
// Arguments: the request as JSON. Rows go to the file `out`, one JSON array per line; what went wrong goes to the standard output.
import { closeSync, openSync, writeSync } from "node:fs";
import { AppError } from "#lib/core/error.ts";
import { type ReadRequest, readFileRows } from "#lib/core/workbook-read.ts";

const request = JSON.parse(process.argv[2] as string) as ReadRequest & { path: string; out: string };
const out = openSync(request.out, "w");
let text = "";
let rows = 0;
let columns = 0;
try {
  const info = await readFileRows(request.path, request, (row) => {
    text += `${JSON.stringify([row.no, row.cells])}\n`;
    rows++;
    if (row.cells.length > columns) columns = row.cells.length;
    if (text.length > 262_144) {
      writeSync(out, text);
      text = "";
    }
    return true;
  });
  writeSync(out, text);
  closeSync(out);
  process.stdout.write(JSON.stringify({ ...info, rows, columns }));
} catch (error) {
  const known = error instanceof AppError;
  if (!known) process.stderr.write(`${(error as Error).stack ?? error}\n`);
  process.stdout.write(JSON.stringify({ code: known ? error.code : "FILE_DAMAGED", params: known ? error.params : {} }));
}
