import type { Sql } from "#db/client.ts";
import { takeIds } from "#db/ids.ts";
import { addDays, dayNumber, projectToday } from "#lib/core/clock.ts";
import { sharesByCount } from "#lib/regions/logic.ts";
import { shiftWorkingDays, type WorkingDays, workingDays } from "#lib/scheduling/calendar/logic.ts";
import { demoAccounts, seedAccounts } from "./accounts.ts";
import { cities } from "./cities.ts";
import { arrayText, copyRows } from "./copy.ts";
import { newBuild, type SeededFlow, seedFlow, swap } from "./flows.ts";
import { named, nameText } from "./names.ts";
import { seedCrews } from "./people.ts";
import { between, makeRandom, pick } from "./random.ts";

const duCount = 600;
/** What the demo project and its parts are called, besides its flows and cities. */
export const demoNames = {
  project: named("岭南 5G 二期", "Lingnan 5G Phase 2", "嶺南5G第2期"),
  customer: named("岭南移动", "Lingnan Mobile", "嶺南モバイル"),
  flows: { newBuild: named("新建站", "New build", "新設局"), swap: named("替换", "Swap", "更改") },
  subcontractors: {
    LN: named("岭南通建", "Lingnan Build", "嶺南通建"),
    ZJ: named("珠江网工", "Pearl Works", "珠江網工"),
    KT: named("关东设备", "Kanto Setsubi", "関東設備"),
    NW: named("北方索具", "Northern Rigging", "ノーザン・リギング"),
  },
  calendar: named("标准", "Standard", "標準"),
  holidays: {
    newYear: named("元旦", "New Year", "元日"),
    labourDay: named("劳动节", "Labour Day", "労働節"),
    nationalDay: named("国庆节", "National Day", "国慶節"),
  },
  attributes: [
    [named("铁塔类型", "Tower type", "鉄塔種別"), "TEXT"],
    [named("许可证号", "Permit no.", "許可番号"), "TEXT"],
    [named("天面钥匙电话", "Rooftop key phone", "屋上鍵の電話"), "TEXT"],
    [named("引电方式", "Power source", "受電方式"), "TEXT"],
    [named("天线数", "Antennas", "アンテナ数"), "NUMBER"],
    [named("租约到期", "Lease ends", "賃貸期限"), "DATE"],
  ],
  towers: [
    named("楼面抱杆", "Rooftop pole", "屋上ポール"),
    named("角钢塔", "Lattice tower", "鉄骨塔"),
    named("单管塔", "Monopole", "単柱塔"),
    named("景观塔", "Camouflage tower", "景観塔"),
  ],
  powers: [named("直供电", "Direct grid", "直接受電"), named("转供电", "Via landlord", "貸主経由"), named("太阳能", "Solar", "太陽光")],
  productLines: [named("5G NR", "5G NR"), named("LTE", "LTE"), named("微波", "Microwave", "マイクロ波")],
} as const;

/**
 * Makes the project DEMO: two flows, regions in three countries, about 600 DUs in real cities whose plans have slipped the way plans do.
 * Names carry their Chinese, English and Japanese form; people keep their own writing beside the Latin one.
 * @returns a line that says what was made
 */
export async function seedDemo(sql: Sql, now: Date): Promise<string> {
  const [exists] = await sql`select 1 from project where number = 'DEMO'`;
  if (exists) return "The demo project is there already";
  const today = projectToday(now, 0);
  const [project] = await sql<{ id: number }[]>`
    insert into project (number, name, country, customer_name, hosting_country, datacenter)
    values ('DEMO', ${nameText(demoNames.project)}, 'CN', ${nameText(demoNames.customer)}, 'CN', 'cn-south-1') returning id`;
  const projectId = project!.id;
  await sql`insert into plan_seq (project_id) values (${projectId})`;
  const users = await seedAccounts(sql, projectId, today, now);
  const pm = users.get("pm")!;
  await sql`update rollout_plan set created_by = ${pm} where project_id = ${projectId}`;

  const regionNames = [...new Set(cities.map((city) => nameText(city.region)))];
  const shares = sharesByCount(regionNames.map((name) => cities.filter((city) => nameText(city.region) === name).length));
  const regionRows = await sql<{ id: number; name: string }[]>`
    insert into delivery_region ${sql(regionNames.map((name, index) => ({ project_id: projectId, name, sort_no: index + 1, percentage: shares[index]! })))} returning id, name`;
  const regions = new Map(regionRows.map((row) => [row.name, row.id]));
  await sql`
    insert into network_region ${sql(
      cities.map((city) => ({
        project_id: projectId,
        name: nameText(city.city),
        source: "IMPORT",
        region_id: regions.get(nameText(city.region))!,
      })),
    )}`;
  const companies = await sql<{ id: number; code: string }[]>`
    insert into subcontractor ${sql(Object.entries(demoNames.subcontractors).map(([code, name]) => ({ project_id: projectId, code, name: nameText(name) })))} returning id, code`;
  const companyOf = new Map(companies.map(({ id, code }) => [code, id]));
  await sql`
    update resource set subcontractor_id = ${companyOf.get("ZJ")!} where project_id = ${projectId} and user_id = ${users.get("subcon")!}`;
  await seedCrews(sql, projectId, { companies: companyOf, pm, today, now });
  await seedCalendar(sql, projectId, today);
  await seedAttributes(sql, projectId);
  const flows = [
    await seedFlow(sql, projectId, pm, demoNames.flows.newBuild, newBuild, now),
    await seedFlow(sql, projectId, pm, demoNames.flows.swap, swap, now),
  ];
  const ownerSets = await sql<{ id: number }[]>`
    insert into owner_set ${sql(["pm", "pcm", "tl", "td", "subcon"].map((account) => ({ project_id: projectId, user_ids: [users.get(account)!] })) as never)} returning id`;
  const made = await seedDus(sql, projectId, {
    today,
    now,
    regions,
    companies: companies.map(({ id }) => id),
    flows,
    owners: ownerSets.map(({ id }) => id),
    pm,
  });
  return `Demo project DEMO: ${made} DUs, ${flows.length} flows, ${regionNames.length} regions, ${demoAccounts.length} accounts`;
}

