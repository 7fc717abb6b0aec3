import { beforeAll, describe, expect, it } from "vitest";
import type { Sql } from "#db/client.ts";
import { allCalls } from "#lib/calls.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import type { Role } from "#lib/permissions.ts";
import { useDatabase } from "./database.ts";
import { distinct, refusesAll, runDeclared, samplesFor } from "./declared-call.ts";
import { makeResource } from "./factories.ts";
import { duPrint, type MarkedDu, makeMarkedDu } from "./marked-du.ts";
import { makeDuOwner, makeOwnerSet, setSwitch } from "./plan-factories.ts";
import { makeHolder } from "./role-holders.ts";
import { makeWholeProject, type WholeProject } from "./whole-project.ts";

const calls = await allCalls();
const markOf = {
  own: "MARK-OF-THE-OWN-DU",
  foreign: "MARK-OF-THE-FOREIGN-DU",
  taken: "MARK-OF-THE-TAKEN-DU",
  given: "MARK-OF-THE-GIVEN-DU",
  company: "NAME-OF-THE-OTHER-COMPANY",
};

/** Roles that reach own rows only, and an account that sees its company's alone. */
export type BoundRole = "SITE_OWNER" | "REGION_OWNER" | "SUBCON" | "SUBCON_PM" | "CUSTOMER" | "CUSTOMER_PM" | "PM";

/**
 * Proves of roles that reach own rows only that no call, whatever it is asked, gives or changes anything of another DU.
 * Call it at the top of a suite; roles are spread over suites that run beside each other.
 */
