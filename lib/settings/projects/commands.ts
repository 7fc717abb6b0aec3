import "server-only";
import type { z } from "zod";
import type { Sql } from "#db/client.ts";
import { unattendedFrame, writeAudit } from "#lib/core/audit.ts";
import { AppError } from "#lib/core/error.ts";
import type { CreateProject } from "./schema.ts";

/**
 * Makes an empty project for whoever works at the machine: its members and all else come by its screens. Its plan is made by the database.
 * @param sql a transaction
 * @returns its id
 * @throws PROJECT_REPEAT for a number that is there
 */
export async function createProject(sql: Sql, given: z.output<typeof CreateProject>, now: Date): Promise<number> {
  const { number, name, country, hostingCountry = country, datacenter, hoursFromBeijing = 0 } = given;
  const [row] = await sql<{ id: number }[]>`
    insert into project (number, name, country, hosting_country, datacenter, tz_offset_beijing)
    values (${number}, ${name}, ${country}, ${hostingCountry}, ${datacenter}, ${hoursFromBeijing})
    on conflict on constraint project_number_unique do nothing returning id`;
  if (!row) {
    const params = { project: number };
    throw new AppError("PROJECT_REPEAT", params, [{ path: "number", code: "PROJECT_REPEAT", params }]);
  }
  await sql`insert into plan_seq (project_id) values (${row.id})`;
  const after = { name, country, hostingCountry, datacenter, hoursFromBeijing };
  await writeAudit(
    sql,
    [{ object: `project ${number}`, before: null, after, event: "config_changed" }],
    unattendedFrame("project", row.id, now),
  );
  return row.id;
}
