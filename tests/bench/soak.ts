import { createApiToken } from "#lib/session/commands.ts";
import type { Installation } from "./installation.ts";
import { line, quantile } from "./measure.ts";
import { presentMegabytes } from "./memory.ts";

/** What two hours of work come to at human pace: an editor saves every 15 s, a reader scrolls, searches or filters every 3 s, everybody hears of changes. */
const hours = 2;
const savesOfEditor = (hours * 3600) / 15;
const stepsOfReader = (hours * 3600) / 3;
const editors = ["pm", "pcm"];
const readers = ["td", "tl", "pd", "dqa", "scheduler", "viewer", "pm", "pcm"];
/** DUs both editors work on, so that they meet in the same cells. */
const sharedDus = 40;
const activities = 8;
const longestMinutes = 10;

type Call = <T>(address: string, input: unknown) => Promise<T>;
type Person = { token: string; call: Call; random: () => number };
type Edit = { duId: number; activityId: number; field: "planEnd"; value: string; base: string };
type Saved = {
  saved: number;
  conflicts: { duId: number; activityId: number; theirs: string }[];
  rejected: { duId: number; code: string }[];
  batchId: number;
};

/**
 * Two hours of two editors and eight readers, replayed without pauses: no error, no growth of memory beyond a fifth, every accepted write present at the end,
 * and saves within ten times their bare statement.
 */
