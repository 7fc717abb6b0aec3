import { beforeAll, describe, expect, it, test } from "vitest";
import { transaction } from "#db/client.ts";
import { demoAccounts } from "#db/seed/accounts.ts";
import { cities } from "#db/seed/cities.ts";
import { demoNames, seedDemo } from "#db/seed/demo.ts";
import { engineNames, seedEngine } from "#db/seed/engine.ts";
import { newBuild, swap } from "#db/seed/flows.ts";
import { type Name, named, nameText } from "#db/seed/names.ts";
import { crewNames } from "#db/seed/people.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import type { Locale } from "#lib/core/locale.ts";
import { callAs } from "../../support/call.ts";
import { clock, useDatabase } from "../../support/database.ts";
import { expectForms, namesIn } from "./names-in.ts";

const database = useDatabase();
let pm: CtxUser;
let engine: string;

beforeAll(async () => {
  await transaction(database.owner, (tx) => seedDemo(tx, clock));
  const [user] = await database.owner<CtxUser[]>`select id, account, name, email, kind, country from app_user where account = 'pm'`;
  pm = user!;
  engine = await seedEngine(database.app, clock);
});

const names = new Map(namesIn([demoNames, cities, newBuild, swap, crewNames, engineNames]).map((name) => [nameText(name), name]));

test("a name is stored with each of its forms once", () => {
  expect(nameText(named("安装", "Installation", "設置"))).toBe("安装 Installation 設置");
  expect(nameText(named("南山", "Nanshan"))).toBe("南山 Nanshan");
  expect(nameText(named("LTE", "LTE"))).toBe("LTE");
});

describe("every name of the demo project has a form of each language", () => {
  it.each([...names.values()].map((name) => [nameText(name), name] as const))("%s", (_, name) => expectForms(name));
});

describe("what the demo project shows by name is one of them", () => {
  const project = "(select id from project where number = 'DEMO')";
  it.each([
    ["the project", "select name from project where number = 'DEMO'"],
    ["its customer", "select customer_name as name from project where number = 'DEMO'"],
    ["flows", `select name from activity_flow where project_id = ${project}`],
    ["activities of the library", `select name from activity_library where project_id = ${project}`],
    ["activities of flows", `select a.name from flow_activity a join activity_flow f on f.id = a.flow_id where f.project_id = ${project}`],
    ["regions", `select name from delivery_region where project_id = ${project}`],
    ["network regions", `select name from network_region where project_id = ${project}`],
    ["groups of people", `select name from res_group where project_id = ${project}`],
    ["skills", `select distinct unnest(skills) as name from resource where project_id = ${project}`],
    ["subcontractors", `select name from subcontractor where project_id = ${project}`],
    ["attributes", `select name from attribute where project_id = ${project}`],
    ["values of attributes", `select distinct ext ->> key as name from du, unnest(array['a1', 'a4']) key where project_id = ${project}`],
    ["the calendar", `select name from work_calendar where project_id = ${project}`],
    ["its days", `select d.name from work_calendar_day d join work_calendar c on c.id = d.calendar_id where c.project_id = ${project}`],
    ["DUs", `select distinct regexp_replace(name, ' \\d+$', '') as name from du where project_id = ${project}`],
    ["kinds of delivery", `select distinct delivery_type as name from du where project_id = ${project}`],
    ["product lines", `select distinct product_line as name from du where project_id = ${project}`],
    ["sites", `select distinct regexp_replace(name, ' \\d+$', '') as name from customer_site where project_id = ${project}`],
    ["addresses", `select distinct regexp_replace(address, ' \\d+$', '') as name from customer_site where project_id = ${project}`],
    ["cities", `select distinct city as name from customer_site where project_id = ${project}`],
    ["provinces", `select distinct province as name from customer_site where project_id = ${project}`],
    ["engine versions", `select version_name as name from engine_plan_version where project_id = ${project}`],
    ["warehouses", `select name from engine_warehouse where project_id = ${project}`],
    ["items", `select distinct description as name from engine_du_material where project_id = ${project}`],
    ["items that stand in", `select distinct warehouse_description as name from engine_item_substitute where project_id = ${project}`],
    ["categories of material", `select distinct material_category as name from engine_du_material where project_id = ${project}`],
    ["who has the teams", `select distinct resource_name as name from engine_skill_resource where project_id = ${project}`],
    ["skills of the teams", `select distinct skill_type as name from engine_skill_resource where project_id = ${project}`],
    ["countries", `select distinct country as name from customer_site where project_id = ${project}`],
  ])("%s", async (_, query) => {
    const rows = await database.owner.unsafe<{ name: string }[]>(query);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.map(({ name }) => name).filter((name) => !names.has(name))).toEqual([]);
  });

  it("people keep their own writing beside the Latin one", () => {
    for (const { name } of demoAccounts) expect(name).toMatch(/[A-Z][a-z]+/);
  });
});

