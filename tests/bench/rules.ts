import { type Installation, settled } from "./installation.ts";
import { line, median, once } from "./measure.ts";
import { arrayNumbers, arrayText, type PackedRow, writePacked } from "./packed-rows.ts";

const runs = 5;
/** Rules of each of the two flows, their actions, and the rows of their conditions. */
const rulesOfFlow = 5;
const actions = 10;
const rows = 10;
/** How many of the 50 values an attribute may have a rule asks for: so many that a run changes 200,000 dates. */
const valuesAsked = 31;

/** A rule as the bare side knows it: its flow, the attribute that must have one of some values, others that must have any, and the slots whose plan ends it fills. */
type Rule = { id: number; flowId: number; asked: string; values: Set<string>; filled: string[]; slots: number[] };

type Row = {
  id: number;
  version: number;
  flowId: number;
  planEnd: string;
  actualEnd: string | null;
  state: string;
} & Record<`a${number}`, string | null>;

/**
 * Ten rules with ten conditions and ten actions each over all DUs: their preview against reading the rows they look at, and their run against reading the same
 * columns, computing as many dates and writing them back with one packed change row per DU. The bare side moves the dates a day, so that each run changes all of
 * them back.
 */
export async function benchRules(installation: Installation): Promise<void> {
  const { sql, call, projectId } = installation;
  const rules = await makeRules(installation);
  const ruleIds = rules.map(({ id }) => id);
  const named = [...new Set(rules.flatMap(({ asked, filled }) => [asked, ...filled]))];
  const run = async (address: string) => {
    const { taskId, runId } = await call<{ taskId: string; runId: number }>(address, { ruleIds });
    await settled(installation, taskId);
    const [done] = await sql<{ cells: number }[]>`select changed_count as cells from rule_run where id = ${runId}`;
    return done!.cells;
  };
  const times = { preview: [] as number[], read: [] as number[], product: [] as number[], bare: [] as number[], cells: [] as number[] };
  for (let turn = -1; turn < runs; turn++) {
    const preview = await once(() => run("planAutoRule/preview"));
    const read = await once(() => readRows(sql, projectId, named, false));
    let cells = 0;
    const product = await once(async () => {
      cells = await run("planAutoRule/run");
    });
    let moved = 0;
    const bare = await once(async () => {
      moved = await moveDates(sql, projectId, rules, named);
    });
    // Before the first turn some dates may stand where the rules want them.
    if (turn < 0) continue;
    if (moved !== cells) throw new Error(`the rules changed ${cells} dates, the bare side ${moved}`);
    times.preview.push(preview);
    times.read.push(read);
    times.product.push(product);
    times.bare.push(bare);
    times.cells.push(cells);
  }
  await call("planAutoRule/disable", { ids: ruleIds, confirm: true });
  await call("planAutoRule/delete", { ids: ruleIds });
  line("rules: preview of 10 rules × 10 actions", median(times.preview), median(times.read), "ms", "≤ 4");
  line(`rules: run that changes ${median(times.cells)} dates`, median(times.product), median(times.bare), "ms", "≤ 2.5");
}

