import { describe, expect, test } from "vitest";
import { transaction } from "#db/client.ts";
import { openAccount, renewPassword } from "#lib/access/accounts/commands.ts";
import { accountChars, accountKinds, personNameChars } from "#lib/access/accounts/limits.ts";
import { OpenAccount } from "#lib/access/accounts/schema.ts";
import { findMembership } from "#lib/access/queries.ts";
import { addressChars } from "#lib/reminders/outbox/limits.ts";
import { checkPassword, openSession } from "#lib/session/commands.ts";
import { checkInput } from "../../../../scripts/command-line.ts";
import { clock, useDatabase } from "../../../support/database.ts";
import { grantRole, makeProject, makeUser } from "../../../support/factories.ts";

const db = useDatabase();
const frame = { ip: "127.0.0.1", now: clock, requestId: "request-1" };
const today = "2026-10-14";
const anna = { name: "Anna Lin", email: "anna@example.com", country: "DE" };

const open = (given: Record<string, unknown>) =>
  transaction(db.app, (sql) => openAccount(sql, checkInput(OpenAccount, { withPassword: true, ...given }), clock));
const rowOf = async (account: string) => {
  const [row] =
    await db.owner`select id, account, name, email, kind, country, password_hash as hash from app_user where lower(account) = lower(${account})`;
  return row!;
};
const linesAbout = (object: string) => db.owner`
  select project_id as project, actor_id as actor, event, address, detail from audit_log where object = ${object} order by id`;

/** What a refusal names: field and code. */
async function refused(given: Record<string, unknown>): Promise<[path: string, code: string][]> {
  const error = await open(given).then(
    () => null,
    (reason) => reason,
  );
  return error.problems.map(({ path, code }: { path: string; code: string }) => [path, code]);
}

