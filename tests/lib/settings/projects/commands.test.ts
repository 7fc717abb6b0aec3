import { describe, expect, test } from "vitest";
import { transaction } from "#db/client.ts";
import { openAccount } from "#lib/access/accounts/commands.ts";
import { isCountry } from "#lib/core/country.ts";
import { reservedSegments } from "#lib/core/href.ts";
import { listProjects, openProject } from "#lib/session/queries.ts";
import { createProject } from "#lib/settings/projects/commands.ts";
import { beijingHoursMax, beijingHoursMin, datacenterChars, ownDatacenter, projectNameChars } from "#lib/settings/projects/limits.ts";
import { CreateProject } from "#lib/settings/projects/schema.ts";
import { checkInput } from "../../../../scripts/command-line.ts";
import { clock, useDatabase } from "../../../support/database.ts";

const db = useDatabase();
const create = (given: Record<string, unknown>) =>
  transaction(db.app, (sql) => createProject(sql, checkInput(CreateProject, { name: "Rhein", country: "DE", ...given }), clock));
const rowOf = async (id: number) => {
  const [row] = await db.owner`
    select p.number, p.name, p.country, p.hosting_country as hosting, p.datacenter, p.tz_offset_beijing as hours, p.status, p.customer_kind as customer,
      s.seq, r.name as plan from project p join plan_seq s on s.project_id = p.id join rollout_plan r on r.project_id = p.id where p.id = ${id}`;
  return row!;
};

async function refused(given: Record<string, unknown>): Promise<string[]> {
  const error = await create(given).then(
    () => null,
    (reason) => reason,
  );
  return error.problems.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`);
}

describe("a project made at the machine", () => {
  test("has a plan and is entered by the account that was made for it", async () => {
    const id = await create({ number: "RHEIN-1" });
    expect(await rowOf(id)).toEqual({
      number: "RHEIN-1",
      name: "Rhein",
      country: "DE",
      hosting: "DE",
      datacenter: ownDatacenter,
      hours: 0,
      status: "active",
      customer: "standard",
      seq: 0,
      plan: "Rhein",
    });
    const given = {
      account: "anna",
      name: "Anna Lin",
      email: "anna@example.com",
      role: "PM" as const,
      project: "RHEIN-1",
      withPassword: true,
    };
    await transaction(db.app, (sql) => openAccount(sql, given, clock));
    const [user] = await db.owner`select id, account, name, email, kind, country from app_user where account = 'anna'`;
    const { project, membership } = await openProject(db.app, { user: user as never, sid: null, tokenId: null }, "RHEIN-1", clock);
    expect([project.id, membership.roles]).toEqual([id, ["PM"]]);
    const { records } = await listProjects(db.app, user!.id, clock, { page: 1, size: 10 });
    expect(records.map(({ number, roles }) => [number, roles])).toEqual([["RHEIN-1", ["PM"]]]);
    const lines =
      await db.owner`select project_id as project, actor_id as actor, event, address, detail from audit_log where object = 'project RHEIN-1'`;
    expect([...lines]).toEqual([
      {
        project: id,
        actor: null,
        event: "config_changed",
        address: "project",
        detail: {
          before: null,
          after: { name: "Rhein", country: "DE", hostingCountry: "DE", datacenter: ownDatacenter, hoursFromBeijing: 0 },
        },
      },
    ]);
  });

  test("lies where it is said, on the clock that is said", async () => {
    const id = await create({ number: "FAR", hostingCountry: "sg", datacenter: "sg-east-2", hoursFromBeijing: "-2.25" });
    expect(await rowOf(id)).toMatchObject({ country: "DE", hosting: "SG", datacenter: "sg-east-2", hours: -2.25 });
    for (const hours of [beijingHoursMin, beijingHoursMax])
      expect(await rowOf(await create({ number: `H${hours}`, hoursFromBeijing: String(hours) }))).toMatchObject({ hours });
  });

  test("is refused by the field that is wrong", async () => {
    for (const [given, problems] of [
      [{}, ["number VALUE_MISSING"]],
      [{ number: "a b" }, ["number PROJECT_INVALID"]],
      [{ number: "x".repeat(41) }, ["number PROJECT_INVALID"]],
      ...reservedSegments.map((number) => [{ number }, ["number PROJECT_INVALID"]] as const),
      [{ number: "N", country: "UK" }, ["country VALUE_UNKNOWN"]],
      [{ number: "N", country: undefined }, ["country VALUE_MISSING"]],
      [{ number: "N", hostingCountry: "ZZ" }, ["hostingCountry VALUE_UNKNOWN"]],
      [{ number: "N", hoursFromBeijing: String(beijingHoursMin - 0.25) }, ["hoursFromBeijing VALUE_TOO_SMALL"]],
      [{ number: "N", hoursFromBeijing: String(beijingHoursMax + 0.25) }, ["hoursFromBeijing VALUE_TOO_LARGE"]],
      [{ number: "N", hoursFromBeijing: "0.1" }, ["hoursFromBeijing VALUE_FORMAT"]],
      [{ number: "N", hoursFromBeijing: "" }, ["hoursFromBeijing VALUE_FORMAT"]],
    ] as const)
      expect(await refused(given), JSON.stringify(given)).toEqual(problems);
    expect(await db.owner`select 1 from project where number in ('N', 'a b')`).toHaveLength(0);
  });

  test("whose number is there is refused, and the one that is there stays as it is", async () => {
    const id = await create({ number: "TWICE" });
    const before = await rowOf(id);
    expect(await refused({ number: "TWICE", name: "Else", country: "CN" })).toEqual(["number PROJECT_REPEAT"]);
    expect(await rowOf(id)).toEqual(before);
    expect(await db.owner`select 1 from audit_log where object = 'project TWICE'`).toHaveLength(1);
  });

  test("takes texts as long as their columns, no longer and not empty", async () => {
    const columns = await db.owner<{ name: string; chars: number }[]>`
      select column_name as name, character_maximum_length as chars from information_schema.columns
      where table_name = 'project' and column_name in ('number', 'name', 'datacenter')`;
    expect(Object.fromEntries(columns.map(({ name, chars }) => [name, chars]))).toEqual({
      number: 40,
      name: projectNameChars,
      datacenter: datacenterChars,
    });
    const longest = { number: "n".repeat(40), name: "名".repeat(projectNameChars), datacenter: "d".repeat(datacenterChars) };
    expect(await rowOf(await create(longest))).toMatchObject(longest);
    for (const field of ["name", "datacenter"] as const) {
      expect(await refused({ number: "N", [field]: `x${longest[field]}` })).toEqual([`${field} VALUE_TOO_LONG`]);
      expect(await refused({ number: "N", [field]: " " })).toEqual([`${field} VALUE_MISSING`]);
    }
  });
});

test("a country is one of ISO 3166 by the code it has now", () => {
  for (const code of ["CN", "DE", "GB", "JP", "BR", "HK"]) expect(isCountry(code), code).toBe(true);
  for (const code of ["cn", "UK", "SU", "XX", "ZZ", "C", "CHN", "C1", ""]) expect(isCountry(code), code).toBe(false);
});
