import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { writeWorkbook } from "#lib/core/workbook-write.ts";
import { type Installation, settled } from "./installation.ts";
import { line, once } from "./measure.ts";
import { peakMegabytes } from "./memory.ts";

const dusMax = 9_999;
const attributes = 48;
const activities = 50;

type Row = { code: string; name: string; ext: Record<string, string>; starts: number[]; ends: number[] };

/** 9,999 DUs × 150 columns as a workbook, against reading the rows and writing them as a stream. */
export async function benchExport(installation: Installation): Promise<void> {
  const { sql, call, projectId } = installation;
  const library = await sql<{ id: number; slot: number }[]>`
    select id, slot from activity_library where project_id = ${projectId} order by slot limit ${activities}`;
  const attrs = await sql<{ id: number }[]>`select id from attribute where project_id = ${projectId} order by id limit ${attributes}`;
  const ids = (await sql<{ id: number }[]>`select id from du where project_id = ${projectId} order by code, id limit ${dusMax}`).map(
    ({ id }) => id,
  );
  const columns = [
    "code",
    "name",
    ...attrs.map(({ id }) => `a${id}`),
    ...library.flatMap(({ id }) => [`${id}:planStart`, `${id}:planEnd`]),
  ];
  const product = await once(async () => {
    const { taskId } = await call<{ taskId: string }>("rolloutPlan/export", { duIds: ids, columns });
    await settled(installation, taskId);
  });
  const folder = await mkdtemp(join(tmpdir(), "milepost-bench-"));
  try {
    const bare = await once(async () => {
      async function* cells() {
        const reading = sql<Row[]>`
          select d.code, d.name, d.ext, p.plan_start as starts, p.plan_end as ends from du d join du_plan p on p.du_id = d.id where d.id = any(${ids}) order by d.code, d.id`;
        for await (const rows of reading.cursor(500))
          for (const { code, name, ext, starts, ends } of rows)
            yield [
              code,
              name,
              ...attrs.map(({ id }) => ext[`a${id}`] ?? null),
              ...library.flatMap(({ slot }) => [starts[slot - 1] ?? 0, ends[slot - 1] ?? 0]),
            ];
      }
      const sheet = {
        name: "DU",
        columns: columns.map((key, index) => ({ title: key, ...(index >= 2 + attributes ? { kind: "day" as const } : {}) })),
        rows: cells(),
      };
      await pipeline(writeWorkbook(sheet as never), createWriteStream(join(folder, "bare.xlsx")));
    });
    line("xlsx export of 9,999 × 150", product, bare, "ms", "≤ 1.5");
    line("memory of the worker at its peak", peakMegabytes(installation.pid("worker")), 300, "MB", "≤ 1");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