export async function benchSoak(installation: Installation): Promise<void> {
  const { sql, projectId, pid } = installation;
  const person = async (account: string, seed: number): Promise<Person> => {
    const token = await createApiToken(sql, account, `soak ${seed}`, new Date());
    return { token, random: randomOf(seed), call: callerOf(installation.address, token) };
  };
  const library = await sql<{ id: number; slot: number }[]>`
    select l.id, l.slot from flow_activity n join activity_flow f on f.id = n.flow_id join activity_library l on l.id = n.activity_id
    where f.project_id = ${projectId} and f.name = 'Flow odd' and f.draft_of is null order by n.seq desc limit ${activities}`;
  const slots = library.map(({ slot }) => slot);
  const dus = await sql<{ id: number; code: string; ends: number[] }[]>`
    select p.du_id as id, d.code, p.plan_end as ends from du_flow b join activity_flow f on f.id = b.flow_id join du_plan p on p.du_id = b.du_id join du d on d.id = p.du_id
    where f.project_id = ${projectId} and f.name = 'Flow odd' and b.unbound_at is null
      and not exists (select from unnest(${slots}::int[]) s where coalesce(p.actual_end[s], 0) > 0 or coalesce(p.plan_end[s], 0) = 0)
    order by p.du_id limit ${2 * sharedDus}`;
  const ground = dus.slice(0, sharedDus);
  /** What the last accepted write of each cell was, in the order the database took them. */
  const accepted: { batchId: number; edit: Edit }[] = [];
  const saves: number[] = [];
  const bareTimes: number[] = [];
  const errors: string[] = [];
  let conflicts = 0;
  let requests = 0;

  const guarded = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      errors.push((error as Error).message);
    }
  };

  const edit = async (who: Person, parity: number) => {
    /** What this editor's grid shows. */
    const shown = new Map(ground.flatMap((du) => library.map(({ id, slot }) => [`${du.id} ${id}`, text(du.ends[slot - 1]!)])));
    for (let save = 0; save < savesOfEditor; save++)
      await guarded(async () => {
        const cells = 1 + Math.floor(who.random() * 20);
        const edits = new Map<string, Edit>();
        for (let cell = 0; cell < cells; cell++) {
          const du = ground[Math.floor(who.random() * ground.length)]!;
          const { id: activityId } = library[Math.floor(who.random() * library.length)]!;
          const base = shown.get(`${du.id} ${activityId}`)!;
          const value = laterDay(base, parity);
          edits.set(`${du.id} ${activityId}`, { duId: du.id, activityId, field: "planEnd", value, base });
        }
        const start = performance.now();
        const answer = await who.call<Saved>("rolloutPlan/save", { edits: [...edits.values()] });
        saves.push(performance.now() - start);
        requests++;
        // A DU with a conflict keeps all its values; the grid then shows what the other wrote.
        const left = new Set(answer.conflicts.map(({ duId }) => duId));
        const refused = answer.rejected.find(({ duId }) => !left.has(duId));
        if (refused) throw new Error(`a cell was refused: ${refused.code}`);
        conflicts += answer.conflicts.length;
        for (const [key, made] of edits) {
          if (left.has(made.duId)) continue;
          shown.set(key, made.value);
          accepted.push({ batchId: answer.batchId, edit: made });
        }
        for (const { duId, activityId, theirs } of answer.conflicts) shown.set(`${duId} ${activityId}`, theirs);

        const other = dus[sharedDus + Math.floor(who.random() * (dus.length - sharedDus))]!;
        const bareStart = performance.now();
        await sql`update du_plan set plan_end[${slots[0]!}::int] = plan_end[${slots[0]!}::int] + 1, row_version = row_version + 1 where du_id = ${other.id}`;
        bareTimes.push(performance.now() - bareStart);
      });
  };

  const read = async (who: Person) => {
    type Filtered = { queryId: string; seq: number };
    let query: Filtered | null = null;
    const ask = async (filters: unknown[], search?: { field: string; text: string }) => {
      query = await who.call<Filtered>("wbs/filter", { filters, ...(search && { search }) });
      await who.call("rolloutPlan/tile", { queryId: query.queryId, from: 0, count: 100, parts: { plan: true } });
    };
    for (let step = 0; step < stepsOfReader; step++)
      await guarded(async () => {
        const chance = who.random();
        requests++;
        if (!query || chance < 0.05) {
          await who.call("rolloutPlan/head", {});
          await ask([]);
        } else if (chance < 0.15)
          await ask([{ field: "planEnd", activityId: library[0]!.id, type: "range", values: ["2020-01-01", "2035-01-01"] }]);
        else if (chance < 0.25) await ask([], { field: "code", text: ground[Math.floor(who.random() * ground.length)]!.code });
        else if (chance < 0.7) {
          await ask([]);
          await who.call("rolloutPlan/tile", {
            queryId: query.queryId,
            from: 100 * Math.floor(who.random() * 90),
            count: 100,
            parts: { plan: true },
          });
        } else if (chance < 0.9) await who.call("rolloutPlan/changes", { sinceSeq: query.seq });
        else if (chance < 0.95) await who.call("rolloutPlan/quickFind", { q: ground[0]!.code.slice(0, 3) });
        else await who.call("rolloutPlan/facet", { column: "region", filters: [] });
      });
  };

  const people = await Promise.all([...editors, ...readers].map((account, index) => person(account, index + 1)));
  const start = performance.now();
  const memory: { at: number; web: number; worker: number }[] = [];
  const watch = setInterval(
    () => memory.push({ at: performance.now() - start, web: presentMegabytes(pid("web")), worker: presentMegabytes(pid("worker")) }),
    500,
  );
  const streams = new AbortController();
  let heard = 0;
  for (const { token } of people)
    await listen(installation.address, token, streams.signal, () => {
      heard++;
    });
  await Promise.all(people.map((who, index) => (index < editors.length ? edit(who, index) : read(who))));
  clearInterval(watch);
  streams.abort();
  const minutes = (performance.now() - start) / 60_000;

  const lost = await countLost(installation, accepted, library);
  const fifth = memory.filter((sample) => sample.at <= (minutes * 60_000) / 5);
  const last = memory.slice(-Math.max(1, Math.floor(memory.length / 10)));
  const mean = (samples: typeof memory, of: "web" | "worker") => samples.reduce((sum, sample) => sum + sample[of], 0) / samples.length;
  console.log(`soak: megabytes of web by tenths of the time: ${tenths(memory.map(({ web }) => web))}`);
  line("two hours of two editors, eight readers", minutes, longestMinutes, "min", "≤ 1");
  line("soak: memory of web, end against first fifth", mean(last, "web"), mean(fifth, "web"), "MB", "≤ 1.2");
  line("soak: memory of worker, end against first fifth", mean(last, "worker"), mean(fifth, "worker"), "MB", "≤ 1.2");
  line("soak: p95 of a save, of its bare statement", quantile(saves, 0.95), quantile(bareTimes, 0.95), "ms", "≤ 10");
  console.log(
    `soak: ${requests} steps, ${saves.length} saves, ${accepted.length} cells accepted, ${conflicts} conflicts, ${heard} announcements heard, ${errors.length} errors, ${lost} accepted cells lost (goal: no error, none lost)`,
  );
  for (const message of [...new Set(errors)].slice(0, 5)) console.log(`  ${message}`);
}

