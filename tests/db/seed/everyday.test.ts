import { beforeAll, describe, expect, it } from "vitest";
import { transaction } from "#db/client.ts";
import { seedDemo } from "#db/seed/demo.ts";
import { seedEveryday } from "#db/seed/everyday.ts";
import { everydayNames } from "#db/seed/everyday-names.ts";
import { nameText } from "#db/seed/names.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { callAs } from "../../support/call.ts";
import { clock, useDatabase } from "../../support/database.ts";
import { expectForms, namesIn } from "./names-in.ts";

describe("every name of the demo team's everyday has a form of each language", () => {
  it.each(namesIn(everydayNames).map((name) => [nameText(name), name] as const))("%s", (_, name) => expectForms(name));
});

// The plan lies around the day it is made on: a free day and the turn of a year are days like others.
describe.each([
  ["a working day", clock],
  ["the Saturday after New Year", new Date("2027-01-02T02:00:00.000Z")],
])("made on %s", (_, now) => {
  const database = useDatabase();
  let people: Map<string, CtxUser>;
  let told: string;

  beforeAll(async () => {
    await transaction(database.owner, (tx) => seedDemo(tx, now));
    told = await seedEveryday(database.app, now);
    const users = await database.owner<CtxUser[]>`select id, account, name, email, kind, country from app_user`;
    people = new Map(users.map((user) => [user.account, user]));
  });

  const ok = async (account: string, address: string, input: unknown = {}) => {
    const { data, ...answer } = await callAs(people.get(account)!, address, input, { project: "DEMO", now });
    expect(answer.status, `${address}: ${answer.msg}`).toBe(200);
    return data;
  };
  const list = async (account: string, address: string) => (await ok(account, `${address}/1/200/default/[]`)).records;

  it.each([
    "dataVersion/list",
    "planDistribution/list",
    "planFreeze/list",
    "electronFlow/list",
    "template/list",
    "duChange/list",
    "duRelation/list",
    "planAutoRule/list",
    "rollPlanDependency/list",
    "ownerRule/list",
    "emailAuto/list",
    "emailRemind/list",
    "cluster/list",
    "tempMilestone/list",
    "permit/list",
    "planLog/list",
    "workOrder/list",
  ])("has something to show of %s", async (address) => {
    expect((await list("pm", address)).length).toBeGreaterThan(0);
  });

  it("has work orders in each state a person brings them to", async () => {
    const records = await list("pm", "workOrder/list");
    const states = new Set(records.map(({ status }: { status: string }) => status));
    expect([...states].sort()).toEqual(["accepted", "assigned", "completed", "started", "suspended"]);
  });

  it("has what waits for an approver, and tells him", async () => {
    const records = await list("pd", "electronFlow/list");
    expect(new Set(records.map(({ status }: { status: string }) => status))).toEqual(new Set(["approving", "processing"]));
    const changes = await list("pd", "duChange/list");
    expect(changes.map(({ status }: { status: string }) => status)).toEqual(["approving"]);
    expect((await list("pd", "notice/list")).length).toBeGreaterThan(1);
  });

  it("has a plan that has slipped since its release", async () => {
    const records = await list("pm", "dataVersion/list");
    const published = records.find(({ kind }: { kind: string }) => kind === "published");
    expect(told).toBe(`Everyday of the team around ${published.duCount} released DUs`);
    const compared = await ok("pm", "dataVersion/compare", { left: published.id, right: "current", page: 1, size: 50, filters: [] });
    expect(compared.summary).toMatchObject({ earlier: 0, later: 24, dus: 24 });
  });

  it("has a filter template that finds DUs", async () => {
    const [{ id }] = (await list("pm", "template/list")).filter(({ kind }: { kind: string }) => kind === "filter");
    const { body } = await ok("pm", "template/basic/find", { id });
    const filters = body.filters.map(({ key, ...filter }: { key: string }) => ({ field: key, ...filter }));
    const { total } = await ok("pm", "wbs/filter", { filters });
    expect(total).toBeGreaterThan(0);
    expect(total).toBeLessThan((await ok("pm", "wbs/filter")).total);
  });

  it("is made once", async () => {
    expect(await seedEveryday(database.app, now)).toBe("The demo project has its everyday already");
  });
});
