// Reads files in a process with little memory, one after the other, and says of each what came out and what it cost.
import { createInterface } from "node:readline";
import { AppError } from "#lib/core/error.ts";
import { readFileRows } from "#lib/core/workbook-read.ts";

for await (const line of createInterface({ input: process.stdin })) {
  const { path, request } = JSON.parse(line);
  const rows: unknown[] = [];
  let count = 0;
  const start = process.cpuUsage();
  const result = await readFileRows(path, request, (row) => {
    if (++count <= 5) rows.push(row.cells);
    return true;
  }).then(
    (info) => ({ meta: info.meta, rows, count }),
    (error) => (error instanceof AppError ? { code: error.code, params: error.params } : { fault: String(error.stack) }),
  );
  const { user, system } = process.cpuUsage(start);
  const megabytes = Math.round(process.resourceUsage().maxRSS / 1024);
  process.stdout.write(`${JSON.stringify({ ...result, ms: Math.round((user + system) / 1000), megabytes })}\n`);
}
