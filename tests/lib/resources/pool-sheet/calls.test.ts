import { beforeAll, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import type { Cell } from "#lib/core/workbook-cell.ts";
import { writeWorkbook } from "#lib/core/workbook-write.ts";
import { type Role, roles } from "#lib/permissions.ts";
import { peoplePerCall } from "#lib/resources/pool/limits.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject, makeResource, makeSubcontractor, makeUser } from "../../../support/factories.ts";
import { importsOf, useFiles } from "../../imports/support.ts";

const db = useDatabase();
useFiles();
let project: { id: number; number: string };
let user: CtxUser;
const tasks = importsOf(db, () => ({ project, user }));

beforeAll(async () => {
  project = await makeProject(db.app);
  user = await makeMember(db.app, project.id, "PM");
});

const columns = ["Account", "Type", "Phone", "Authorised from", "Authorised to", "Visa from", "Visa to", "Skills"];
async function check(rows: Cell[][], options: object = {}) {
  await db.owner`delete from rate_limit`;
  const bytes = await writeWorkbook({ name: "x", columns: columns.map((title) => ({ title })), rows }).toArray();
  const fileId = await tasks.upload("people.xlsx", Buffer.concat(bytes));
  return tasks.preview({ fileId, kind: "resources", options });
}
const outcomes = async (previewId: string) =>
  (await tasks.rows(previewId)).map(({ outcome, problems }) => [outcome, ...problems.map(({ path, code }) => `${path} ${code}`)]);
const personOf = async (account: string) =>
  (
    await db.owner`select r.* from resource r join app_user u on u.id = r.user_id where r.project_id = ${project.id} and u.account = ${account}`
  )[0];

describe("the workbook of people", () => {
  it("brings people in and changes those of the pool, by the rules of the form [RES-18] [RES-19] [RES-21]", async () => {
    const [fresh, known] = [await makeUser(db.app), await makeMember(db.app, project.id, "TL")];
    const preview = await check([
      [fresh.account, "Lease", "86138", "2026-10-01", "2027-10-01", null, null, "Rigging; 5G"],
      [known.account, null, "138,139", null, null, "2026-01-01", "2026-12-31", null],
      ["nobody-here", null, null, null, null, null, null, null],
      [fresh.account, null, null, null, null, null, null, null],
      [user.account, null, "+86", null, null, null, null, null],
      [user.account, null, null, "2026-10-01", "2027-10-02", "2026-05-02", "2026-05-01", null],
    ]);
    expect(await outcomes(preview.id)).toEqual([
      ["new"],
      ["changed"],
      ["rejected", "account ACCOUNT_MISSING"],
      ["rejected", "account REPEATED_IN_FILE"],
      ["rejected", "phone PHONE_FORMAT"],
      ["rejected", "account REPEATED_IN_FILE", "authEnd AUTH_OVER_ONE_YEAR", "visaEnd VISA_ORDER"],
    ]);
    await tasks.apply(preview.id);
    expect(await personOf(fresh.account)).toMatchObject({
      type: "LEASE",
      phone: "86138",
      auth_end: "2027-10-01",
      skills: ["Rigging", "5G"],
      status: "ACTIVE",
    });
    expect(await personOf(known.account)).toMatchObject({ type: "OWN", phone: "138,139", visa_end: "2026-12-31" });
  });

  it("brings in as many people as it may and refuses one more [RES-22]", async () => {
    const people = await Promise.all(Array.from({ length: peoplePerCall + 1 }, () => makeUser(db.app)));
    const preview = await check(people.map(({ account }) => [account, null, null, null, null, null, null, null]));
    const found = await outcomes(preview.id);
    expect(found.filter(([outcome]) => outcome === "new")).toHaveLength(peoplePerCall);
    expect(found.at(-1)).toEqual(["rejected", " TOO_MANY"]);
  });
});

describe("resource/export", () => {
  const askAs = async (role: Role, tab: string) => {
    await db.owner`delete from rate_limit`;
    await db.owner`delete from task where project_id = ${project.id}`;
    user = await makeMember(db.app, project.id, role);
    return tasks.call("resource/export", { tab });
  };
  const granted = async (tab: string): Promise<Role[]> => {
    const open: Role[] = [];
    for (const role of roles) if ((await askAs(role, tab)).status !== 403) open.push(role);
    return open.sort();
  };
  const own = ["CM", "DQA", "HRBP", "PCM", "PD", "PM", "PPM", "SCM", "TD"];

  it("gives each pool to the roles that may have it, asked on the server [RES-38] [RES-39] [RES-40]", async () => {
    expect(await granted("OWN")).toEqual(own);
    expect(await granted("SUBCON")).toEqual([...own, "SUBCON_PM"].sort());
    expect(await granted("CUSTOMER")).toEqual([...own, "CUSTOMER_PM"].sort());
    expect(await granted("ALL_GROUPS")).toEqual(["PCM", "PD", "PM", "PPM"]);
  });

  it("gives a person of a company its people alone, and changes nothing when it is imported again", async () => {
    const company = await makeSubcontractor(db.app, project.id);
    const manager = await makeMember(db.app, project.id, "SUBCON_PM");
    await makeResource(db.app, project.id, manager.id, { subcontractorId: company });
    await makeResource(db.app, project.id, (await makeUser(db.app)).id, { subcontractorId: await makeSubcontractor(db.app, project.id) });
    await db.owner`delete from rate_limit`;
    await db.owner`delete from task where project_id = ${project.id}`;
    user = manager;
    const started = await tasks.call("resource/export", { tab: "SUBCON" });
    const done = await tasks.run(started.data.taskId);
    const [, , ...rows] = await tasks.workbook(done.result_file_id);
    expect(rows.map(([account]) => account)).toEqual([manager.account]);
    user = await makeMember(db.app, project.id, "PM");
    const preview = await tasks.preview({ fileId: done.result_file_id, kind: "resources" });
    expect(await outcomes(preview.id)).toEqual([["unchanged"]]);
  });
});
