import { type Installation, settled } from "./installation.ts";
import { line, median, once } from "./measure.ts";
import { arrayNumbers, arrayText, type PackedRow, writePacked } from "./packed-rows.ts";

const runs = 5;

type Row = { id: number; version: number; state: string; actualEnd: string | null; planOwner: string | null };

/**
 * A rule with a condition that gives every open activity of all DUs another plan owner, its history included, against reading the kinds it needs, computing and
 * writing the same owners with one packed change row per DU.
 */
export async function benchOwners(installation: Installation): Promise<void> {
  const { sql, call, projectId } = installation;
  const flows = await sql<{ id: number }[]>`
    select id from activity_flow where project_id = ${projectId} and draft_of is null and status = 'released'`;
  const people = await sql<{ id: number; account: string }[]>`
    select u.id, u.account from resource r join app_user u on u.id = r.user_id
    where r.project_id = ${projectId} and r.status = 'ACTIVE' and u.active and r.auth_end is null order by u.id limit 2`;
  if (people.length < 2) throw new Error("the pool has nobody to be owner");
  await sql`delete from owner_rule where project_id = ${projectId} and name = 'Bench'`;
  const rule = {
    name: "Bench",
    flowIds: flows.map(({ id }) => id),
    ownerFields: ["PLAN_OWNER"],
    fillMode: "FIXED",
    overwrite: true,
    conditions: [{ object: { k: "DU", f: "code" }, operator: "IS_NOT_EMPTY" }],
  };
  const { id } = await call<{ id: number }>("ownerRule/save", { ...rule, fillValue: { accounts: [people[0]!.account] } });
  await call("ownerRule/enable", { ids: [id], confirm: true });
  // What the bare side writes is somebody else, so that each run of the rule changes every cell back.
  await sql`insert into owner_set (project_id, user_ids) values (${projectId}, ${[people[1]!.id]}) on conflict do nothing`;
  const [other] = await sql<{ id: number }[]>`
    select id from owner_set where project_id = ${projectId} and user_ids = ${[people[1]!.id]}::bigint[]`;
  const times: { product: number[]; bare: number[]; cells: number[] } = { product: [], bare: [], cells: [] };
  for (let run = -1; run < runs; run++) {
    const product = await once(async () => {
      const { taskId } = await call<{ taskId: string }>("ownerRule/run", { ruleIds: [id] });
      await settled(installation, taskId);
    });
    const [done] = await sql<{ cells: number }[]>`
      select changed_count as cells from rule_run where project_id = ${projectId} and kind = 'OWNER' order by id desc limit 1`;
    const bare = await once(() => giveOwner(sql, projectId, other!.id));
    if (run < 0) continue;
    times.product.push(product);
    times.bare.push(bare);
    times.cells.push(done!.cells);
  }
  await call("ownerRule/delete", { ids: [id] });
  line(`owner rules over all activities: ${median(times.cells)}`, median(times.product), median(times.bare), "ms", "≤ 3");
}

/** Reads the owners of all DUs, gives every open activity another one and writes them back with a packed change row per DU. */
async function giveOwner(sql: Installation["sql"], projectId: number, set: number): Promise<void> {
  await sql.begin(async (tx) => {
    const rows = await tx<Row[]>`
      select p.du_id as id, p.row_version as version, p.state::text as state, p.actual_end::text as "actualEnd", p.plan_owner::text as "planOwner"
      from du_plan p where p.project_id = ${projectId} order by p.du_id for no key update`;
    const changed = rows.flatMap(({ id, version, state, actualEnd, planOwner }): PackedRow[] => {
      const [states, ends, owners] = [arrayNumbers(state), arrayNumbers(actualEnd), arrayNumbers(planOwner)];
      const cells: number[] = [];
      const old: number[] = [];
      for (let slot = 0; slot < states.length; slot++) {
        const bits = states[slot]!;
        // In the flow, neither NA nor INV, not frozen, not closed, without actual end.
        if ((bits & 7) !== 1 || (bits & (1 << 4)) !== 0 || (bits & (1 << 6)) !== 0 || (ends[slot] ?? 0) !== 0) continue;
        if ((owners[slot] ?? 0) === set) continue;
        cells.push(slot * 16 + 26);
        old.push(owners[slot] ?? 0);
        while (owners.length <= slot) owners.push(0);
        owners[slot] = set;
      }
      return cells.length === 0 ? [] : [{ id, version, kinds: { plan_owner: arrayText(owners) }, cells, old, now: cells.map(() => set) }];
    });
    await writePacked(tx as never, projectId, { plan_owner: "int" }, changed);
  });
}
