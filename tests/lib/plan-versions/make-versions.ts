import type { Sql } from "#db/client.ts";

export type StoredVersion = {
  id: number;
  code: string;
  name: string;
  kind: string;
  formerKind: string | null;
  scope: string;
  inForce: boolean;
  duCount: number;
  activityCount: number;
};

/** Versions of a project in the order they were made. */
export async function readVersions(sql: Sql, projectId: number): Promise<StoredVersion[]> {
  return [
    ...(await sql<StoredVersion[]>`
      select id, code, name, kind, former_kind as "formerKind", scope, in_force as "inForce", du_count as "duCount", activity_count as "activityCount"
      from plan_version where project_id = ${projectId} order by id`),
  ];
}

/** A line per version: "P-0001 published project in force, 3 DUs". */
export async function versionLines(sql: Sql, projectId: number): Promise<string[]> {
  return (await readVersions(sql, projectId)).map(
    ({ code, kind, formerKind, scope, inForce, duCount }) =>
      `${code} ${formerKind ? `${kind} (${formerKind})` : kind} ${scope}${inForce ? " in force" : ""}, ${duCount} DUs`,
  );
}

/** DU ids of a version. */
export async function versionDus(sql: Sql, versionId: number): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`select du_id as id from plan_version_row where version_id = ${versionId} order by 1`;
  return rows.map(({ id }) => id);
}