export function proveOwnRows(roles: readonly BoundRole[]): void {
  const db = useDatabase();
  let project: WholeProject;
  let own: MarkedDu;
  let foreign: MarkedDu;
  /** A DU of the same company that isolation gives to another one. */
  let taken: MarkedDu;

  beforeAll(async () => {
    project = await makeWholeProject(db.app, "project");
    own = await makeMarkedDu(db.app, project, markOf.own);
    foreign = await makeMarkedDu(db.app, project, markOf.foreign);
    taken = await makeMarkedDu(db.app, project, markOf.taken);
    const given = await makeMarkedDu(db.app, project, markOf.given);
    await db.app`update subcontractor set name = ${markOf.company} where id = ${foreign.company}`;
    await db.app`update du set subcontractor_id = ${own.company}, decom_site_id = ${taken.du} where id = any(${[own.du, taken.du]})`;
    await db.app`update du set subcontractor_id = ${foreign.company}, direct_migration_site_id = ${foreign.du} where id = ${given.du}`;
    await db.app`update isolation set enabled = true where project_id = ${project.id}`;
    await db.app`
    insert into isolation_detail (project_id, attribute_id, value, subcontractor_id, created_at)
    values (${project.id}, ${project.numbers.attribute!}, ${markOf.given}, ${own.company}, now()), (${project.id}, ${project.numbers.attribute!}, ${markOf.taken}, ${foreign.company}, now())`;
    // Customers see every DU of their project unless the customer data control says otherwise.
    await setSwitch(db.app, project.id, "customerDataControl", "Y");
  });

  const joinCompany = (sql: Sql, user: CtxUser) => makeResource(sql, project.id, user.id, { subcontractorId: own.company });

  /** A subcontractor's account sees the DUs of its company alone, whatever the role. */
  const bindAccount = async (sql: Sql, user: CtxUser) => {
    user.kind = "subcontractor";
    await sql`update app_user set kind = 'subcontractor' where id = ${user.id}`;
    await joinCompany(sql, user);
  };

  /** Roles that reach own rows only, with what makes the DU their own; null where the role itself comes with the row. */
  const bound = (
    [
      ["SITE_OWNER", null],
      ["REGION_OWNER", null],
      ["SUBCON", joinCompany],
      ["SUBCON_PM", joinCompany],
      ["CUSTOMER", (sql, user) => makeDuOwner(sql, own.du, user.id)],
      ["CUSTOMER_PM", (sql, user) => makeDuOwner(sql, own.du, user.id)],
      ["PM", bindAccount],
    ] as [BoundRole, ((sql: Sql, user: CtxUser) => Promise<unknown>) | null][]
  ).filter(([role]) => roles.includes(role));

  async function makeBound(role: Role, bind: ((sql: Sql, user: CtxUser) => Promise<unknown>) | null): Promise<CtxUser> {
    const user = await makeHolder(db.app, project.id, role, own);
    await bind?.(db.app, user);
    return user;
  }

  const called = (address: string) => calls.find(({ declaration }) => declaration.address === address)!.declaration;

  describe.each(bound)("%s", (role, bind) => {
    // Customers are kept to the DUs they own by the customer data control.
    const proven = role === "CUSTOMER" || role === "CUSTOMER_PM" ? "[PRM-07] [PRM-24]" : "[PRM-07]";
    it(`reads nothing of a DU that is not his own by any call and any id, and changes nothing of it ${proven}`, {
      timeout: 240_000,
    }, async () => {
      const user = await makeBound(role, bind);
      const prints = () => Promise.all([foreign, taken].map(({ du }) => duPrint(db.owner, du)));
      const before = await prints();
      const secrets = [markOf.foreign, markOf.taken, ...(user.kind === "subcontractor" ? [markOf.company] : [])];
      const leaks: string[] = [];
      for (const { declaration } of calls) {
        if (await refusesAll(declaration, user, project.number)) continue;
        const inputs = distinct([
          ...(declaration.kind === "read" ? samplesFor(declaration, own.ids, own.tried) : []),
          ...samplesFor(declaration, foreign.ids, foreign.tried),
          ...samplesFor(declaration, taken.ids, [taken.du]),
        ]);
        for (const input of inputs) {
          const answer = await runDeclared(declaration, user, project.number, input);
          // A refused input may be named by its words.
          const text = answer.status === 400 ? "" : JSON.stringify(answer);
          if (secrets.some((secret) => text.includes(secret)))
            leaks.push(`${declaration.address} ${JSON.stringify(input)} -> ${text.slice(0, 300)}`);
          if (answer.status === 500) leaks.push(`${declaration.address} failed on ${JSON.stringify(input).slice(0, 300)}`);
        }
      }
      expect(leaks).toEqual([]);
      expect(await prints()).toEqual(before);
    });

    it("reads his own", async () => {
      const user = await makeBound(role, bind);
      const read: string[] = [];
      for (const { declaration } of calls) {
        if (declaration.kind !== "read" || declaration.needs === "signedIn") continue;
        if (await refusesAll(declaration, user, project.number)) continue;
        for (const input of samplesFor(declaration, own.ids, own.tried)) {
          if (read.at(-1) === declaration.address) break;
          const answer = await runDeclared(declaration, user, project.number, input);
          if (JSON.stringify(answer).includes(markOf.own)) read.push(declaration.address);
        }
      }
      expect(read).toEqual(
        expect.arrayContaining(["rolloutPlan/list/{page}/{size}/default/{filters}", "du/list/{page}/{size}/default/{filters}"]),
      );
    });
  });

  if (roles.includes("PM"))
    describe("a subcontractor's account", () => {
      it("gets the same answers, counts included, whatever DUs there are beside its own [RES-05]", async () => {
        const user = await makeBound("PM", bindAccount);
        // What differs between two calls at any rate: change numbers, random ids, moments, days counted from today.
        const plain = (answer: object) =>
          JSON.stringify({ ...answer, requestId: "" })
            .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "")
            .replace(/"seq":\d+|\d{4}-\d\d-\d\d|"base64":"[^"]*"/g, "")
            .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "");
        const readAll = async () => {
          const answers = new Map<string, string>();
          for (const { declaration } of calls) {
            if (declaration.kind !== "read" || declaration.needs === "signedIn") continue;
            for (const input of samplesFor(declaration, own.ids, [own.du]))
              answers.set(
                `${declaration.address} ${JSON.stringify(input)}`,
                plain(await runDeclared(declaration, user, project.number, input)),
              );
          }
          return answers;
        };
        const before = await readAll();
        const added = await makeMarkedDu(db.app, project, "MARK-OF-ANOTHER-DU");
        await db.app`update du set site_id = (select site_id from du where id = ${own.du}), region_id = ${own.region}, cluster_id = ${project.numbers.cluster!} where id = ${added.du}`;
        await db.app`delete from delivery_region where id = ${added.region}`;
        const after = await readAll();
        expect([...after].filter(([key, text]) => before.get(key) !== text).map(([key, text]) => [key, before.get(key), text])).toEqual([]);
      });
    });

  describe("an actual date", () => {
    const save = (user: CtxUser, duId: number) =>
      runDeclared(called("rolloutPlan/save"), user, project.number, {
        edits: [{ duId, activityId: project.numbers.activity, field: "actualEnd", value: "2026-10-14", base: null }],
      });

    it.each(bound.filter(([role]) => !role.startsWith("CUSTOMER")))("%s writes it on his own DU and on no other", async (role, bind) => {
      const user = await makeBound(role, bind);
      // Everybody owns the activity; what is asked is whose DU it is.
      const owners = await makeOwnerSet(db.app, project.id, [user.id]);
      await db.app`update du_plan set actual_end = '{}', plan_owner = array[${owners}::int] where du_id = any(${[own.du, foreign.du]})`;
      const before = await duPrint(db.owner, foreign.du);
      expect((await save(user, own.du)).data).toMatchObject({ saved: 1, rejected: [] });
      expect((await db.owner`select actual_end from du_plan where du_id = ${own.du}`)[0]!.actual_end).toEqual([9783]);
      expect(await save(user, foreign.du)).toMatchObject({ data: { saved: 0, rejected: [{ code: "DU_NOT_FOUND" }] } });
      expect(await duPrint(db.owner, foreign.du)).toEqual(before);
    });
  });
}
