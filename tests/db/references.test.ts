import { beforeAll, describe, expect, it, vi } from "vitest";
import { useDatabase } from "../support/database.ts";
import { makeProject, makeUser } from "../support/factories.ts";

const db = useDatabase();
const refused = { code: "23503" };
let own: Awaited<ReturnType<typeof makeOne>>;
let other: Awaited<ReturnType<typeof makeOne>>;

/** A project with a flow, a site and a DU, which has neither a plan row nor a binding yet. */
async function makeOne() {
  const project = await makeProject(db.app);
  const user = await makeUser(db.app);
  const [made] = await db.app<{ du: number; flow: number }[]>`
    with f as (
      insert into activity_flow (project_id, name, status, owner_id, created_by, created_at, updated_by, updated_at)
      values (${project.id}, 'Flow', 'released', ${user.id}, ${user.id}, now(), ${user.id}, now()) returning id
    ), s as (
      insert into customer_site (project_id, code, name) values (${project.id}, 'S', 'S') returning id
    ), d as (
      insert into du (project_id, code, name, site_id) select ${project.id}, 'D', 'D', id from s returning id
    )
    select d.id as du, f.id as flow from d, f`;
  return { project: project.id, user: user.id, du: made!.du, flow: made!.flow };
}

type Binding = Partial<Awaited<ReturnType<typeof makeOne>>>;
const bind = (sql: typeof db.app, change: Binding = {}) => {
  const { project, du, flow, user } = { ...own, ...change };
  return sql`
    insert into du_flow (project_id, du_id, flow_id, flow_version, source, bound_by, bound_at, unbound_at)
    values (${project}, ${du}, ${flow}, 1, 'manual', ${user}, now(), now())`;
};
const plan = ({ project, du }: Binding) => db.app`insert into du_plan (du_id, project_id) values (${du!}, ${project!})`;

beforeAll(async () => {
  [own, other] = [await makeOne(), await makeOne()];
});

describe("what hangs on a DU", () => {
  it("names a DU, a flow and a person that are there, all of one project", async () => {
    await expect(plan({ ...own, du: 999_999 })).rejects.toMatchObject(refused);
    await expect(plan({ ...own, project: other.project })).rejects.toMatchObject(refused);
    for (const change of [{ du: 999_999 }, { flow: 999_999 }, { user: 999_999 }, { du: other.du }, { flow: other.flow }])
      await expect(bind(db.app, change), JSON.stringify(change)).rejects.toMatchObject(refused);
    expect(await db.app`select 1 from du_plan union all select 1 from du_flow`).toHaveLength(0);
  });

  it("stays with what it names, which is not removed", async () => {
    await plan(own);
    await expect(db.owner`delete from du where id = ${own.du}`).rejects.toMatchObject(refused);
    await expect(db.owner`update du_plan set project_id = ${other.project} where du_id = ${own.du}`).rejects.toMatchObject(refused);
    await db.owner`delete from du_plan where du_id = ${own.du}`;
    const binder = await makeUser(db.app);
    await bind(db.app, { user: binder.id });
    for (const column of ["du", "flow"] as const)
      await expect(
        db.owner`update du_flow set ${db.owner(`${column}_id`)} = ${other[column]} where du_id = ${own.du}`,
      ).rejects.toMatchObject(refused);
    await expect(db.owner`delete from du where id = ${own.du}`).rejects.toMatchObject(refused);
    await expect(db.owner`delete from activity_flow where id = ${own.flow}`).rejects.toMatchObject(refused);
    await expect(db.owner`delete from app_user where id = ${binder.id}`).rejects.toMatchObject(refused);
    await db.owner`delete from du_flow where du_id = ${own.du}`;
  });

  it("is waited for by who removes what it names, and found by him", async () => {
    const lone = await makeOne();
    let removing: Promise<unknown> | undefined;
    await db.app.begin(async (sql) => {
      await bind(sql as never, lone);
      removing = db.owner`delete from activity_flow where id = ${lone.flow}`.catch((error) => error);
      await vi.waitFor(async () => expect(await db.owner`select 1 from pg_locks where not granted`).toHaveLength(1), 10_000);
    });
    expect(await removing).toMatchObject(refused);
  });
});

it("rows of a check go with their task", async () => {
  const { project, user } = own;
  const id = "6f1d6f2e-4f0e-4a57-9f4e-0d4c0c7d1d11";
  await db.app`
    insert into task (id, project_id, kind, direction, title, params, status, attempt_limit, origin_key, locale, created_by, created_at)
    values (${id}, ${project}, 'imports.preview', 'import', 'a.xlsx', '{}', 'succeeded', 3, ${id}, 'en', ${user}, now())`;
  await db.app`insert into import_row (task_id, row_no, outcome, "values") values (${id}, 1, 'new', '[]')`;
  await db.app`delete from task where id = ${id}`;
  expect(await db.app`select 1 from import_row where task_id = ${id}`).toHaveLength(0);
});
