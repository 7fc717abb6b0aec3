import "server-only";
import type { Sql } from "#db/client.ts";
import { projectToday } from "#lib/core/clock.ts";
import { tellResources } from "../notices/commands.ts";
import { expiryLinesMax } from "./limits.ts";
import { listExpiries, listManagerIds } from "./queries.ts";

/** Tells the managers of a project once a day what ends: 30 and 7 days before, and on the day itself. */
export async function tellExpiries(sql: Sql, projectId: number, now: Date): Promise<void> {
  const [project] = await sql<{ id: number; number: string; tzOffset: number }[]>`
    select id, number, tz_offset_beijing as "tzOffset" from project where id = ${projectId}`;
  if (!project) return;
  const today = projectToday(now, project.tzOffset);
  const found = await listExpiries(sql, projectId, today);
  if (found.length === 0) return;
  await tellResources({ sql, project, now }, await listManagerIds(sql, projectId, today), {
    kind: "resource.expiry",
    title: "expiry",
    params: { count: found.length },
    facts: found.slice(0, expiryLinesMax).map(({ kind, name, day }) => ({ what: name, kind, day })),
    event: `expiry ${projectId} ${today}`,
  });
}
