import type { Sql } from "#db/client.ts";
import { takeIds } from "#db/ids.ts";
import { dayNumber, projectToday } from "#lib/core/clock.ts";
import { seedAccounts } from "./accounts.ts";
import { arrayText, copyRows } from "./copy.ts";
import { type SeedActivity, seedFlow } from "./flows.ts";
import { named, nameText } from "./names.ts";
import { between, makeRandom, pick } from "./random.ts";

const duCount = 10_000;
const slotCount = 120;
const inFlow = 60;
const attributeCount = 100;

const inAll = (text: string) => named(text, text);

const flowActivity = (index: number, step: number): SeedActivity => ({
  code: `A${String(index).padStart(3, "0")}`,
  name: inAll(`Activity ${index}`),
  kind: index === 31 ? "ic" : index === 91 ? "decom" : "normal",
  lead: (step % 6) + 1,
  after: step === 0 ? [] : [`A${String(index - 2).padStart(3, "0")} FS ${step % 3}`],
  anchor: step === Math.floor(inFlow / 2),
});

/**
 * Makes the project LARGE for measuring: 10,000 DUs × 120 slots (60 in flow, two flows of alternate slots) × 6 dates and 100 attributes.
 * @returns a line that says what was made
 */
export async function seedLarge(sql: Sql, now: Date): Promise<string> {
  const [exists] = await sql`select 1 from project where number = 'LARGE'`;
  if (exists) return "The large project is there already";
  const today = projectToday(now, 0);
  const [project] = await sql<{ id: number }[]>`
    insert into project (number, name, country, hosting_country, datacenter) values ('LARGE', 'Large measuring project', 'CN', 'CN', 'cn-south-1') returning id`;
  const projectId = project!.id;
  await sql`insert into plan_seq (project_id) values (${projectId})`;
  const users = await seedAccounts(sql, projectId, today, now);
  const pm = users.get("pm")!;
  const regions = await sql<{ id: number }[]>`
    insert into delivery_region ${sql(Array.from({ length: 20 }, (_, index) => ({ project_id: projectId, name: `Region ${index + 1}`, sort_no: index + 1 })))} returning id`;
  const companies = await sql<{ id: number }[]>`
    insert into subcontractor ${sql(Array.from({ length: 10 }, (_, index) => ({ project_id: projectId, code: `C${index}`, name: `Company ${index}` })))} returning id`;
  await sql`insert into work_calendar (project_id, name) values (${projectId}, 'Standard')`;
  await sql`insert into attribute ${sql(
    Array.from({ length: attributeCount }, (_, index) => ({
      project_id: projectId,
      key: `a${index + 1}`,
      name: `Attribute ${index + 1}`,
      type: index % 5 === 0 ? "NUMBER" : "TEXT",
      in_rollout_plan: true,
      sort_no: index + 1,
      visible_customer: true,
      visible_subcon: true,
      editable_subcon: true,
    })) as never,
  )}`;
  // All slots are put into the library first, in order, so that each flow takes every second one.
  const library = Array.from({ length: slotCount }, (_, index) => flowActivity(index + 1, Math.floor(index / 2)));
  await sql`insert into activity_library ${sql(
    library.map(({ code, name, kind }, index) => ({
      project_id: projectId,
      slot: index + 1,
      code,
      name: nameText(name),
      kind: kind ?? "normal",
    })) as never,
  )}`;
  const flows = [
    await seedFlow(
      sql,
      projectId,
      pm,
      inAll("Flow odd"),
      library.filter((_, index) => index % 2 === 0),
      now,
    ),
    await seedFlow(
      sql,
      projectId,
      pm,
      inAll("Flow even"),
      library.filter((_, index) => index % 2 === 1),
      now,
    ),
  ];
  const sets = await sql<{ id: number }[]>`
    insert into owner_set ${sql([...users.values()].map((id) => ({ project_id: projectId, user_ids: [id] })) as never)} returning id`;

  const random = makeRandom(10_000);
  const day = dayNumber(today);
  const siteIds = await takeIds(sql, "customer_site", duCount);
  const duIds = await takeIds(sql, "du", duCount);
  const siteId = (index: number) => siteIds[index]!;
  const duId = (index: number) => duIds[index]!;
  const indexes = Array.from({ length: duCount }, (_, index) => index);
  const code = (index: number) => `DU-${String(index + 1).padStart(5, "0")}`;
  await copyRows(
    sql,
    "customer_site",
    ["id", "project_id", "code", "name", "city", "longitude", "latitude"],
    indexes.map((index) => [
      siteId(index),
      projectId,
      `S-${code(index)}`,
      `Site ${index + 1}`,
      `City ${index % 200}`,
      100 + random() * 20,
      20 + random() * 20,
    ]),
  );
  await copyRows(
    sql,
    "du",
    ["id", "project_id", "code", "name", "site_id", "region_id", "subcontractor_id", "ext"],
    indexes.map((index) => [
      duId(index),
      projectId,
      code(index),
      `Delivery unit ${index + 1}`,
      siteId(index),
      pick(random, regions).id,
      pick(random, companies).id,
      ext(random),
    ]),
  );
  await copyRows(
    sql,
    "du_flow",
    ["project_id", "du_id", "flow_id", "flow_version", "source", "bound_by", "bound_at"],
    indexes.map((index) => [projectId, duId(index), flows[index % 2]!.id, 1, "manual", pm, now.toISOString()]),
  );
  await copyRows(
    sql,
    "du_plan",
    [
      "du_id",
      "project_id",
      "plan_start",
      "plan_end",
      "actual_start",
      "actual_end",
      "baseline_start",
      "baseline_end",
      "state",
      "plan_owner",
      "actual_owner",
      "last_plan_end",
      "next_plan_end",
      "done_count",
      "applicable_count",
    ],
    indexes.map((index) => [
      duId(index),
      projectId,
      ...plan(
        random,
        day,
        index % 2,
        sets.map(({ id }) => id),
      ),
    ]),
  );
  return `Large project LARGE: ${duCount} DUs × ${inFlow} of ${slotCount} activities × 6 dates, ${attributeCount} attributes`;
}

