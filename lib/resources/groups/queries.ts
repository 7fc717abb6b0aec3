import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import type { ResourceType } from "../pool/limits.ts";

/** A person in a group. */
export type GroupMember = {
  resourceId: number;
  userId: number;
  account: string;
  name: string;
  type: ResourceType;
  contractor: string | null;
  subcontractor: string | null;
  availability: "Y" | "N";
  status: string;
  memberType: string | null;
  isLeader: boolean;
};

/** A group with its people; `mayEdit` says whether the caller leads it, made it, or stands in for who does. */
export type Group = {
  id: number;
  name: string;
  scenario: string | null;
  contractor: string | null;
  creatorId: number;
  creator: string;
  members: GroupMember[];
  mayEdit: boolean;
  rowVersion: number;
};

type Stored = Omit<Group, "mayEdit"> & { creatorActive: boolean };

/**
 * Whether a person may change a group: its leaders and its creator; a project manager where none of them is an active person of the pool any more.
 * [RES-27]
 */
export function editsGroup(
  ctx: Pick<Ctx, "user" | "can">,
  { creatorId, creatorActive, members }: Pick<Stored, "creatorId" | "creatorActive" | "members">,
): boolean {
  if (!ctx.can("resource.edit")) return false;
  const leaders = members.filter(({ isLeader, status }) => isLeader && status === "ACTIVE");
  if (creatorId === ctx.user.id || leaders.some(({ userId }) => userId === ctx.user.id)) return true;
  return ctx.user.roles.includes("PM") && !creatorActive && leaders.length === 0;
}

/** The groups of the project by name; with ids those alone, locked. */
export async function readGroups({ sql, project }: Pick<Ctx, "sql" | "project">, ids?: readonly number[]): Promise<Stored[]> {
  const chosen = ids ? sql`and g.id = any(${[...ids]}::bigint[]) order by g.id for no key update of g` : sql`order by lower(g.name)`;
  return [
    ...(await sql<Stored[]>`
      select g.id, g.name, g.scenario, g.contractor, g.created_by as "creatorId", u.name as creator, g.row_version as "rowVersion",
        exists (select 1 from resource w where w.project_id = g.project_id and w.user_id = g.created_by and w.status = 'ACTIVE') as "creatorActive",
        coalesce((
          select json_agg(json_build_object('resourceId', r.id, 'userId', r.user_id, 'account', p.account, 'name', p.name, 'type', r.type, 'contractor', r.contractor,
            'subcontractor', c.name, 'availability', r.availability, 'status', r.status, 'memberType', m.member_type, 'isLeader', m.is_leader)
            order by m.is_leader desc, p.name)
          from res_group_member m join resource r on r.id = m.resource_id join app_user p on p.id = r.user_id left join subcontractor c on c.id = r.subcontractor_id
          where m.group_id = g.id), '[]') as members
      from res_group g join app_user u on u.id = g.created_by where g.project_id = ${project.id} ${chosen}`),
  ];
}

/** Every group of the project with its people. */
export async function listGroups(ctx: Pick<Ctx, "sql" | "project" | "user" | "can">): Promise<Group[]> {
  return (await readGroups(ctx)).map((group) => {
    const { creatorActive: _active, ...row } = group;
    return { ...row, mayEdit: editsGroup(ctx, group) };
  });
}
