import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { callsBelow } from "#lib/calls.ts";
import { mergeInput } from "#lib/core/address.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { runCall } from "#lib/core/gate.ts";
import { useDatabase } from "../../support/database.ts";
import { makeMember } from "../../support/factories.ts";
import { makeDuOwner, makeDus, setSwitch } from "../../support/plan-factories.ts";
import { later, usePlanProject } from "../../support/plan-project.ts";

const db = useDatabase();
const project = usePlanProject(db);

/** Calls as a process does that keeps what it has read: nothing is forgotten before. */
async function warmCall(user: CtxUser, address: string, input: unknown, now: Date) {
  const segments = address.split("/").map(decodeURIComponent);
  const match = (await callsBelow(segments[0]!)).find(segments)!;
  const who = { user, sid: null, tokenId: user.id, csrfToken: null, expiresAt: later(1_000_000) };
  const caller = { who, projectNumber: project.number, locale: "en" as const, requestId: randomUUID(), ip: null, now };
  // biome-ignore lint/suspicious/noExplicitAny: tests read the answer of many calls.
  return (await runCall(match.declaration, caller, mergeInput(match, new URLSearchParams(), input))).data as any;
}

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
    return warmCall(project.pm, "rolloutPlan/save", { edits: [edit] }, later(minutes));
  };

  it("dataControl forbids the plan to who owns no part of it", async () => {
    expect(await move("2026-10-21", "2026-10-22", 0)).toMatchObject({ saved: 1 });
    await setSwitch(db.owner, project.id, "dataControl", "Y");
    expect(await move("2026-10-22", "2026-10-23", 3)).toMatchObject({ saved: 0, rejected: [{ code: "NO_PERMISSION" }] });
    await setSwitch(db.owner, project.id, "dataControl", "N");
    expect(await move("2026-10-22", "2026-10-23", 6)).toMatchObject({ saved: 1 });
  });

  it("planChangeControl forbids dates that are released", async () => {
    await db.owner`update du_plan set release_state = 1 where du_id = ${du}`;
    expect(await move("2026-10-23", "2026-10-24", 10)).toMatchObject({ saved: 1 });
    await db.owner`update du_plan set release_state = 1 where du_id = ${du}`;
    await setSwitch(db.owner, project.id, "planChangeControl", "Y");
    expect(await move("2026-10-24", "2026-10-25", 13)).toMatchObject({ saved: 0, rejected: [{ code: "CHANGE_CONTROL" }] });
  });

  it("customerDataControl takes from a customer the DUs that are not his", async () => {
    const seen = async (minutes: number) => (await warmCall(customer, "du/list/1/20/default/[]", {}, later(minutes))).records.length;
    expect(await seen(20)).toBe(2);
    await setSwitch(db.owner, project.id, "customerDataControl", "Y");
    expect(await seen(23)).toBe(0);
  });
});
