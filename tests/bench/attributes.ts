import { createReadStream } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { streamXlsxRows } from "hucre";
import { copyRows } from "#db/seed/copy.ts";
import { writeWorkbook } from "#lib/core/workbook-write.ts";
import { exportKind, exportVersion, markKey } from "#lib/rollout-plan/plan-export/limits.ts";
import { markText } from "#lib/rollout-plan/plan-export/logic.ts";
import { type Installation, settled } from "./installation.ts";
import { line } from "./measure.ts";

const changedEvery = 5;

/** Values of 10,000 DUs × 100 attributes with one cell in five changed, checked and applied, against reading the file as a stream and copying its rows into a table. */
export async function benchAttributes(installation: Installation): Promise<void> {
  const { sql, call, projectId } = installation;
  const attributes = await sql<{ id: number; type: string }[]>`
    select id, type from attribute where project_id = ${projectId} and deleted_at is null and in_rollout_plan and level = 'DU' order by sort_no, id limit 100`;
  const dus = await sql<{ id: number; code: string; ext: Record<string, string | number> }[]>`
    select id, code, ext from du where project_id = ${projectId} and deleted_at is null order by id limit 10000`;
  const [{ seq }] = (await sql<{ seq: number }[]>`select seq from plan_seq where project_id = ${projectId}`) as unknown as [
    { seq: number },
  ];
  const run = Date.now() % 1000;
  const cells = dus.map((du, row) => [
    du.code,
    ...attributes.map(({ id, type }, at) => {
      const present = du.ext[`a${id}`] ?? null;
      if ((row + at) % changedEvery !== 0) return present;
      return type === "NUMBER" ? (Number(present ?? 0) + run + 1) % 10_000 : `changed ${run} ${row % 97}`;
    }),
    markText({ duId: du.id, seq }),
  ]);
  const keys = ["code", ...attributes.map(({ id }) => `a${id}`), markKey];
  const folder = await mkdtemp(join(tmpdir(), "milepost-bench-"));
  try {
    const path = join(folder, "attributes.xlsx");
    await writeFile(
      path,
      await buffer(
        writeWorkbook({
          name: "Attributes",
          columns: keys.map((key) => ({ key, title: key })),
          rows: cells,
          meta: { project: "LARGE", kind: exportKind, version: exportVersion, seq },
        }),
      ),
    );
    const form = new FormData();
    form.set("file", new Blob([await readFile(path)]), "attributes.xlsx");
    const start = performance.now();
    const uploaded = await fetch(`${installation.address}/api/file/upload?projectNumber=LARGE`, {
      method: "POST",
      headers: { authorization: `Bearer ${installation.token}` },
      body: form,
    });
    const { data } = (await uploaded.json()) as { data: { fileId: string } };
    const preview = await call<{ taskId: string }>("planAttr/import", { kind: "VALUES", fileId: data.fileId });
    await settled(installation, preview.taskId);
    const applied = await call<{ taskId: string }>("import/apply", { taskId: preview.taskId, mode: "all" });
    await settled(installation, applied.taskId);
    const product = performance.now() - start;
    const [last] = await sql<{ cells: number }[]>`
      select sum(cell_count)::int as cells from plan_batch where project_id = ${projectId} and seq > ${seq}`;
    if ((last?.cells ?? 0) < (dus.length * attributes.length) / changedEvery / 2) throw new Error(`only ${last?.cells} cells arrived`);

    const bareStart = performance.now();
    const read: string[][] = [];
    for await (const row of streamXlsxRows(Readable.toWeb(createReadStream(path)) as never))
      read.push((row as unknown as { values: unknown[] }).values.map(String));
    await sql.begin(async (tx) => {
      const columns = keys.map((_, index) => `c${index}`);
      await tx.unsafe(`create temp table bare (${columns.map((name) => `${name} text`).join(", ")}) on commit drop`);
      await copyRows(
        tx as never,
        "bare",
        columns,
        read.slice(2).map((row) => columns.map((_, index) => row[index] ?? null)),
      );
    });
    line("attribute workbook 10,000 × 100, a fifth changed, to applied", product, performance.now() - bareStart, "ms", "≤ 3");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