describe("an account made at the machine", () => {
  test("signs in with the password that was given back once, and is of its person", async () => {
    const made = await open({ account: "anna", ...anna });
    expect(made).toMatchObject({ account: "anna", isNew: true, active: true, role: null });
    const { hash, ...row } = await rowOf("anna");
    expect(row).toMatchObject({ account: "anna", ...anna, kind: "employee" });
    expect(hash).toMatch(/^scrypt\$/);
    expect(await checkPassword("Anna", made.password!, frame)).toEqual({ id: row.id, name: "Anna Lin", email: "anna@example.com" });
    expect(await checkPassword("anna", `${made.password}x`, frame)).toBeNull();
    const [line, ...others] = await linesAbout("account anna");
    expect(others.map(({ event }) => event)).toEqual(["sign_in_failed"]);
    expect(line).toEqual({
      project: null,
      actor: null,
      event: "config_changed",
      address: "account",
      detail: { before: null, after: { kind: "employee", country: "DE", password: true } },
    });
  });

  test("has another password each time", async () => {
    const [first, second] = [await open({ account: "p1", ...anna }), await open({ account: "p2", ...anna })];
    expect(first.password).toHaveLength(20);
    expect(second.password).not.toBe(first.password);
  });

  test("without password signs in by none", async () => {
    expect(await open({ account: "sso@example.com", ...anna, withPassword: false })).toMatchObject({ isNew: true, password: null });
    expect((await rowOf("sso@example.com")).hash).toBeNull();
    expect(await checkPassword("sso@example.com", "", frame)).toBeNull();
  });

  test("that is there, in any letter case, keeps name, address, password and all else", async () => {
    const { password } = await open({ account: "kept", ...anna });
    const before = await rowOf("kept");
    expect(await open({ account: "KEPT", name: "Else", email: "else@example.com", country: "CN" })).toEqual({
      account: "kept",
      isNew: false,
      active: true,
      password: null,
      role: null,
    });
    expect(await rowOf("kept")).toEqual(before);
    expect(await checkPassword("kept", password!, frame)).not.toBeNull();
    expect(await linesAbout("account kept")).toHaveLength(1);
  });

  test("holds its role from the project's today on, without end", async () => {
    // In the project on the other side of the date line it is still the day before.
    const west = await makeProject(db.owner, { tzOffset: -18 });
    const made = await open({ account: "west", ...anna, role: "PM", project: west.number });
    expect(made.role).toEqual({ role: "PM", project: west.number, validFrom: "2026-10-13", isNew: true });
    const { id } = await rowOf("west");
    expect((await findMembership(db.app, id, west.id, "2026-10-12")).roles).toEqual([]);
    for (const day of ["2026-10-13", "2089-09-17"]) expect((await findMembership(db.app, id, west.id, day)).roles).toEqual(["PM"]);
    expect(await linesAbout("role PM of west")).toEqual([
      {
        project: west.id,
        actor: null,
        event: "config_changed",
        address: "account",
        detail: { before: null, after: { validFrom: "2026-10-13", validTo: null } },
      },
    ]);
  });

  test("is of the kind of its role and in the country of its project, unless it is said otherwise", async () => {
    const project = await makeProject(db.owner);
    await db.owner`update project set country = 'DE' where id = ${project.id}`;
    const given = { name: "N", email: "n@example.com", project: project.number };
    for (const [account, extra, kind, country] of [
      ["k1", { role: "SUBCON_PM" }, "subcontractor", "DE"],
      ["k2", { role: "CUSTOMER" }, "customer", "DE"],
      ["k3", { role: "TD", country: "jp" }, "employee", "JP"],
      ["k4", { role: "TD", kind: "subcontractor" }, "subcontractor", "DE"],
    ] as const) {
      await open({ account, ...given, ...extra });
      expect(await rowOf(account), account).toMatchObject({ kind, country });
    }
  });

  test("that is there gets a role alone; one it holds stays, one that has ended is given anew", async () => {
    const project = await makeProject(db.owner);
    const user = await makeUser(db.owner, { account: "again" });
    const ask = async (role: string) => (await open({ account: "again", role, project: project.number })).role;
    await grantRole(db.owner, project.id, user.id, "TD");
    await grantRole(db.owner, project.id, user.id, "TL", "2026-10-13");
    await grantRole(db.owner, project.id, user.id, "PD", today);
    expect(await ask("TD")).toMatchObject({ validFrom: "2026-01-01", isNew: false });
    expect(await ask("TL")).toMatchObject({ validFrom: today, isNew: true });
    expect(await ask("PD")).toMatchObject({ validFrom: "2026-01-01", isNew: false });
    expect(await ask("PM")).toMatchObject({ validFrom: today, isNew: true });
    const rows = await db.owner`
      select role, valid_from as "from", valid_to as "to", row_version as version from project_member where user_id = ${user.id} order by role`;
    expect([...rows]).toEqual([
      { role: "PD", from: "2026-01-01", to: today, version: 1 },
      { role: "PM", from: today, to: null, version: 1 },
      { role: "TD", from: "2026-01-01", to: null, version: 1 },
      { role: "TL", from: today, to: null, version: 2 },
    ]);
    expect(await linesAbout("role TD of again")).toHaveLength(0);
    expect((await linesAbout("role TL of again"))[0]?.detail).toEqual({
      before: { validFrom: "2026-01-01", validTo: "2026-10-13" },
      after: { validFrom: today, validTo: null },
    });
  });

  test("is refused by the field that is wrong, and nothing is written", async () => {
    const project = await makeProject(db.owner);
    await makeUser(db.owner, { account: "off", active: false });
    const before = await db.owner`select count(*)::int as n from app_user`;
    for (const [given, problems] of [
      [{ account: "x" }, ["name VALUE_MISSING", "email VALUE_MISSING", "country VALUE_MISSING"]],
      [{ ...anna }, ["account VALUE_MISSING"]],
      [{ account: "x", ...anna, email: "anna@example" }, ["email EMAIL_INVALID"]],
      [{ account: "x", ...anna, country: "UK" }, ["country VALUE_UNKNOWN"]],
      [{ account: "x", ...anna, country: "DEU" }, ["country VALUE_UNKNOWN"]],
      [{ account: "x", ...anna, kind: "guest" }, ["kind VALUE_UNKNOWN"]],
      [{ account: "x", ...anna, role: "BOSS", project: project.number }, ["role VALUE_UNKNOWN"]],
      // Who owns DUs or regions holds these.
      [{ account: "x", ...anna, role: "SITE_OWNER", project: project.number }, ["role VALUE_UNKNOWN"]],
      [{ account: "x", ...anna, role: "PM" }, ["project VALUE_MISSING"]],
      [{ account: "x", ...anna, project: project.number }, ["role VALUE_MISSING"]],
      [{ account: "x", ...anna, role: "PM", project: "NONE" }, ["project PROJECT_INVALID"]],
      [{ account: "off", role: "PM", project: project.number }, ["account NOT_FOUND"]],
      [{ account: "x y", ...anna }, ["account VALUE_FORMAT"]],
      [{ account: "x,y", ...anna }, ["account VALUE_FORMAT"]],
      [{ account: "x(y)", ...anna }, ["account VALUE_FORMAT"]],
      [{ account: "Removed-7", ...anna }, ["account VALUE_FORMAT"]],
    ] as const)
      expect(
        (await refused(given)).map((problem) => problem.join(" ")),
        JSON.stringify(given),
      ).toEqual(problems);
    expect(await db.owner`select count(*)::int as n from app_user`).toEqual(before);
    expect(await open({ account: "off" })).toMatchObject({ isNew: false, active: false, password: null });
  });

  test("is made once where two make it in the same moment", async () => {
    const both = await Promise.allSettled([open({ account: "twin", ...anna }), open({ account: "Twin", ...anna })]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(both.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { code: "ACCOUNT_EXISTS", problems: [{ path: "account" }] },
    });
    expect(await db.owner`select 1 from app_user where lower(account) = 'twin'`).toHaveLength(1);
  });

  test("takes texts as long as their columns, no longer and not empty", async () => {
    const columns = await db.owner<{ name: string; chars: number }[]>`
      select column_name as name, character_maximum_length as chars from information_schema.columns
      where table_name = 'app_user' and column_name in ('account', 'name', 'email')`;
    expect(Object.fromEntries(columns.map(({ name, chars }) => [name, chars]))).toEqual({
      account: accountChars,
      name: personNameChars,
      email: addressChars,
    });
    const longest = {
      account: "a".repeat(accountChars),
      name: "名".repeat(personNameChars),
      email: `${"e".repeat(addressChars - 5)}@x.de`,
    };
    await open({ ...longest, country: "CN" });
    expect(await rowOf(longest.account)).toMatchObject(longest);
    for (const field of ["account", "name", "email"] as const) {
      const rest = { account: "b", name: "B", email: "b@x.de", country: "CN" };
      expect((await refused({ ...rest, [field]: `x${longest[field]}` }))[0]).toEqual([field, "VALUE_TOO_LONG"]);
      expect((await refused({ ...rest, [field]: " " }))[0]).toEqual([field, "VALUE_MISSING"]);
    }
  });

  test("is of one of the kinds the table knows", async () => {
    for (const kind of accountKinds) expect(await open({ account: `of-${kind}`, ...anna, kind })).toMatchObject({ isNew: true });
  });
});

