import { beforeAll, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { callAs } from "#tests/support/call.ts";
import { useDatabase } from "#tests/support/database.ts";
import { makeMember, makeProject, makeSubcontractor } from "#tests/support/factories.ts";
import { makeDus } from "#tests/support/plan-factories.ts";

const db = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;
let scm: CtxUser;
let acme: number;
let civil: number;

beforeAll(async () => {
  project = await makeProject(db.app);
  pm = await makeMember(db.app, project.id, "PM");
  scm = await makeMember(db.app, project.id, "SCM");
  acme = await makeSubcontractor(db.app, project.id);
  await makeSubcontractor(db.app, project.id);
  const [activity] = await db.app<{ id: number }[]>`
    insert into activity_library (project_id, slot, code, name) values (${project.id}, 1, 'A1', 'Civil works'), (${project.id}, 2, 'A2', 'Power') returning id`;
  [civil] = (
    await db.app<{ id: number }[]>`
    insert into subcon_type (project_id, name, activity_ids, updated_at) values (${project.id}, 'Civil', ${[activity!.id]}, now()) returning id`
  ).map(({ id }) => id) as [number];
});

const call = (user: CtxUser, address: string, input: unknown = {}) => callAs(user, address, input, { project: project.number });
const capacity = {
  baseline: 10,
  upperCap: 18,
  lowerLimit: 5,
  leadTimeWeeks: 2,
  increasePeriodWeeks: 2,
  increasePerCycle: 3,
  redundancyRatio: 120,
  startWeek: "2026-10-11",
};
let revision = 0;
const update = async (given: object, user = pm, subcontractorId: number | null = acme) => {
  const answer = await call(user, "subconConfig/updateSubconConfig", {
    subcontractorId,
    rowVersion: subcontractorId ? revision : 0,
    ...given,
  });
  if (answer.status === 200 && subcontractorId) revision = answer.data.rowVersion;
  return answer;
};
const refusal = async (changes: object) => (await update({ capacity: [{ ...capacity, ...changes }] })).code;

describe("subconConfig/updateSubconConfig", () => {
  it("keeps every capacity within its limits, below 10,000, with weeks set by hand between them [RES-29] [RES-32]", async () => {
    expect(await refusal({ baseline: 4.99 })).toBe("CAPACITY_LIMIT");
    expect(await refusal({ baseline: 18.01 })).toBe("CAPACITY_LIMIT");
    expect(await refusal({ baseline: 5 })).toBeUndefined();
    expect(await refusal({ baseline: 18 })).toBeUndefined();
    expect(await refusal({ upperCap: 9999.99 })).toBeUndefined();
    expect(await refusal({ upperCap: 10_000 })).toBe("NUMBER_RANGE");
    expect(await refusal({ lowerLimit: -0.01 })).toBe("NUMBER_RANGE");
    expect(await refusal({ weeks: [{ week: "2026-10-18", value: 18 }] })).toBeUndefined();
    const weeks = [
      { week: "2026-10-18", value: 18.01 },
      { week: "2026-10-25", value: 9 },
      { week: "2026-10-04", value: 9 },
    ];
    expect(await update({ capacity: [{ ...capacity, weeks }] })).toMatchObject({
      status: 422,
      code: "CAPACITY_LIMIT",
      problems: [{ path: "capacity.0", params: { weeks: "2026-10-18, 2026-10-04" } }],
    });
  });

  it("takes a lead time of whole weeks from 1 on and a redundancy ratio from 100 to 10000 with two decimals [RES-30] [RES-31]", async () => {
    expect(await refusal({ leadTimeWeeks: 0 })).toBe("LEAD_TIME");
    expect(await refusal({ leadTimeWeeks: 1 })).toBeUndefined();
    expect((await update({ capacity: [{ ...capacity, leadTimeWeeks: 1.5 }] })).status).toBe(400);
    expect(await refusal({ increasePeriodWeeks: 0 })).toBe("LEAD_TIME");
    expect(await refusal({ redundancyRatio: 99.99 })).toBe("REDUNDANCY_RANGE");
    expect(await refusal({ redundancyRatio: 100 })).toBeUndefined();
    expect(await refusal({ redundancyRatio: 10_000 })).toBeUndefined();
    expect(await refusal({ redundancyRatio: 10_000.01 })).toBe("REDUNDANCY_RANGE");
    expect((await update({ capacity: [{ ...capacity, redundancyRatio: 100.001 }] })).status).toBe(400);
    expect(await refusal({ startWeek: "2026-10-12" })).toBe("INVALID_INPUT");
  });

  it("stores switches and capacities with one revision; who plans supply writes capacities alone [RES-55]", async () => {
    expect((await update({ capacity: [capacity, { ...capacity, subconTypeId: civil }] }, scm)).status).toBe(200);
    expect(await update({ config: { selfDispatch: true } }, scm)).toMatchObject({ status: 403, code: "NO_PERMISSION" });
    expect(await update({ config: { selfDispatch: true }, capacity: [capacity] }, scm)).toMatchObject({ status: 403 });
    expect((await update({ config: { selfDispatch: true } })).status).toBe(200);
    expect(
      await call(pm, "subconConfig/updateSubconConfig", { subcontractorId: acme, config: {}, rowVersion: revision - 1 }),
    ).toMatchObject({ code: "STALE" });
    expect((await update({ capacity: [{ ...capacity, baseline: 7 }] }, pm, null)).status).toBe(200);
    const { defaults, companies } = (await call(pm, "subconConfig/getSubconConfigByProject")).data;
    expect(defaults.capacity).toMatchObject([{ baseline: 7, weeklyAdded: 1.5 }]);
    expect(companies).toHaveLength(2);
    expect(companies.find((row: { subcontractorId: number }) => row.subcontractorId === acme)).toMatchObject({
      config: { selfDispatch: true, seesPlanDates: false, mobileOnly: false },
      capacity: [
        { subconTypeId: null, weeks: [] },
        { subconTypeId: civil, weeks: [] },
      ],
    });
  });
});

describe("subconConfig/getSubconConfigList/page", () => {
  it("gives a page of companies with what is set for them [RES-53] [RES-54]", async () => {
    const page = (await call(pm, "subconConfig/getSubconConfigList/page", { page: 1, size: 10 })).data;
    expect(page).toMatchObject({ total: 2, page: 1, size: 10 });
    const [code] = await db.app<{ code: string }[]>`select code from subcontractor where id = ${acme}`;
    const found = (await call(pm, "subconConfig/getSubconConfigList/page", { page: 1, size: 10, keyword: code!.code })).data;
    expect(found.records.map((row: { subcontractorId: number }) => row.subcontractorId)).toEqual([acme]);
  });
});

describe("subcontractor/list", () => {
  it("tells what each company can do this week: its own capacity, set by hand or not, else the project's [RES-12]", async () => {
    // Today is 2026-10-14; two weeks later three more are possible.
    const told = async (id: number) => {
      const { records } = (await call(pm, "subcontractor/list/1/20/default/[]")).data;
      return (records as { id: number; weekCapacity: number | null }[]).find((row) => row.id === id)?.weekCapacity;
    };
    const [other] = await db.app<{ id: number }[]>`select id from subcontractor where project_id = ${project.id} and id <> ${acme}`;
    expect(await told(other!.id)).toBe(7);
    const given = async (...rows: object[]) => {
      expect((await update({ capacity: rows.map((row) => ({ ...capacity, ...row })) })).status).toBe(200);
      return told(acme);
    };
    expect(await given({})).toBe(10);
    expect(await given({ startWeek: "2026-09-27" })).toBe(13);
    expect(await given({ startWeek: "2026-10-18" })).toBe(0);
    expect(await given({ weeks: [{ week: "2026-10-11", value: 6.5 }] })).toBe(6.5);
    expect(await given({ subconTypeId: civil })).toBe(10);
    expect(await given({}, { subconTypeId: civil })).toBe(10);
  });
});

describe("subconConfig/weeks", () => {
  it("compares each week with the starts planned for the kind's activities, from the plan itself [RES-08]", async () => {
    // 2026-10-14 is day 9783; the week of 2026-10-25 begins with day 9794.
    const ids = await makeDus(
      db.app,
      project.id,
      [...Array(12)].map(() => ({ subcontractorId: acme, plan: { 1: { plan_start: 9796, state: 1 }, 2: { plan_start: 9784, state: 1 } } })),
    );
    await db.app`update du_plan set state[1] = 0 where du_id = ${ids[11]!}`;
    const weeks = async (subconTypeId: number | null) =>
      (await call(pm, "subconConfig/weeks", { subcontractorId: acme, subconTypeId })).data.weeks as {
        week: string;
        planned: number;
        needed: number;
        capacity: number;
        over: boolean;
      }[];
    expect((await weeks(civil)).filter(({ planned }) => planned > 0)).toEqual([
      { week: "2026-10-25", capacity: 13, manual: false, planned: 11, needed: 13.2, over: true },
    ]);
    expect((await weeks(null)).filter(({ planned }) => planned > 0).map(({ week, planned }) => [week, planned])).toEqual([
      ["2026-10-11", 12],
      ["2026-10-25", 11],
    ]);
    expect(await call(pm, "subconConfig/weeks", { subcontractorId: acme, regionId: 1 })).toMatchObject({ status: 404 });
  });
});