/** Accepted cells whose log row or last value is not there. */
async function countLost(
  { sql, projectId }: Installation,
  accepted: readonly { batchId: number; edit: Edit }[],
  library: readonly { id: number; slot: number }[],
): Promise<number> {
  const slotOf = new Map(library.map(({ id, slot }) => [id, slot]));
  const rows = accepted.map(({ batchId, edit }) => ({
    batch: batchId,
    du: edit.duId,
    slot: slotOf.get(edit.activityId)!,
    day: Date.parse(edit.value) / 86_400_000 - Date.UTC(2000, 0, 1) / 86_400_000,
  }));
  const [found] = await sql<{ lost: number }[]>`
    with a as (
      select a.*, b.seq, row_number() over (partition by a.du, a.slot order by b.seq desc) as newest
      from jsonb_to_recordset(${sql.json(rows)}) a(batch bigint, du bigint, slot int, day int) left join plan_batch b on b.id = a.batch and b.project_id = ${projectId}
    )
    select count(*) filter (where l.du_id is null or l.new[array_position(l.cells, (a.slot * 16 + 2)::smallint)] is distinct from a.day
      or (a.newest = 1 and p.plan_end[a.slot] <> a.day))::int as lost
    from a join du_plan p on p.du_id = a.du left join plan_log l on l.du_id = a.du and l.batch_id = a.batch`;
  return found!.lost;
}

const tenths = (values: readonly number[]) =>
  Array.from({ length: 10 }, (_, tenth) => values[Math.floor(((tenth + 0.5) * values.length) / 10)]?.toFixed(0)).join(" ");

const callerOf =
  (address: string, token: string): Call =>
  async <T>(path: string, input: unknown) => {
    const response = await fetch(`${address}/api/${path}?projectNumber=LARGE&lang=en`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify(input),
    });
    const answer = (await response.json()) as { status: number; code?: string; msg?: string; data: T };
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.code} ${answer.msg}`);
    return answer.data;
  };

/** Keeps the stream of live changes open as a page does, and tells of each plan change. */
async function listen(address: string, token: string, signal: AbortSignal, tell: () => void): Promise<void> {
  const response = await fetch(`${address}/api/events?projectNumber=LARGE`, { signal, headers: { authorization: `Bearer ${token}` } });
  if (response.status !== 200 || !response.body) throw new Error(`no stream of changes: ${response.status}`);
  const decoder = new TextDecoder();
  const body = response.body;
  void (async () => {
    for await (const chunk of body) for (const _ of decoder.decode(chunk, { stream: true }).matchAll(/^event: plan$/gm)) tell();
  })().catch(() => {});
}

const text = (number: number) => new Date(Date.UTC(2000, 0, 1) + number * 86_400_000).toISOString().slice(0, 10);
/** The next later day of an even or odd number: no editor ever types what the other has written. */
function laterDay(iso: string, parity: number): string {
  const next = Date.parse(iso) / 86_400_000 + 1;
  return new Date((next % 2 === parity ? next : next + 1) * 86_400_000).toISOString().slice(0, 10);
}

/** The same numbers in every run (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