describe("another password for an account", () => {
  const renew = (account: string) => transaction(db.app, (sql) => renewPassword(sql, { account }, clock));

  test("takes the place of the one before, ends the sessions that run, and leaves everybody else alone", async () => {
    const { password } = await open({ account: "lost", ...anna });
    const [own, other] = [(await rowOf("lost")).id, (await makeUser(db.owner, { account: "neighbour" })).id];
    const [first, second, third] = [await openSession(own, frame), await openSession(own, frame), await openSession(other, frame)];
    await db.owner`update user_session set expires_at = ${clock} where sid = ${first}`;
    const renewed = await renew("LOST");
    expect(renewed).toMatchObject({ account: "lost", sessions: 1 });
    expect(renewed.password).toHaveLength(20);
    expect(await checkPassword("lost", password!, frame)).toBeNull();
    expect(await checkPassword("lost", renewed.password, frame)).toMatchObject({ id: own });
    const ended =
      await db.owner`select sid, revoked_at is not null as ended from user_session where sid in ${db.owner([first, second, third])}`;
    expect(new Map(ended.map(({ sid, ended }) => [sid, ended]))).toEqual(
      new Map([
        [first, false],
        [second, true],
        [third, false],
      ]),
    );
    expect((await linesAbout("account lost")).at(-2)).toMatchObject({
      actor: null,
      event: "config_changed",
      address: "account",
      detail: { before: null, after: { password: true, sessionsEnded: 1 } },
    });
  });

  test("is refused where there is none, or it is off, and nothing is written", async () => {
    await makeUser(db.owner, { account: "gone", active: false });
    const before = await db.owner`select account, password_hash from app_user order by id`;
    const lines = await db.owner`select count(*)::int as n from audit_log`;
    for (const account of ["nobody", "gone"])
      await expect(renew(account)).rejects.toMatchObject({
        code: "NOT_FOUND",
        problems: [{ path: "account", params: { object: account } }],
      });
    expect(await db.owner`select account, password_hash from app_user order by id`).toEqual(before);
    expect(await db.owner`select count(*)::int as n from audit_log`).toEqual(lines);
  });
});
