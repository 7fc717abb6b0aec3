import { beforeEach, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { locales } from "#lib/core/locale.ts";
import type { Cell } from "#lib/core/workbook-cell.ts";
import { writeWorkbook } from "#lib/core/workbook-write.ts";
import { useDatabase } from "../../../support/database.ts";
import { grantRole, makeMember, makeProject, makeUser } from "../../../support/factories.ts";
import { importsOf, useFiles } from "../../imports/support.ts";

const db = useDatabase();
useFiles();
let project: { id: number; number: string };
let pm: CtxUser;
let user: CtxUser;
const tasks = importsOf(db, () => ({ project, user }));

beforeEach(async () => {
  await db.owner`delete from rate_limit`;
  project = await makeProject(db.app);
  pm = await makeMember(db.app, project.id, "PM");
  user = pm;
});

const rolesOf = (account: string) =>
  db.owner`
    select m.role, m.valid_from, m.valid_to, m.row_version, m.granted_by from project_member m join app_user u on u.id = m.user_id
    where m.project_id = ${project.id} and u.account = ${account} order by m.role`;
const bytesOf = async (heads: string[], rows: Cell[][]) =>
  Buffer.concat(await writeWorkbook({ name: "x", columns: heads.map((title) => ({ title })), rows }).toArray());
const heads = ["Account", "Role", "Valid from", "Valid to"];
async function check(rows: Cell[][], options: object = {}, columns = heads) {
  const fileId = await tasks.upload("members.xlsx", await bytesOf(columns, rows));
  return tasks.preview({ fileId, kind: "members", options });
}
/** Outcome of each row with the codes and columns of what is wrong about it. */
const outcomes = async (previewId: string) =>
  (await tasks.rows(previewId)).map(({ outcome, problems }) => [outcome, ...problems.map(({ path, code }) => `${path} ${code}`)]);

async function exported(lang: (typeof locales)[number] = "en") {
  const started = await tasks.call("memberRole/export", {}, { locale: lang });
  if (started.status !== 200) throw new Error(JSON.stringify(started));
  return tasks.run(started.data.taskId);
}

/** The exported workbook with some of its cells replaced, by row and key. */
async function edited(done: { result_file_id: string }, changes: [account: string, key: string, value: Cell][]): Promise<string> {
  const [keys, titles, ...rows] = await tasks.workbook(done.result_file_id);
  for (const [account, key, value] of changes) rows.find((row) => row[0] === account)![keys!.indexOf(key)] = value;
  const stream = writeWorkbook({
    name: "x",
    columns: keys!.map((key, at) => ({ key: String(key), title: String(titles![at] ?? "") })),
    rows: rows.map((row) => keys!.map((_, at) => row[at] ?? null)),
    meta: { project: project.number, kind: "members", version: 1 },
  });
  return tasks.upload("edited.xlsx", Buffer.concat(await stream.toArray()));
}

describe("the workbook of members", () => {
  it.each(locales)("changes nothing when it is imported again, exported in %s, whatever empty cells mean", async (lang) => {
    const account = `=cmd${project.id}`;
    await db.app`insert into app_user (account, name, email, country) values (${account}, '@name', '-x@example.com', 'CN')`;
    const [odd] = await db.app<{ id: number }[]>`select id from app_user where account = ${account}`;
    await grantRole(db.app, project.id, odd!.id, "SITE_OWNER");
    await grantRole(db.app, project.id, odd!.id, "SUBCON_PM", "2026-10-20");
    await grantRole(db.app, project.id, odd!.id, "TL", "9999-12-31");
    const off = await makeMember(db.app, project.id, "CM");
    await db.app`update app_user set active = false where id = ${off.id}`;
    const past = await makeMember(db.app, project.id, "DQA");
    await db.app`update project_member set valid_from = '1999-01-01', valid_to = '1999-12-31' where user_id = ${past.id}`;
    const done = await exported(lang);
    expect(done).toMatchObject({ status: "succeeded", done_count: 6 });
    const before = await db.owner`select * from project_member where project_id = ${project.id} order by id`;
    for (const locale of locales) {
      const options = { blanks: locale === lang ? "clear" : "keep" };
      const preview = await tasks.preview({ fileId: done.result_file_id, kind: "members", options }, { locale });
      expect([preview.status, preview.result?.counts, await outcomes(preview.id)]).toEqual([
        "succeeded",
        { new: 0, changed: 0, unchanged: 6, conflict: 0, rejected: 0 },
        Array.from({ length: 6 }, () => ["unchanged"]),
      ]);
      expect(await tasks.apply(preview.id)).toMatchObject({ code: "NOTHING_MODIFIED" });
    }
    expect(await db.owner`select * from project_member where project_id = ${project.id} order by id`).toEqual(before);
  });

  it("shows who a row is, keeps its mark out of sight, and holds formulas as text", async () => {
    const account = `+fx${project.id}`;
    const [odd] = await db.app<{ id: number }[]>`
      insert into app_user (account, name, email, country) values (${account}, '=1+1', 'x@example.com', 'CN') returning id`;
    await grantRole(db.app, project.id, odd!.id, "SUBCON_PM", "2026-10-20");
    const done = await exported();
    const [keys, titles, ...rows] = await tasks.workbook(done.result_file_id);
    expect(keys).toEqual(["account", "name", "email", "kind", "role", "from", "to", "state", "rowMark"]);
    expect(titles).toEqual(["Account", "Name", "E-mail", "Kind", "Role", "Valid from", "Valid to", "State"]);
    const row = rows.find((one) => one[0] === account)!;
    expect(row.slice(1, 8)).toEqual([
      "=1+1",
      "x@example.com",
      "Employee",
      "SUBCON PM",
      { d: "2026-01-01" },
      { d: "2026-10-20" },
      "Ends soon",
    ]);
    const opened = await tasks.call("import/open", { fileId: done.result_file_id, kind: "members" });
    expect(opened.data.columns.at(-1)).toMatchObject({ hidden: true });
    expect(opened.data.fields.map(({ key }: { key: string }) => key)).toEqual(["account", "role", "from", "to"]);
  });

  it("holds at most 2,000 roles [OPS-10], and is not made of nobody [OPS-12]", async () => {
    await db.app`
      with u as (insert into app_user (account, name, email, country) select ${`p${project.id}-`} || n, 'x', 'x@example.com', 'CN' from generate_series(1, 2000) n returning id)
      insert into project_member (project_id, user_id, role, valid_from, granted_at) select ${project.id}, id, 'TL', '2026-01-01', now() from u`;
    const call = (role: string) => tasks.call("memberRole/export", { filters: [{ field: "role", type: "in", values: [role] }] });
    expect((await call("TL")).status).toBe(200);
    expect(await tasks.call("memberRole/export", {})).toMatchObject({
      code: "EXPORT_LIMIT",
      msg: "The export has 2,001 rows, at most 2,000",
    });
    expect(await call("CM")).toMatchObject({ code: "NO_DATA" });
  });
});

describe("an import of members", () => {
  it("gives roles, changes validities, gives ended roles anew, and leaves out what the file leaves out", async () => {
    const [fresh, held, ended] = [await makeUser(db.app), await makeMember(db.app, project.id, "TL"), await makeUser(db.app)];
    await grantRole(db.app, project.id, ended.id, "PCM", "2026-10-13");
    await db.app`update project_member set granted_by = ${ended.id} where user_id in (${ended.id}, ${held.id})`;
    const done = await check([
      [fresh.account.toUpperCase(), "subcon pm", { d: "2026-10-01" }, { d: "2026-12-31" }],
      [held.account, "TL", null, "2026-11-30"],
      [ended.account, "PCM", "2026-10-14", null],
      [pm.account, "PM", "2026-01-01", null],
    ]);
    expect(await outcomes(done.id)).toEqual([["new"], ["changed"], ["changed"], ["unchanged"]]);
    const [, second] = await tasks.rows(done.id);
    expect(second?.cells.to).toMatchObject({ old: "", next: "2026-11-30" });
    expect(await rolesOf(fresh.account)).toEqual([]);
    expect(await tasks.apply(done.id)).toMatchObject({ status: "succeeded", done_count: 3, failed_count: 0 });
    const roles = [...(await rolesOf(fresh.account)), ...(await rolesOf(held.account)), ...(await rolesOf(ended.account))];
    expect(roles).toEqual([
      { role: "SUBCON_PM", valid_from: "2026-10-01", valid_to: "2026-12-31", row_version: 1, granted_by: pm.id },
      { role: "TL", valid_from: "2026-01-01", valid_to: "2026-11-30", row_version: 2, granted_by: ended.id },
      { role: "PCM", valid_from: "2026-10-14", valid_to: null, row_version: 2, granted_by: pm.id },
    ]);
    const audits = await db.owner`
      select event, actor_id, detail from audit_log where project_id = ${project.id} and object = ${`role TL of ${held.account}`}`;
    expect(audits).toMatchObject([
      {
        event: "config_changed",
        actor_id: pm.id,
        detail: {
          before: { validFrom: "2026-01-01", validTo: null },
          after: { validFrom: "2026-01-01", validTo: "2026-11-30" },
        },
      },
    ]);
  });

  it("takes an empty last day as it is asked to: the day stays, or the role has no end", async () => {
    const held = await makeUser(db.app);
    await grantRole(db.app, project.id, held.id, "TL", "2026-12-31");
    const rows: Cell[][] = [[held.account, "TL", null, null]];
    expect(await outcomes((await check(rows)).id)).toEqual([["unchanged"]]);
    // A file without the column says nothing about it.
    expect(await outcomes((await check([[held.account, "TL"]], { blanks: "clear" }, heads.slice(0, 2))).id)).toEqual([["unchanged"]]);
    const cleared = await check(rows, { blanks: "clear" });
    expect(await tasks.apply(cleared.id)).toMatchObject({ status: "succeeded", done_count: 1 });
    expect(await rolesOf(held.account)).toMatchObject([{ valid_from: "2026-01-01", valid_to: null }]);
  });

  it("names row and column of everything it refuses, writes the rest, and gives the refused rows back", async () => {
    const [off, fresh] = [await makeUser(db.app, { active: false }), await makeUser(db.app)];
    const done = await check([
      ["nobody.here", "TL", "2026-10-01", null],
      [off.account, "TL", "2026-10-01", null],
      [null, "TL", "2026-10-01", null],
      [fresh.account, "BOSS", "2026-10-01", null],
      [fresh.account, null, "2026-10-01", null],
      [fresh.account, "SITE OWNER", "2026-10-01", null],
      [fresh.account, "CM", "soon", null],
      [fresh.account, "CM", null, null],
      [fresh.account, "TL", "2026-10-02", "2026-10-01"],
      [fresh.account, "PPM", "2026-10-01", "2026-10-01"],
      [fresh.account, "PPM", "2026-10-05", null],
      [fresh.account, "DQA", "#REF!", null],
    ]);
    expect(await outcomes(done.id)).toEqual([
      ["rejected", "account ACCOUNT_MISSING"],
      ["rejected", "account ACCOUNT_MISSING"],
      ["rejected", "account VALUE_MISSING"],
      ["rejected", "role VALUE_UNKNOWN"],
      ["rejected", "role VALUE_MISSING"],
      ["rejected", "role ROLE_DERIVED"],
      ["rejected", "from DATE_FORMAT"],
      ["rejected", "role REPEATED_IN_FILE", "from VALUE_MISSING"],
      ["rejected", "to DATE_ORDER"],
      ["new"],
      ["rejected", "role REPEATED_IN_FILE"],
      ["rejected", "from CELL_ERROR"],
    ]);
    const rows = await tasks.rows(done.id);
    expect([rows[0]?.no, rows[0]?.problems[0]?.msg, rows[5]?.problems[0]?.msg]).toEqual([
      2,
      "There is no account nobody.here",
      "SITE OWNER follows from ownership and is not given by hand",
    ]);
    expect(await tasks.call("import/apply", { taskId: done.id, mode: "all" })).toMatchObject({ code: "IMPORT_REJECTED" });
    const applied = await tasks.apply(done.id);
    expect(applied).toMatchObject({ status: "partial", done_count: 1, failed_count: 11 });
    expect(await rolesOf(fresh.account)).toMatchObject([{ role: "PPM" }]);
    const refused = await tasks.workbook(applied.error_file_id);
    expect([refused.length, refused[1]?.slice(0, 3)]).toEqual([12, ["Account: There is no account nobody.here", "nobody.here", "TL"]]);
  });

  it("keeps the last valid manager, whoever of them the file would end, and lets a successor take over", async () => {
    const [second, heir] = [await makeMember(db.app, project.id, "PM"), await makeUser(db.app)];
    const end = (account: string): Cell[] => [account, "PM", null, "2026-10-13"];
    const both = await check([end(pm.account), end(second.account), [heir.account, "TL", "2026-10-14", null]]);
    expect(await outcomes(both.id)).toEqual([["rejected", "to LAST_PM"], ["rejected", "to LAST_PM"], ["new"]]);
    const future = await check([end(pm.account), end(second.account), [heir.account, "PM", "2026-10-15", null]]);
    expect((await outcomes(future.id)).slice(0, 2)).toEqual([
      ["rejected", "to LAST_PM"],
      ["rejected", "to LAST_PM"],
    ]);
    const one = await check([end(second.account)]);
    expect(await outcomes(one.id)).toEqual([["changed"]]);
    const handed = await check([end(pm.account), end(second.account), [heir.account, "PM", "2026-10-14", null]]);
    expect(await outcomes(handed.id)).toEqual([["changed"], ["changed"], ["new"]]);
    // Picked without their successor, the two are refused at the write.
    expect(await tasks.apply(handed.id, { rows: [2, 3] })).toMatchObject({ status: "failed", done_count: 0, failed_count: 2 });
    // After the check somebody else ended the other manager.
    await db.app`update project_member set valid_to = '2026-10-13' where project_id = ${project.id} and user_id = ${pm.id}`;
    user = second;
    const late = await db.owner`update task set created_by = ${second.id} where id = ${one.id} returning id`;
    expect(late).toHaveLength(1);
    expect(await tasks.apply(one.id)).toMatchObject({ status: "failed", done_count: 0, failed_count: 1 });
    expect(await rolesOf(second.account)).toMatchObject([{ role: "PM", valid_to: null }]);
  });

  it("refuses a row that somebody else changed since the export, and only where it asks for a change", async () => {
    const [moved, same] = [await makeMember(db.app, project.id, "TL"), await makeMember(db.app, project.id, "CM")];
    const done = await exported();
    await db.app`
      update project_member set valid_to = '2027-01-31', row_version = row_version + 1 where project_id = ${project.id} and user_id in (${moved.id}, ${same.id})`;
    await db.app`update project_member set valid_to = null where user_id = ${same.id}`;
    const fileId = await edited(done, [[moved.account, "to", { d: "2026-12-31" }]]);
    const preview = await tasks.preview({ fileId, kind: "members" });
    const byAccount = new Map((await tasks.rows(preview.id)).map((row) => [row.cells.account?.text, row]));
    expect([byAccount.get(moved.account)?.problems.map(({ code }) => code), byAccount.get(same.account)?.outcome]).toEqual([
      ["STALE"],
      "unchanged",
    ]);
  });

  it("refuses at the write what was changed after the check", async () => {
    const held = await makeMember(db.app, project.id, "TL");
    const fileId = await edited(await exported(), [[held.account, "to", { d: "2026-12-31" }]]);
    const preview = await tasks.preview({ fileId, kind: "members" });
    expect(preview.result.counts).toMatchObject({ changed: 1, unchanged: 1 });
    await db.app`update project_member set valid_to = '2027-01-31', row_version = 2 where project_id = ${project.id} and user_id = ${held.id}`;
    expect(await tasks.apply(preview.id)).toMatchObject({ status: "failed", failed_count: 1 });
    expect(await rolesOf(held.account)).toMatchObject([{ valid_to: "2027-01-31" }]);
  });

  it("takes 2,000 rows and refuses each further one", { timeout: 60_000 }, async () => {
    await db.app`
      insert into app_user (account, name, email, country) select ${`q${project.id}-`} || n, 'x', 'x@example.com', 'CN' from generate_series(1, 2001) n`;
    const rows = Array.from({ length: 2001 }, (_, at): Cell[] => [`q${project.id}-${at + 1}`, "TL", "2026-10-01", null]);
    const done = await check(rows);
    expect(done.result.counts).toMatchObject({ new: 2000, rejected: 1 });
    expect(done.result.reasons).toEqual([{ code: "TOO_MANY", count: 1 }]);
    expect(await tasks.apply(done.id)).toMatchObject({ status: "partial", done_count: 2000, failed_count: 1 });
  });

  it("needs role.assign, at the check and at the application", async () => {
    const fresh = await makeUser(db.app);
    const done = await check([[fresh.account, "TL", "2026-10-01", null]]);
    user = await makeMember(db.app, project.id, "PCM");
    const fileId = await tasks.upload("members.xlsx", await bytesOf(heads, [[fresh.account, "TL", "2026-10-01", null]]));
    expect(await tasks.call("import/preview", { fileId, kind: "members" })).toMatchObject({ status: 403, code: "NO_PERMISSION" });
    expect((await tasks.call("import/kinds")).data.kinds.map(({ kind }: { kind: string }) => kind)).not.toContain("members");
    // PCM may import DUs, and so may apply; not this.
    expect((await tasks.call("import/apply", { taskId: done.id })).status).toBe(404);
    await db.owner`update task set created_by = ${user.id} where id = ${done.id}`;
    expect(await tasks.call("import/apply", { taskId: done.id })).toMatchObject({ status: 403, code: "NO_PERMISSION" });
    expect(await rolesOf(fresh.account)).toEqual([]);
  });
});