async function seedCalendar(sql: Sql, projectId: number, today: string): Promise<void> {
  const [calendar] = await sql<
    { id: number }[]
  >`insert into work_calendar (project_id, name) values (${projectId}, ${nameText(demoNames.calendar)}) returning id`;
  const year = Number(today.slice(0, 4));
  const { newYear, labourDay, nationalDay } = demoNames.holidays;
  const days = [year - 1, year, year + 1].flatMap((at) => [
    { day: `${at}-01-01`, name: nameText(newYear) },
    ...["01", "02", "05", "06", "07"].map((day) => ({ day: `${at}-10-${day}`, name: nameText(nationalDay) })),
    ...["01", "04", "05"].map((day) => ({ day: `${at}-05-${day}`, name: nameText(labourDay) })),
  ]);
  await sql`insert into work_calendar_day ${sql(days.map((row) => ({ calendar_id: calendar!.id, day: row.day, working: false, name: row.name })))}`;
}

async function seedAttributes(sql: Sql, projectId: number): Promise<void> {
  for (const [index, [name, type]] of demoNames.attributes.entries())
    await sql`
      insert into attribute (project_id, key, name, type, in_rollout_plan, sort_no, visible_customer, visible_subcon, editable_subcon)
      values (${projectId}, ${`a${index + 1}`}, ${nameText(name)}, ${type}, true, ${index + 1}, true, true, true)`;
}

type Frame = {
  today: string;
  now: Date;
  regions: Map<string, number>;
  companies: number[];
  flows: SeededFlow[];
  owners: number[];
  pm: number;
};

/** DUs with sites, bindings and plans; about a third finished, a third under way with slips, the rest ahead. */
async function seedDus(sql: Sql, projectId: number, frame: Frame): Promise<number> {
  const random = makeRandom(20_261_014);
  const calendar = workingDays(62, []);
  const codes: string[] = [];
  const sites: Parameters<typeof copyRows>[3] extends Iterable<infer Row> ? Row[] : never = [];
  const dus: typeof sites = [];
  const siteIds = await takeIds(sql, "customer_site", duCount);
  const duIds = await takeIds(sql, "du", duCount);
  const plans: typeof sites = [];
  const bindings: typeof sites = [];
  for (let index = 0; index < duCount; index++) {
    const city = cities[index % cities.length]!;
    const quarter = city.quarters[Math.floor(index / cities.length) % city.quarters.length]!;
    const round = Math.floor(index / (cities.length * city.quarters.length)) + 1;
    const code = `${city.city[1].slice(0, 2).toUpperCase()}-${10_400 + index}`;
    codes.push(code);
    const siteId = siteIds[index]!;
    const duId = duIds[index]!;
    const flow = frame.flows[random() < 0.65 ? 0 : 1]!;
    const name = `${nameText(quarter)} ${round}`;
    sites.push([
      siteId,
      projectId,
      `S-${code}`,
      name,
      nameText(city.country),
      nameText(city.province),
      nameText(city.city),
      `${nameText(quarter)} ${between(random, 1, 400)}`,
      round2(city.lng + (random() - 0.5) * 0.24),
      round2(city.lat + (random() - 0.5) * 0.2),
    ]);
    const ext = {
      a1: nameText(pick(random, demoNames.towers)),
      a4: nameText(pick(random, demoNames.powers)),
      a5: String(pick(random, [3, 6, 9, 12])),
    };
    const bound = random() > 0.03;
    dus.push([
      duId,
      projectId,
      code,
      name,
      siteId,
      nameText(flow === frame.flows[0] ? demoNames.flows.newBuild : demoNames.flows.swap),
      // What is replaced is put up and taken down.
      flow === frame.flows[0] ? "install" : null,
      frame.regions.get(nameText(city.region))!,
      pick(random, frame.companies),
      nameText(pick(random, demoNames.productLines)),
      between(random, 1, 5),
      JSON.stringify(ext),
    ]);
    if (bound) bindings.push([projectId, duId, flow.id, 1, "manual", frame.pm, frame.now.toISOString()]);
    plans.push([duId, projectId, ...(bound ? planRow(random, calendar, flow, frame) : emptyRow)]);
  }
  await copyRows(
    sql,
    "customer_site",
    ["id", "project_id", "code", "name", "country", "province", "city", "address", "longitude", "latitude"],
    sites,
  );
  await copyRows(
    sql,
    "du",
    [
      "id",
      "project_id",
      "code",
      "name",
      "site_id",
      "delivery_type",
      "work_type",
      "region_id",
      "subcontractor_id",
      "product_line",
      "rfi_priority",
      "ext",
    ],
    dus,
  );
  await copyRows(sql, "du_flow", ["project_id", "du_id", "flow_id", "flow_version", "source", "bound_by", "bound_at"], bindings);
  await copyRows(sql, "du_plan", planColumns, plans);
  return codes.length;
}

