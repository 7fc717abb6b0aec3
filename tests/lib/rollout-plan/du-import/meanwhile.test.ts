import { beforeAll, expect, it, vi } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
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