/** Puts ten rules into force: each fills the plan ends of ten of the last fifty activities of a flow, nine days behind their starts. */
async function makeRules({ sql, call, projectId }: Installation): Promise<Rule[]> {
  const activities = await sql<{ flowId: number; id: number; slot: number }[]>`
    select n.flow_id as "flowId", l.id, l.slot from flow_activity n join activity_flow f on f.id = n.flow_id join activity_library l on l.id = n.activity_id
    where f.project_id = ${projectId} and f.draft_of is null and f.status = 'released' order by n.flow_id, n.seq desc`;
  const attributes = await sql<{ key: string }[]>`
    select 'a' || id as key from attribute where project_id = ${projectId} and type = 'TEXT' and level = 'DU' and deleted_at is null order by id limit 20`;
  const values = Array.from({ length: valuesAsked }, (_, at) => `value ${at + 1}`);
  const made: Rule[] = [];
  for (const flowId of new Set(activities.map((activity) => activity.flowId))) {
    const last = activities.filter((activity) => activity.flowId === flowId);
    for (let at = 0; at < rulesOfFlow; at++) {
      const own = last.slice(at * actions, (at + 1) * actions);
      const keys = Array.from({ length: rows }, (_, row) => attributes[(made.length * 2 + row) % attributes.length]!.key);
      const [asked, ...filled] = keys as [string, ...string[]];
      const { id } = await call<{ id: number }>("planAutoRule/save", {
        name: `Bench ${made.length + 1}`,
        ruleType: "ACT_TO_ACT",
        flowId,
        conditions: keys.map((key, row) => ({
          object: { k: "ATTR", key },
          operator: row === 0 ? "in" : "isNotEmpty",
          values: row === 0 ? values : [],
          logic: row === rows - 1 ? null : "AND",
        })),
        actions: own.map((activity) => ({
          sources: [{ k: "ACT", a: activity.id, f: "PLAN_START" }],
          offset: 9,
          target: { k: "ACT", a: activity.id, f: "PLAN_END" },
        })),
      });
      made.push({ id, flowId, asked, values: new Set(values), filled, slots: own.map(({ slot }) => slot) });
    }
  }
  const { refused } = await call<{ refused: unknown[] }>("planAutoRule/enable", { ids: made.map(({ id }) => id), confirm: true });
  if (refused.length > 0) throw new Error(`rules were refused: ${JSON.stringify(refused)}`);
  return made;
}

/** The columns the rules look at: work dates and states, and the attributes their conditions name. */
function readRows(sql: Pick<Installation, "sql">["sql"], projectId: number, named: readonly string[], lock: boolean): Promise<Row[]> {
  const columns = named.map((key) => `"${key}"`);
  return sql<Row[]>`
    select p.du_id as id, p.row_version as version, p.release_state, f.flow_id as "flowId", p.plan_start::text as "planStart", p.plan_end::text as "planEnd",
      p.actual_start::text as "actualStart", p.actual_end::text as "actualEnd", p.state::text as state, ${sql.unsafe(columns.map((name) => `x.${name}`).join(", "))}
    from du_plan p join du d on d.id = p.du_id join du_flow f on f.du_id = p.du_id and f.unbound_at is null,
      jsonb_to_record(d.ext) x(${sql.unsafe(columns.map((name) => `${name} text`).join(", "))})
    where p.project_id = ${projectId} and d.deleted_at is null order by p.du_id ${lock ? sql`for no key update of p` : sql``}`;
}

/** Moves every plan end the rules fill by a day, where nothing keeps it, and gives their number. */
async function moveDates(sql: Installation["sql"], projectId: number, rules: readonly Rule[], named: readonly string[]): Promise<number> {
  let moved = 0;
  await sql.begin(async (tx) => {
    const read = await readRows(tx as never, projectId, named, true);
    const changed = read.flatMap((row): PackedRow[] => {
      const [ends, done, states] = [arrayNumbers(row.planEnd), arrayNumbers(row.actualEnd), arrayNumbers(row.state)];
      const cells: number[] = [];
      const [old, now]: [number[], number[]] = [[], []];
      for (const { flowId, asked, values, filled, slots } of rules) {
        if (row.flowId !== flowId || !values.has(row[asked as `a${number}`] ?? "")) continue;
        if (filled.some((key) => !row[key as `a${number}`])) continue;
        for (const slot of slots) {
          // In the flow, neither NA nor INV, not frozen, not closed, without actual end.
          if ((states[slot - 1]! & 0x57) !== 1 || (done[slot - 1] ?? 0) !== 0) continue;
          cells.push(slot * 16 + 2);
          old.push(ends[slot - 1]!);
          now.push(++ends[slot - 1]!);
        }
      }
      moved += cells.length;
      return cells.length === 0 ? [] : [{ id: row.id, version: row.version, kinds: { plan_end: arrayText(ends) }, cells, old, now }];
    });
    await writePacked(tx as never, projectId, { plan_end: "smallint" }, changed);
  });
  return moved;
}
