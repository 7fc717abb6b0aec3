import { describe, expect, test } from "vitest";
import { claimSlots, clearSlots, type Due, newestSlot, runSlot, type Schedule } from "#lib/core/schedule.ts";
import { useDatabase } from "../../support/database.ts";
import { makeProject } from "../../support/factories.ts";

const database = useDatabase();
const moment = (text: string) => new Date(`${text}Z`);

describe("the newest due slot, by the project's wall clock", () => {
  test.each<[string, Due, string, number, string]>([
    ["03:00 at offset -11 is 06:00 UTC", { daily: "03:00" }, "2026-10-14T06:00:00", -11, "2026-10-14T03:00:00"],
    ["one second before, yesterday's is the newest", { daily: "03:00" }, "2026-10-14T05:59:59", -11, "2026-10-13T03:00:00"],
    ["Beijing time", { daily: "02:30" }, "2026-10-13T18:30:00", 0, "2026-10-14T02:30:00"],
    ["a quarter of an hour beside it", { daily: "02:30" }, "2026-10-13T21:00:00", -2.25, "2026-10-14T02:30:00"],
    ["the first of January", { daily: "23:00" }, "2026-12-31T16:30:00", 0, "2026-12-31T23:00:00"],
    ["multiples of five minutes", { everyMinutes: 5 }, "2026-10-14T02:04:59", 0, "2026-10-14T10:00:00"],
    ["multiples of two hours", { everyMinutes: 120 }, "2026-10-14T03:10:00", 0, "2026-10-14T10:00:00"],
  ])("%s", (_, due, now, offset, slot) => {
    expect(newestSlot(due, moment(now), offset)).toEqual(moment(slot));
  });
});

describe("claims", () => {
  const schedule = (name: string, extra: Partial<Schedule> = {}): Schedule => ({
    name,
    due: { daily: "03:00" },
    run: async () => {},
    ...extra,
  });
  const jobs = async (name: string) =>
    (
      await database.owner<
        { data: { projectId: number; slot: string } }[]
      >`select data from pgboss.job where name = 'schedules' and data->>'name' = ${name} order by created_on, data->>'projectId'`
    ).map((row) => row.data);
  const slots = async (name: string) => (await database.owner`select 1 from schedule_slot where name = ${name}`).length;
  const claim = (schedules: Schedule[], now: string) => claimSlots(database.app, schedules, moment(now));

  test("ten ticks at once claim a slot of a project once and enqueue one run", async () => {
    await makeProject(database.owner, { tzOffset: -11 });
    const claimed = await Promise.all(Array.from({ length: 10 }, () => claim([schedule("once")], "2026-10-14T06:00:00")));
    expect(claimed.reduce((left, right) => left + right)).toBe(1);
    expect(await jobs("once")).toHaveLength(1);
  });

  test("each project has its own slot by its own clock, closed ones only where the schedule says so", async () => {
    await database.owner`update project set status = 'closed'`;
    const [east, west, closed] = [
      await makeProject(database.owner, { tzOffset: 0 }),
      await makeProject(database.owner, { tzOffset: -11 }),
      await makeProject(database.owner, { status: "closed" }),
    ];
    await claim([schedule("clocks"), schedule("closed too", { onClosed: true })], "2026-10-14T00:00:00");
    expect(await jobs("clocks")).toEqual([
      { name: "clocks", projectId: east.id, slot: "2026-10-14T03:00:00.000Z" },
      { name: "clocks", projectId: west.id, slot: "2026-10-13T03:00:00.000Z" },
    ]);
    expect((await jobs("closed too")).map((job) => job.projectId)).toContain(closed.id);
  });

  test("slots missed while every worker was down run once, at the newest", async () => {
    await database.owner`update project set status = 'closed'`;
    const project = await makeProject(database.owner);
    await claim([schedule("missed")], "2026-10-10T02:00:00");
    await claim([schedule("missed")], "2026-10-14T02:00:00");
    await claim([schedule("missed")], "2026-10-14T02:01:00");
    expect((await jobs("missed")).map((job) => job.slot)).toEqual(["2026-10-10T03:00:00.000Z", "2026-10-14T03:00:00.000Z"]);
    expect(await database.owner`select 1 from schedule_slot where name = 'missed' and project_id = ${project.id}`).toHaveLength(2);
  });

  test("a project that moves to another time zone runs no slot twice", async () => {
    await database.owner`update project set status = 'closed'`;
    const project = await makeProject(database.owner, { tzOffset: 0 });
    await claim([schedule("moved")], "2026-10-13T19:30:00");
    await database.owner`update project set tz_offset_beijing = -1 where id = ${project.id}`;
    await claim([schedule("moved")], "2026-10-13T20:30:00");
    expect(await jobs("moved")).toHaveLength(1);
  });

  test("old claims are removed; the newest 300 stay, so that a clock that jumps a year ahead and back runs nothing twice", async () => {
    await database.owner`update project set status = 'closed'`;
    const project = await makeProject(database.owner);
    const kept = schedule("kept", { due: { everyMinutes: 5 } });
    const now = "2026-10-14T02:01:00";
    await database.owner`
      insert into schedule_slot (name, project_id, slot, claimed_at)
      select 'kept', ${project.id}, timestamptz '2026-10-14T09:55Z' - n * interval '5 minutes', now() from generate_series(0, 999) n`;
    expect(await claim([kept], now)).toBe(1);
    await clearSlots(database.app, moment(now));
    expect(await slots("kept")).toBe(1001);
    expect(await claim([kept], "2027-10-14T02:01:00")).toBe(1);
    await clearSlots(database.app, moment("2027-10-14T02:01:00"));
    expect(await slots("kept")).toBe(300);
    for (const back of ["2026-10-14T02:01:00", "2026-10-13T14:01:00"]) expect(await claim([kept], back)).toBe(0);
    expect(await claim([kept], "2026-10-14T02:06:00")).toBe(1);
    expect(await jobs("kept")).toHaveLength(3);
  });

  test("what a run does once is done once, however often the run is repeated, and nothing of a broken one stays", async () => {
    await database.owner`update project set status = 'closed'`;
    const project = await makeProject(database.owner);
    let runs = 0;
    let breaks = true;
    const counted = schedule("counted", {
      run: async ({ projectId, once }) => {
        runs++;
        await once(async (sql) => {
          await sql`insert into schedule_slot (name, project_id, slot, claimed_at) values ('effect', ${projectId}, now(), now())`;
          if (breaks) throw new Error("killed");
        });
      },
    });
    await claim([counted], "2026-10-14T02:00:00");
    const [job] = await jobs("counted");
    const run = () => runSlot(database.app, counted, { ...job!, name: "counted" }, moment("2026-10-14T02:00:00"));
    await expect(run()).rejects.toThrow("killed");
    expect(await slots("effect")).toBe(0);
    breaks = false;
    for (let repeat = 0; repeat < 3; repeat++) await run();
    expect([runs, await slots("effect")]).toEqual([4, 1]);
    expect(
      await database.owner`select 1 from schedule_slot where project_id = ${project.id} and name = 'counted' and ran_at is not null`,
    ).toHaveLength(1);
  });
});
