import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { listAssignment } from "../assignment/queries.ts";
import type { ResourceType } from "../pool/limits.ts";
import { openOrders } from "../pool/queries.ts";
import { candidatesMax } from "./limits.ts";
import { meanKm, score } from "./logic.ts";
import type { FindCandidates } from "./schema.ts";

/** Somebody who could do an activity. */
export type Candidate = {
  account: string;
  name: string;
  type: ResourceType;
  subcontractor: string | null;
  skill: string | null;
  distanceKm: number | null;
  openOrders: number;
  available: boolean;
  score: number;
};

type PersonRow = Omit<Candidate, "skill" | "distanceKm" | "score"> & {
  skills: string[];
  longitude: number | null;
  latitude: number | null;
  stars: number | null;
};

/**
 * People of the pool who may do an activity at DUs, the best first; a person of a company is offered his own alone. [RES-10]
 * @throws NOT_FOUND for an activity the project does not have, DU_EMPTY when the caller reaches none of the DUs
 */
export async function findCandidates(ctx: Ctx, { activityId, duIds, skill, all }: FindCandidates): Promise<Candidate[]> {
  const { sql, project, user, today } = ctx;
  const [rule] = await listAssignment(ctx, [activityId]);
  if (!rule) throw new AppError("NOT_FOUND", { object: activityId });
  const places = await sql<{ longitude: number | null; latitude: number | null }[]>`
    select s.longitude::float8 as longitude, s.latitude::float8 as latitude from du join customer_site s on s.id = du.site_id
    where ${ctx.scope.where("rollout.view")} and du.id = any(${duIds}::bigint[])`;
  if (places.length === 0) throw new AppError("DU_EMPTY");
  const reach = user.kind === "subcontractor" ? sql`r.subcontractor_id = ${user.subcontractorId}` : sql`true`;
  const people = await sql<PersonRow[]>`
    select u.account, u.name, r.type, c.name as subcontractor, r.skills, r.longitude, r.latitude, ${openOrders(ctx, ctx.scope)} as "openOrders",
      r.availability = 'Y' and coalesce(${today} between r.auth_start and r.auth_end, true) as available,
      (select avg(n.score)::float8 from work_order o join du_activity_note n on n.du_id = o.du_id and n.slot = o.slot
        where o.project_id = r.project_id and o.assignee_id = r.user_id and o.status = 'completed' and n.score is not null) as stars
    from resource r join app_user u on u.id = r.user_id and u.active left join subcontractor c on c.id = r.subcontractor_id
    where r.project_id = ${project.id} and r.status = 'ACTIVE' and r.type = any(${rule.types}::text[]) and ${reach}`;
  const wanted = skill ?? rule.requiredSkill;
  const known = places.flatMap(({ longitude, latitude }) => (longitude === null || latitude === null ? [] : [{ longitude, latitude }]));
  return people
    .map(({ skills, longitude, latitude, stars, ...person }): Candidate => {
      const distance = meanKm(longitude === null || latitude === null ? null : { longitude, latitude }, known);
      const hasSkill = wanted === null || skills.some((held) => held.toLowerCase() === wanted.toLowerCase());
      return {
        ...person,
        skill: wanted !== null && hasSkill ? wanted : null,
        distanceKm: distance,
        score: score({ hasSkill, distance, openOrders: person.openOrders, stars }),
      };
    })
    .filter(
      ({ available, distanceKm }) =>
        (all || available) && (rule.maxDistanceKm === null || distanceKm === null || distanceKm <= rule.maxDistanceKm),
    )
    .sort((a, b) => b.score - a.score || a.account.localeCompare(b.account))
    .slice(0, candidatesMax);
}