function ext(random: () => number): string {
  const values: Record<string, string> = {};
  for (let key = 1; key <= attributeCount; key++)
    values[`a${key}`] = key % 5 === 1 ? String(between(random, 1, 9999)) : `value ${between(random, 1, 50)}`;
  return JSON.stringify(values);
}

function plan(random: () => number, today: number, parity: number, owners: number[]): (string | number | null)[] {
  const columns = Array.from({ length: 9 }, () => new Array<number>(slotCount).fill(0)) as number[][];
  const [planStart, planEnd, actualStart, actualEnd, baseStart, baseEnd, state, planOwner, actualOwner] = columns as [
    number[],
    number[],
    number[],
    number[],
    number[],
    number[],
    number[],
    number[],
    number[],
  ];
  let cursor = today - between(random, 0, 300);
  let done = 0;
  let next = 0;
  const owner = pick(random, owners);
  for (let slot = parity; slot < slotCount; slot += 2) {
    const length = between(random, 0, 8);
    planStart[slot] = cursor;
    planEnd[slot] = cursor + length;
    baseStart[slot] = cursor - between(random, 0, 10);
    baseEnd[slot] = baseStart[slot]! + length;
    state[slot] = 1 | (7 << 7);
    planOwner[slot] = owner;
    actualOwner[slot] = owner;
    if (cursor + length < today - 3 && next === 0) {
      actualStart[slot] = cursor;
      actualEnd[slot] = cursor + length;
      done++;
    } else if (next === 0) next = cursor + length;
    cursor += length + between(random, 0, 3);
  }
  return [...columns.map((column) => arrayText(column)), Math.max(...planEnd), next, done, inFlow];
}