const planColumns = [
  "du_id",
  "project_id",
  "plan_start",
  "plan_end",
  "actual_start",
  "actual_end",
  "baseline_start",
  "baseline_end",
  "released_start",
  "released_end",
  "state",
  "plan_owner",
  "actual_owner",
  "release_state",
  "last_plan_end",
  "next_plan_end",
  "ic_actual_end",
  "decom_actual_end",
  "done_count",
  "applicable_count",
];
const emptyRow = [null, null, null, null, null, null, null, null, "{}", null, null, 0, 0, 0, 0, 0, 0, 0];

// In flow, approval not required; 8 is the bit of a fixed plan.
const inFlow = 1 | (7 << 7);

const round2 = (degrees: number) => Math.round(degrees * 1e5) / 1e5;

/** Plan, baseline and actual dates of one DU from the column `plan_start` on. */
function planRow(random: () => number, calendar: WorkingDays, flow: SeededFlow, frame: Frame): (string | number | null)[] {
  const today = dayNumber(frame.today);
  const slots = Math.max(...flow.activities.map(({ slot }) => slot));
  const column = () => new Array<number>(slots).fill(0);
  const [planStart, planEnd, actualStart, actualEnd, baseStart, baseEnd, state, planOwner, actualOwner] = Array.from(
    { length: 9 },
    column,
  ) as number[][];
  const begin = dayNumber(addDays(frame.today, between(random, -150, 60)));
  const slip = random() < 0.45 ? between(random, 2, 25) : 0;
  const slipFrom = between(random, 1, flow.activities.length - 1);
  const workday = (day: number, steps: number) => shiftWorkingDays(calendar, day, steps) ?? day;
  let cursor = workday(begin, 0);
  let done = 0;
  let icEnd = 0;
  let decomEnd = 0;
  let lastEnd = 0;
  let nextEnd = 0;
  let running = true;
  const owner = pick(random, frame.owners);
  for (const [index, { slot, activity }] of flow.activities.entries()) {
    const at = slot - 1;
    const length = Math.max(activity.lead, 1) - 1;
    const shift = index >= slipFrom ? slip : 0;
    baseStart![at] = cursor;
    baseEnd![at] = workday(cursor, length);
    planStart![at] = workday(cursor, shift);
    planEnd![at] = workday(planStart![at]!, length);
    cursor = workday(baseEnd![at]!, activity.lead === 0 ? 0 : 1);
    state![at] = inFlow;
    planOwner![at] = random() < 0.8 ? owner : pick(random, frame.owners);
    actualOwner![at] = planOwner![at]!;
    // Work is reported a few days around the plan; where it stops, later activities stay open.
    const late = random() < 0.3 ? between(random, 1, 6) : between(random, -1, 1);
    const start = workday(planStart![at]!, Math.max(late, 0));
    const end = Math.max(start, workday(planEnd![at]!, late));
    if (running && end < today && random() > 0.04) {
      actualStart![at] = start;
      actualEnd![at] = end;
      done++;
      if (activity.kind === "ic") icEnd = end;
      if (activity.kind === "decom") decomEnd = end;
    } else {
      if (running && start <= today && random() < 0.6) actualStart![at] = start;
      running = false;
      if (nextEnd === 0 || planEnd![at]! < nextEnd) nextEnd = planEnd![at]!;
      if (random() < 0.02) state![at] = inFlow | 8;
    }
    lastEnd = Math.max(lastEnd, planEnd![at]!);
  }
  const released = random() < 0.85;
  return [
    arrayText(planStart!),
    arrayText(planEnd!),
    arrayText(actualStart!),
    arrayText(actualEnd!),
    arrayText(baseStart!),
    arrayText(baseEnd!),
    released ? arrayText(planStart!) : null,
    released ? arrayText(planEnd!) : null,
    arrayText(state!) ?? "{}",
    arrayText(planOwner!),
    arrayText(actualOwner!),
    released ? 1 : 0,
    lastEnd,
    nextEnd,
    icEnd,
    decomEnd,
    done,
    flow.activities.length,
  ];
}
