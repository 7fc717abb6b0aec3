import { beforeAll, describe, expect, it, vi } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { takeRun } from "#lib/imports/preview/commands.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject } from "../../../support/factories.ts";
import { importsOf, useFiles } from "../../imports/support.ts";

const db = useDatabase();
useFiles();
let project: { id: number; number: string };
let pm: CtxUser;
const imports = importsOf(db, () => ({ project, user: pm }));

beforeAll(async () => {
  project = await makeProject(db.app);
  pm = await makeMember(db.app, project.id, "PM");
  await db.owner`insert into delivery_region (project_id, name) values (${project.id}, 'North'), (${project.id}, 'South')`;
});

it("an application of DUs looks again when somebody makes one of its DUs and sites while it writes", async () => {
  const fileId = await imports.upload("dus.csv", "DU ID,DU name\nMW-1,From the file\nMW-2,From the file\n");
  const done = await imports.preview({ fileId, kind: "dus" });
  const applied = await db.owner.begin(async (sql) => {
    await sql`
      with s as (insert into customer_site (project_id, code, name) values (${project.id}, 'MW-1', 'Theirs') returning id),
        d as (insert into du (project_id, code, name, site_id) select ${project.id}, 'MW-1', 'Theirs', id from s returning id)
      insert into du_plan (du_id, project_id) select id, ${project.id} from d`;
    const applying = imports.apply(done.id);
    // It waits for the code that is taken and not yet committed.
    await vi.waitFor(async () => expect((await db.owner`select 1 from pg_locks where not granted`).length).toBe(1), 20_000);
    return { applying };
  });
  expect(await applied.applying).toMatchObject({ status: "succeeded", done_count: 2 });
  expect(
    await db.owner`select du.code, du.name, s.code as site from du join customer_site s on s.id = du.site_id where du.code like 'MW-%' order by du.code`,
  ).toEqual([
    { code: "MW-1", name: "From the file", site: "MW-1" },
    { code: "MW-2", name: "From the file", site: "MW-2" },
  ]);
});

describe.each([
  ["the worker that checked it", () => {}],
  ["another worker", (previewId: string) => void takeRun(previewId)],
])("an application of DUs by %s", (who, leave) => {
  const prefix = who === "another worker" ? "MA" : "MS";
  const check = (rows: string[]) =>
    imports
      .upload("dus.csv", ["DU ID,DU name,Region", ...rows.map((row) => `${prefix}-${row}`)].join("\n"))
      .then((fileId) => imports.preview({ fileId, kind: "dus" }));
  const written = (code: string) =>
    db.owner`select du.name, r.name as region, du.row_version as version from du left join delivery_region r on r.id = du.region_id where du.code = ${`${prefix}-${code}`}`;

  it("writes what was checked", async () => {
    const done = await check(["1,First,North"]);
    leave(done.id);
    expect(await imports.apply(done.id)).toMatchObject({ status: "succeeded", done_count: 1 });
    expect(await written("1")).toEqual([{ name: "First", region: "North", version: 1 }]);
  });

  it("changes a DU that somebody has made since the check", async () => {
    const done = await check(["2,From the file,North"]);
    await db.owner`
      with s as (insert into customer_site (project_id, code, name) values (${project.id}, ${`${prefix}-2`}, 'Theirs') returning id),
        d as (insert into du (project_id, code, name, site_id) select ${project.id}, ${`${prefix}-2`}, 'Theirs', id from s returning id)
      insert into du_plan (du_id, project_id) select id, ${project.id} from d`;
    leave(done.id);
    expect(await imports.apply(done.id)).toMatchObject({ status: "succeeded", done_count: 1 });
    expect(await written("2")).toEqual([{ name: "From the file", region: "North", version: 2 }]);
  });

  it("leaves alone what a DU has become since the check where the file says the same", async () => {
    await check(["3,Before,North"]).then((done) => imports.apply(done.id));
    const done = await check(["3,After,North", "4,Other,North"]);
    await db.owner`update du set name = 'After', row_version = row_version + 1 where code = ${`${prefix}-3`}`;
    leave(done.id);
    expect(await imports.apply(done.id)).toMatchObject({ status: "succeeded", done_count: 1 });
    expect(await written("3")).toEqual([{ name: "After", region: "North", version: 2 }]);
  });

  it("refuses a region that has gone out of use since the check, and takes one of the same name that came", async () => {
    const done = await check(["5,Gone,South"]);
    leave(done.id);
    await db.owner`update delivery_region set name = ${`Once ${prefix}`} where project_id = ${project.id} and name = 'South'`;
    expect(await imports.apply(done.id, { mode: "valid" })).toMatchObject({ status: "failed", failed_count: 1 });
    const again = await check(["5,Moved,North"]);
    leave(again.id);
    await db.owner`update delivery_region set name = ${`North ${prefix}`} where project_id = ${project.id} and name = 'North'`;
    const [region] = await db.owner`insert into delivery_region (project_id, name) values (${project.id}, 'North') returning id`;
    await imports.apply(again.id);
    expect(await db.owner`select region_id as id from du where code = ${`${prefix}-5`}`).toEqual([region]);
    await db.owner`insert into delivery_region (project_id, name) values (${project.id}, 'South')`;
  });
});
