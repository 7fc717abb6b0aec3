import "server-only";
import { type Pool, type Sql, transaction } from "#db/client.ts";
import { projectTime } from "./clock.ts";
import { send } from "./queue.ts";

/** When a schedule is due by the project's wall clock: once a day at a time, or at every multiple of some minutes of the day. */
export type Due = { daily: `${number}:${number}` } | { everyMinutes: 5 | 10 | 15 | 20 | 30 | 60 | 120 | 180 | 240 | 360 | 720 };

/** What a run of a schedule knows. */
export type ScheduleRun = {
  pool: Pool;
  projectId: number;
  now: Date;
  /**
   * Runs `fn` in the one transaction that marks the slot as run: however often a worker is killed, its writes happen once.
   * @returns null when an earlier run has committed it
   */
  once: <T>(fn: (sql: Sql) => Promise<T>) => Promise<T | null>;
};

/** One row of the table of schedules. A run may be repeated after a crash, so what it does outside of `once` has to be harmless twice. */
export type Schedule = {
  name: string;
  due: Due;
  /** Runs in closed projects too. */
  onClosed?: true;
  run: (run: ScheduleRun) => Promise<void>;
};

/** The job of one claimed slot. */
export type ScheduleJob = { name: string; projectId: number; slot: string };

const dayMs = 86_400_000;
const minuteMs = 60_000;
/** Claims are kept for this long, to be looked at and to run nothing twice. */
const keepDays = 60;
/** The newest claims of a schedule stay whatever the clock says: one that jumps ahead and back again must run nothing twice. */
const keepNewest = 300;

/**
 * The newest slot that is due, as the project's wall clock written in UTC fields: a project that moves to another time zone runs no slot twice.
 * @param offset hours relative to Beijing time
 */
export function newestSlot(due: Due, now: Date, offset: number): Date {
  const local = projectTime(now, offset).getTime();
  const midnight = Math.floor(local / dayMs) * dayMs;
  if ("everyMinutes" in due)
    return new Date(midnight + Math.floor((local - midnight) / (due.everyMinutes * minuteMs)) * due.everyMinutes * minuteMs);
  const [hours = 0, minutes = 0] = due.daily.split(":").map(Number);
  const today = midnight + (hours * 60 + minutes) * minuteMs;
  return new Date(today <= local ? today : today - dayMs);
}

/**
 * Claims the newest due slot of every schedule in every project and puts its job into the queue, in one transaction: whichever worker
 * inserts the row first has the slot. A slot missed while no worker ran is claimed by the first tick after it, once.
 * @returns number of slots claimed by this call
 */
export async function claimSlots(pool: Pool, schedules: readonly Schedule[], now: Date): Promise<number> {
  const projects = await pool<{ id: number; status: string; tzOffset: number }[]>`
    select id, status, tz_offset_beijing as "tzOffset" from project order by id`;
  const due = projects.flatMap((project) =>
    schedules
      .filter((schedule) => project.status === "active" || schedule.onClosed)
      .map((schedule) => ({
        name: schedule.name,
        project: project.id,
        slot: newestSlot(schedule.due, now, project.tzOffset).toISOString(),
      })),
  );
  if (due.length === 0) return 0;
  return transaction(pool, async (sql) => {
    const claimed = await sql<{ name: string; projectId: number; slot: Date }[]>`
      insert into schedule_slot (name, project_id, slot, claimed_at)
      select d.name, d.project, d.slot, ${now} from jsonb_to_recordset(${sql.json(due)}) as d(name text, project bigint, slot timestamptz)
      order by d.name, d.project
      on conflict do nothing returning name, project_id as "projectId", slot`;
    for (const { name, projectId, slot } of claimed) {
      const job: ScheduleJob = { name, projectId, slot: slot.toISOString() };
      await send(sql, "schedules", job, { key: `${name} ${projectId} ${job.slot}` });
    }
    return claimed.length;
  });
}

/** Runs a claimed slot and marks it as run. */
export async function runSlot(pool: Pool, schedule: Schedule, { name, projectId, slot }: ScheduleJob, now: Date): Promise<void> {
  const mark = async (sql: Sql) => {
    const [marked] = await sql`
      update schedule_slot set ran_at = ${now} where name = ${name} and project_id = ${projectId} and slot = ${slot} and ran_at is null returning 1`;
    return marked !== undefined;
  };
  const once = <T>(fn: (sql: Sql) => Promise<T>) => transaction(pool, async (sql) => ((await mark(sql)) ? fn(sql) : null));
  await schedule.run({ pool, projectId, now, once });
  await mark(pool);
}

/** Removes old claims. */
export async function clearSlots(pool: Pool, now: Date): Promise<void> {
  await pool`
    delete from schedule_slot s where s.slot < ${new Date(now.getTime() - keepDays * dayMs)} and s.slot < (
      select n.slot from schedule_slot n where n.name = s.name and n.project_id = s.project_id order by n.slot desc offset ${keepNewest - 1} limit 1)`;
}
