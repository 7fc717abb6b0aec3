import { beforeAll } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { fireReminders } from "#lib/reminders/firing/commands.ts";
import { callAs } from "../../support/call.ts";
import { clock, type TestDatabase } from "../../support/database.ts";
import { makeMember, makeProject, makeRegion } from "../../support/factories.ts";
import { type MadeActivity, makeActivities, makeFlow } from "../../support/plan-factories.ts";

export type ReminderProject = {
  id: number;
  number: string;
  pm: CtxUser;
  lead: CtxUser;
  viewer: CtxUser;
  activities: MadeActivity[];
  flow: { id: number; activities: MadeActivity[] };
  north: number;
  south: number;
};

/** A project on Beijing time with two regions, a flow of five activities, its PM, a team lead and somebody who only looks. */
export function useReminderProject(db: TestDatabase, country = "CN"): ReminderProject {
  const made = {} as ReminderProject;
  beforeAll(async () => {
    const project = await makeProject(db.owner);
    await db.owner`update project set country = ${country} where id = ${project.id}`;
    const pm = await makeMember(db.owner, project.id, "PM");
    const activities = await makeActivities(db.owner, project.id, ["Survey", "Design", "RFI:rfi", "Install", "Integrate:ic"]);
    Object.assign(made, project, {
      pm,
      lead: await makeMember(db.owner, project.id, "TL"),
      viewer: await makeMember(db.owner, project.id, "COMMON_VIEW"),
      activities,
      flow: { id: await makeFlow(db.owner, project.id, pm.id, activities), activities },
      north: await makeRegion(db.owner, project.id, "North"),
      south: await makeRegion(db.owner, project.id, "South"),
    });
    await db.owner`update app_user set language = 'en' where id = any(${[made.pm.id, made.lead.id]}::bigint[])`;
  });
  return made;
}

/** Calls of a suite on its project, and what came of them. */
export function reminderCalls(db: TestDatabase, project: ReminderProject) {
  const call = (user: CtxUser, address: string, input: unknown = {}, now = clock) =>
    callAs(user, address, input, { project: project.number, now });
  const data = async (user: CtxUser, address: string, input: unknown = {}, now = clock) => {
    const answer = await call(user, address, input, now);
    if (answer.status !== 200) throw new Error(`${address}: ${JSON.stringify(answer)}`);
    return answer.data;
  };
  return {
    call,
    data,
    activity: (at: number) => project.activities[at]!.id,
    /** A group of resources, with the accounts of its members. */
    group: async (name: string, ...members: CtxUser[]): Promise<number> => {
      const [made] = await db.owner<{ id: number }[]>`
        insert into res_group (project_id, name, created_by, created_at, updated_by, updated_at)
        values (${project.id}, ${name}, ${project.pm.id}, now(), ${project.pm.id}, now()) returning id`;
      await db.owner`
        insert into res_group_member (group_id, resource_id, project_id)
        select ${made!.id}, id, project_id from resource where project_id = ${project.id} and user_id = any(${members.map(({ id }) => id)}::bigint[])`;
      return made!.id;
    },
    /** The tick of a moment. */
    tick: (now: Date) => fireReminders(db.app, now),
    /** Mails made so far, the oldest first. */
    mails: async () => [
      ...(await db.owner<
        {
          kind: string;
          userId: number | null;
          address: string;
          cc: boolean;
          lang: string;
          ruleId: number | null;
          subject: string;
          text: string;
          html: string;
        }[]
      >`
        select m.kind, m.to_user_id as "userId", m.to_address as address, m.cc, m.lang, m.rule_id as "ruleId", b.subject, b."text", b.html
        from mail_outbox m join mail_body b on b.id = m.body_id where m.project_id = ${project.id} order by m.id`),
    ],
    fires: async (id?: number) => [
      ...(await db.owner<{ kind: string; id: number; at: string; result: string; rows: number; mails: number }[]>`
        select kind, rule_id as id, to_char(occurrence_local, 'YYYY-MM-DD HH24:MI') as at, result, rows, mails from rem_fire
        where project_id = ${project.id} and (${id ?? null}::bigint is null or rule_id = ${id ?? null}) order by occurrence_local, rule_id`),
    ],
    /** Takes all reminders and mails of the project away. */
    clear: async () => {
      for (const table of ["mail_outbox", "rem_fire", "mail_rule", "deviation_remind", "rfi_remind"])
        await db.owner`delete from ${db.owner(table)} where project_id = ${project.id}`;
    },
  };
}

/** A reminder of every morning of October, as the calls take it. */
export const everyMorning = {
  frequency: { kind: "DAILY" },
  sendTime: "08:00",
  validBegin: "2026-10-01T00:00",
  validEnd: "2026-10-31T23:59",
} as const;

/** A moment on the wall clock of a project on Beijing time. */
export const beijing = (text: string) => new Date(`${text.replace(" ", "T")}:00+08:00`);
