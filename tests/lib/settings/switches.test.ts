import { beforeAll, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { callAs } from "../../support/call.ts";
import { useDatabase } from "../../support/database.ts";
import { makeMember } from "../../support/factories.ts";
import { makeDuOwner, makeDus, setSwitch } from "../../support/plan-factories.ts";
import { later, usePlanProject } from "../../support/plan-project.ts";

const db = useDatabase();
const project = usePlanProject(db);

/** A call in a process that keeps what it has read. */
const call = async (user: CtxUser, address: string, input: unknown, minutes: number) =>
  (await callAs(user, address, input, { project: project.number, now: later(minutes), keepRights: true })).data;

describe("a switch that another process has changed holds three minutes later [OPS-42]", () => {
  let du: number;
  let customer: CtxUser;
  beforeAll(async () => {
    const plan = { 1: { plan_start: "2026-10-20", plan_end: "2026-10-21" } };
    du = (await makeDus(db.owner, project.id, [{ plan }, {}], project.flow))[0]!;
    await makeDuOwner(db.owner, du, project.viewer.id);
    customer = await makeMember(db.owner, project.id, "CUSTOMER");
  });

  /** Moves the end of the survey. */
  const move = (base: string, value: string, minutes: number) => {
    const edit = { duId: du, activityId: project.activities[0]!.id, field: "planEnd", base, value };
    return call(project.pm, "rolloutPlan/save", { edits: [edit] }, minutes);
  };

  it("dataControl forbids the plan to who owns no part of it, at once: every save reads it", async () => {
    expect(await move("2026-10-21", "2026-10-22", 0)).toMatchObject({ saved: 1 });
    await setSwitch(db.owner, project.id, "dataControl", "Y");
    for (const minutes of [0, 3])
      expect(await move("2026-10-22", "2026-10-23", minutes)).toMatchObject({ saved: 0, rejected: [{ code: "NO_PERMISSION" }] });
    await setSwitch(db.owner, project.id, "dataControl", "N");
    expect(await move("2026-10-22", "2026-10-23", 3)).toMatchObject({ saved: 1 });
  });

  it("planChangeControl forbids dates that are released, at once", async () => {
    await db.owner`update du_plan set release_state = 1 where du_id = ${du}`;
    expect(await move("2026-10-23", "2026-10-24", 10)).toMatchObject({ saved: 1 });
    await db.owner`update du_plan set release_state = 1 where du_id = ${du}`;
    await setSwitch(db.owner, project.id, "planChangeControl", "Y");
    for (const minutes of [10, 13])
      expect(await move("2026-10-24", "2026-10-25", minutes)).toMatchObject({ saved: 0, rejected: [{ code: "CHANGE_CONTROL" }] });
  });

  it("customerDataControl takes from a customer the DUs that are not his, once the rights that were read before are no longer trusted", async () => {
    const seen = async (minutes: number) => (await call(customer, "du/list/1/20/default/[]", {}, minutes)).records.length;
    expect(await seen(20)).toBe(2);
    await setSwitch(db.owner, project.id, "customerDataControl", "Y");
    expect(await seen(20)).toBe(2);
    expect(await seen(23)).toBe(0);
  });
});
