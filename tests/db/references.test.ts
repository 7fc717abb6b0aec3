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
  const [made] = await db.app<{ du: number; site: number; flow: number }[]>`
    with f as (
      insert into activity_flow (project_id, name, status, owner_id, created_by, created_at, updated_by, updated_at)
      values (${project.id}, 'Flow', 'released', ${user.id}, ${user.id}, now(), ${user.id}, now()) returning id
    ), s as (
      insert into customer_site (project_id, code, name) values (${project.id}, 'S', 'S') returning id
    ), d as (
      insert into du (project_id, code, name, site_id) select ${project.id}, 'D', 'D', id from s returning id
    )
    select d.id as du, s.id as site, f.id as flow from d, s, f`;
  return { project: project.id, user: user.id, ...made! };
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

describe("what became of a DU in a run of rules", () => {
  const makeRun = async ({ project }: Binding) => {
    const [run] = await db.app<{ id: number }[]>`
      insert into rule_run (project_id, mode, kind, rule_ids, started_at) values (${project!}, 'PREVIEW', 'PLAN', '{}', now()) returning id`;
    return run!.id;
  };
  const keep = (run: number, { project, du }: Binding) => db.app`
    insert into rule_run_change (run_id, project_id, du_id, target, rule, outcome, old_value, new_value)
    values (${run}, ${project!}, ${du!}, '{0}', '{0}', '{0}', '{1}', '{2}')`;

  it("names a run and a DU that are there, all of one project", async () => {
    const [run, strange] = [await makeRun(own), await makeRun(other)];
    await expect(keep(999_999, own)).rejects.toMatchObject(refused);
    await expect(keep(strange, own)).rejects.toMatchObject(refused);
    await expect(keep(run, { ...own, du: 999_999 })).rejects.toMatchObject(refused);
    await expect(keep(run, { ...own, du: other.du })).rejects.toMatchObject(refused);
    await expect(keep(run, { ...own, project: other.project })).rejects.toMatchObject(refused);
    expect(await db.app`select 1 from rule_run_change`).toHaveLength(0);
  });

  it("stays with its run and its DU, which is not removed, and goes with the run", async () => {
    const [run, later] = [await makeRun(own), await makeRun(own)];
    await keep(run, own);
    await keep(later, own);
    for (const change of [{ run_id: later }, { du_id: other.du }, { project_id: other.project }])
      await expect(db.owner`update rule_run_change set ${db.owner(change as never)} where run_id = ${run}`).rejects.toMatchObject(refused);
    await expect(db.owner`delete from du where id = ${own.du}`).rejects.toMatchObject(refused);
    await db.app`delete from rule_run where id = ${run}`;
    expect(await db.app`select run_id from rule_run_change`).toEqual([{ run_id: later }]);
    await db.app`delete from rule_run where id = ${later}`;
  });
});

describe("a DU and its site", () => {
  const move = (du: number, site: number) => db.app`update du set site_id = ${site} where id = ${du}`;
  const addDu = (project: number, site: number) =>
    db.app`insert into du (project_id, code, name, site_id) values (${project}, ${`D ${site}`}, 'D', ${site})`;
  const addSite = (project: number) =>
    db.app`insert into customer_site (project_id, code, name) values (${project}, 'Lone', 'S') returning id`;

  it("are of one project, which is there", async () => {
    await expect(addDu(own.project, 999_999)).rejects.toMatchObject(refused);
    await expect(addDu(own.project, other.site)).rejects.toMatchObject(refused);
    await expect(addSite(999_999)).rejects.toMatchObject(refused);
    await expect(move(own.du, other.site)).rejects.toMatchObject(refused);
    await expect(move(own.du, 999_999)).rejects.toMatchObject(refused);
    for (const table of ["du", "customer_site"])
      await expect(
        db.owner`update ${db.owner(table)} set project_id = ${other.project} where project_id = ${own.project}`,
        table,
      ).rejects.toMatchObject(refused);
  });

  it("keeps the site as long as the DU names it, and the project as long as either does", async () => {
    await expect(db.owner`delete from customer_site where id = ${own.site}`).rejects.toMatchObject(refused);
    const [site] = await addSite(own.project);
    await move(own.du, site!.id);
    await expect(db.owner`delete from customer_site where id = ${site!.id}`).rejects.toMatchObject(refused);
    await move(own.du, own.site);
    await db.owner`delete from customer_site where id = ${site!.id}`;
    const { id } = await makeProject(db.app);
    const [last] = await addSite(id);
    for (const table of ["plan_seq", "rollout_plan"]) await db.owner`delete from ${db.owner(table)} where project_id = ${id}`;
    await expect(db.owner`delete from project where id = ${id}`).rejects.toThrow("customer_site.project_id still names");
    await db.owner`delete from customer_site where id = ${last!.id}`;
    await db.owner`delete from project where id = ${id}`;
  });

  it("is waited for by who removes the site", async () => {
    const lone = await makeOne();
    await db.owner`delete from du where id = ${lone.du}`;
    let removing: Promise<unknown> | undefined;
    await db.app.begin(async (sql) => {
      await sql`insert into du (project_id, code, name, site_id) values (${lone.project}, 'D', 'D', ${lone.site})`;
      removing = db.owner`delete from customer_site where id = ${lone.site}`.catch((error) => error);
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
