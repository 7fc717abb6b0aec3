import { createReadStream } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { streamXlsxRows } from "hucre";
import { copyRows } from "#db/seed/copy.ts";
import { writeWorkbook } from "#lib/core/workbook-write.ts";
import { type Installation, settled } from "./installation.ts";
import { line, median, once } from "./measure.ts";

const rows = 10_000;
const dates = 20;
const runs = 3;
/** Until a worker has its next reader ready. */
const apartMs = 6_000;

/**
 * Workbooks of 10,000 DUs × 30 columns checked, previewed and applied, against reading them as a stream and copying the rows into a table. The first of an
 * installation, which loads its code and knows none of its statements, is told by itself and against the same goal; as in other works the middle of those that follow counts.
 */
export async function benchImport(installation: Installation): Promise<void> {
  const first = await importOnce(installation);
  line("first xlsx import 10,000 × 30, to applied", first.product, first.bare, "ms", "≤ 2.5");
  const times: (typeof first)[] = [];
  for (let run = 0; run < runs; run++) {
    await pause(apartMs);
    times.push(await importOnce(installation));
  }
  const middle = (side: keyof typeof first) => median(times.map((time) => time[side]));
  line("xlsx import 10,000 × 30, to applied", middle("product"), middle("bare"), "ms", "≤ 2.5");
}

async function importOnce(installation: Installation): Promise<{ product: number; bare: number }> {
  const { sql, call, projectId } = installation;
  const activities = await sql<{ id: number }[]>`
    select n.activity_id as id from flow_activity n join activity_flow f on f.id = n.flow_id where f.project_id = ${projectId} and f.name = 'Flow odd' order by n.seq limit ${dates}`;
  const [flow] = await sql<{ id: number }[]>`select id from activity_flow where project_id = ${projectId} and name = 'Flow odd'`;
  const folder = await mkdtemp(join(tmpdir(), "milepost-bench-"));
  try {
    const path = join(folder, "dus.xlsx");
    const run = Date.now().toString(36);
    await writeFile(path, await buffer(writeWorkbook(workbook(run))));
    const form = new FormData();
    form.set("file", new Blob([await readFile(path)]), "dus.xlsx");
    const product = await once(async () => {
      const uploaded = await fetch(`${installation.address}/api/file/upload?projectNumber=LARGE&kind=dus`, {
        method: "POST",
        headers: { authorization: `Bearer ${installation.token}` },
        body: form,
      });
      const { data } = (await uploaded.json()) as { data: { fileId: string } };
      const mapping = [
        "code",
        "name",
        "siteCode",
        "siteName",
        "city",
        "address",
        "postCode",
        "longitude",
        "latitude",
        "region",
        ...activities.map(({ id }) => `a${id}.planEnd`),
      ];
      const preview = await call<{ taskId: string }>("import/preview", {
        fileId: data.fileId,
        kind: "dus",
        mapping,
        dateFormat: "ymd",
        options: { flowId: flow!.id, createRegions: true },
      });
      await settled(installation, preview.taskId);
      const applied = await call<{ taskId: string }>("import/apply", { taskId: preview.taskId, mode: "all" });
      await settled(installation, applied.taskId);
    });
    const [made] = await sql<
      { count: number }[]
    >`select count(*)::int as count from du where project_id = ${projectId} and code like ${`${run}-%`}`;
    if (made!.count !== rows) throw new Error(`${made!.count} of ${rows} DUs arrived`);

    const bare = await once(async () => {
      const read: string[][] = [];
      for await (const row of streamXlsxRows(Readable.toWeb(createReadStream(path)) as never))
        read.push((row as unknown as { values: unknown[] }).values.map(String));
      await sql.begin(async (tx) => {
        const columns = Array.from({ length: 10 + dates }, (_, index) => `c${index}`);
        await tx.unsafe(`create temp table bare (${columns.map((name) => `${name} text`).join(", ")}) on commit drop`);
        await copyRows(
          tx as never,
          "bare",
          columns,
          read.slice(2).map((row) => columns.map((_, index) => row[index] ?? null)),
        );
      });
    });
    await call("du/list/1/10/default/[]", {});
    return { product, bare };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function workbook(run: string) {
  const columns = Array.from({ length: 10 + dates }, (_, index) => ({
    title: `Column ${index + 1}`,
    ...(index >= 10 ? { kind: "day" as const } : {}),
  }));
  function* cells() {
    for (let row = 0; row < rows; row++)
      yield [
        `${run}-${row}`,
        `Bench DU ${row}`,
        `S-${run}-${row}`,
        `Bench site ${row}`,
        `City ${row % 50}`,
        `Street ${row}`,
        String(10_000 + row),
        Math.round(1e6 * (100 + (row % 1000) / 100)) / 1e6,
        Math.round(1e6 * (20 + (row % 900) / 100)) / 1e6,
        `Region ${(row % 20) + 1}`,
        ...Array.from({ length: dates }, (_, index) =>
          new Date(Date.now() + (index * 5 + (row % 30)) * 86_400_000).toISOString().slice(0, 10),
        ),
      ];
  }
  return { name: "DU", columns, rows: cells() };
}