describe("the planning engine of the demo project", () => {
  const ok = async (address: string, input: unknown = {}) => {
    const { data, ...answer } = await callAs(pm, address, input, { project: "DEMO" });
    expect(answer.status, `${address}: ${answer.msg}`).toBe(200);
    return data;
  };
  const page = { page: 1, size: 200, filters: [] };

  it("has every input, and a plan of all that is open, signed by the checker", async () => {
    const { records: versions } = await ok("engine/version/find/list", page);
    expect(versions).toMatchObject([{ status: "finished", isCurrent: true, isPlanned: true }]);
    const { blocks } = await ok("engine/input/status", { versionId: versions[0].id });
    expect(blocks.filter(({ state }: { state: string }) => state !== "configured")).toEqual([]);
    const output = await ok("engine/output/find/outputPlan", page);
    const [{ count } = { count: 0 }] = await database.owner<{ count: number }[]>`
      select count(*)::int as count from du_plan where done_count < applicable_count`;
    expect(engine).toBe(`Engine version of ${count} DUs, calculated`);
    expect(output.total).toBe(count);
    expect(output.totals.gapDus).toBeGreaterThan(0);
    expect(output.totals.lateDus).toBeGreaterThan(0);
    const { check } = await ok("engine/output/find/facts", { runId: output.run.id });
    expect(check.signed).toBe(true);
  });

  it("shows supply of every kind, what is short and what comes late", async () => {
    const { run } = await ok("engine/output/find/outputPlan", page);
    const sources = await database.owner<
      { source: string }[]
    >`select distinct source from engine_out_alloc where run_id = ${run.id} order by source`;
    expect(sources.map(({ source }) => source)).toEqual(["inbound", "reuse", "stock"]);
    const stood =
      await database.owner`select 1 from engine_out_alloc where run_id = ${run.id} and item_code = 'AAU-32' and design_item_code = 'AAU-64'`;
    expect(stood.length).toBeGreaterThan(0);
    const { records } = await ok("engine/output/find/outputPlan/materialgap", { runId: run.id, ...page });
    const reasons = new Set(records.map(({ reason }: { reason: string }) => reason));
    expect(reasons).toContain("late");
    expect(reasons.size).toBeGreaterThan(1);
    expect((await ok("nc/material/planning/find/list", page)).records.length).toBeGreaterThan(0);
  });

  it("is made once", async () => {
    expect(await seedEngine(database.app, clock)).toBe("The demo project has its engine version already");
  });
});

describe.each(["zh", "en", "ja"] as const satisfies Locale[])("in %s", (locale) => {
  const formOf = { zh: 0, en: 1, ja: 2 }[locale];

  it("the plan's head names activities, flows and attributes", async () => {
    const { data, ...answer } = await callAs(pm, "rolloutPlan/head", {}, { project: "DEMO", locale });
    expect(answer.status, answer.msg).toBe(200);
    const shown = (list: readonly Name[], texts: readonly string[]) =>
      list.filter((name) => !texts.some((text) => text.includes(name[formOf]!)));
    expect(
      shown(
        [...newBuild, ...swap].map(({ name }) => name),
        data.activities.map(({ name }: { name: string }) => name),
      ),
    ).toEqual([]);
    expect(
      shown(
        Object.values(demoNames.flows),
        data.flows.map(({ name }: { name: string }) => name),
      ),
    ).toEqual([]);
    expect(
      shown(
        demoNames.attributes.map(([name]) => name),
        data.attributes.map(({ title }: { title: string }) => title),
      ),
    ).toEqual([]);
  });
});
