import type { Plan, Problem } from "#lib/planning-engine/model/logic.ts";

const none = 1_000_000_000;

/** An assignment of a tiny problem: first working-day number, pool and team of every job. */
export type Assignment = { first: number[]; pool: number[]; team: number[] };

/** All first days and teams the jobs of a tiny problem could be given, allowed or not. Only without kept dates. */
export function* allAssignments(problem: Problem): Generator<Assignment> {
  const choices = choicesOf(problem);
  const picked = choices.map(() => 0);
  for (;;) {
    const chosen = picked.map((index, job) => choices[job]![index]!);
    yield { first: chosen.map(({ first }) => first), pool: chosen.map(({ pool }) => pool), team: chosen.map(({ team }) => team) };
    let job = 0;
    while (job < picked.length && ++picked[job]! === choices[job]!.length) picked[job++] = 0;
    if (job === picked.length) return;
  }
}

function choicesOf({ dus, flows, teams, calendars, horizonDays }: Problem): { first: number; pool: number; team: number }[][] {
  return [...dus.id.keys()].flatMap((du) => {
    const flow = flows[dus.flow[du]!]!;
    const days = calendars[dus.calendar[du]!]!.days;
    const starts = [...days.keys()].filter((number) => days[number]! >= 0 && days[number]! < horizonDays);
    return [...flow.durations].map((duration, position) => {
      const cell = flow.teamClass[position]! * teams.regions + dus.region[du]!;
      const crews =
        flow.teamClass[position]! < 0 || duration === 0
          ? [{ pool: -1, team: 0 }]
          : [...teams.eligible.slice(teams.eligibleAt[cell], teams.eligibleAt[cell + 1])].flatMap((pool) =>
              Array.from({ length: teams.count[pool]! }, (_, index) => ({ pool, team: index + 1 })),
            );
      return starts.flatMap((first) => crews.map((crew) => ({ first, ...crew })));
    });
  });
}

/** Days of each job of an assignment, and whether it breaks nothing that relations, horizon, release and teams ask for. */
export function judge(problem: Problem, { first, pool, team }: Assignment): { start: number[]; end: number[]; allowed: boolean } {
  const { dus, flows, calendars, horizonDays } = problem;
  const start: number[] = [];
  const end: number[] = [];
  let allowed = true;
  for (const du of dus.id.keys()) {
    const flow = flows[dus.flow[du]!]!;
    const days = calendars[dus.calendar[du]!]!.days;
    const at = dus.firstJob[du]!;
    const lasts = [...flow.durations].map((duration, position) => first[at + position]! + Math.max(duration, 1) - 1);
    for (const position of flow.durations.keys()) {
      start.push(days[first[at + position]!]!);
      end.push((days[lasts[position]!] ?? horizonDays) + 1);
      allowed &&= start.at(-1)! >= dus.release[du]! && end.at(-1)! <= horizonDays;
      for (let entry = flow.inAt[position]!; entry < flow.inAt[position + 1]!; entry++) {
        const from = flow.inFrom[entry]!;
        const offset = flow.inOffset[entry]!;
        const [s, e] = [first[at + from]!, lasts[from]!];
        const [mine, last] = [first[at + position]!, lasts[position]!];
        const kind = ["FS", "SS", "FF", "SF"][flow.inKind[entry]!];
        if (kind === "FS") allowed &&= flow.durations[position] === 0 ? mine >= e + offset : mine > e + offset;
        if (kind === "SS") allowed &&= mine >= s + offset;
        if (kind === "FF") allowed &&= last >= e + offset;
        if (kind === "SF") allowed &&= last >= s + offset;
      }
      for (let other = 0; other < position; other++) {
        const [one, two] = [at + other, at + position];
        if (pool[one] === -1 || pool[two] === -1) continue;
        if (flow.coTeam[other] !== -1 && flow.coTeam[other] === flow.coTeam[position])
          allowed &&= pool[one] === pool[two] && team[one] === team[two];
        if (flow.coResource[other] !== -1 && flow.coResource[other] === flow.coResource[position])
          allowed &&= problem.teams.resource[pool[one]!] === problem.teams.resource[pool[two]!];
      }
    }
  }
  for (let job = 0; job < start.length; job++)
    for (let other = 0; other < job; other++)
      if (pool[job] !== -1 && pool[job] === pool[other] && team[job] === team[other])
        allowed &&= end[job]! <= start[other]! || end[other]! <= start[job]!;
  return { start, end, allowed };
}

/** The plan of an assignment, for problems without material and clusters; bindings are not worked out. */
export function planOf(problem: Problem, assignment: Assignment): Plan {
  const { start, end } = judge(problem, assignment);
  const nothing = () => new Int32Array(0);
  const plan: Plan = {
    start: Int32Array.from(start),
    end: Int32Array.from(end),
    pool: Int32Array.from(assignment.pool),
    team: Int32Array.from(assignment.team),
    binding: new Uint8Array(start.length),
    bindingRef: new Int32Array(start.length).fill(-1),
    allocations: {
      du: nothing(),
      designItem: nothing(),
      lot: nothing(),
      quantity: new Float64Array(0),
      covers: new Float64Array(0),
      group: nothing(),
      direct: new Uint8Array(0),
      available: nothing(),
      need: nothing(),
    },
    gaps: {
      du: nothing(),
      item: nothing(),
      required: new Float64Array(0),
      covered: new Float64Array(0),
      short: new Float64Array(0),
      needDay: nothing(),
      coverDay: nothing(),
      reason: new Uint8Array(0),
    },
    conflicts: { job: nothing(), days: nothing() },
    gates: nothing(),
    levels: [],
  };
  plan.levels = measure(problem, plan);
  return plan;
}

/** Late DUs, late days, makespan, sum of the ends of the anchors: the levels these tiny problems are compared in. */
function measure({ dus, flows }: Problem, { start, end }: Plan): number[] {
  const ends = [...dus.id.keys()].map((du) => {
    const { anchor } = flows[dus.flow[du]!]!;
    const own = [...end.slice(dus.firstJob[du], dus.firstJob[du + 1])];
    return anchor >= 0 ? own[anchor]! : Math.max(...own);
  });
  const late = ends.map((day, du) => (dus.due[du] === none ? 0 : Math.max(0, day - 1 - dus.due[du]!)));
  const sum = (list: number[]) => list.reduce((total, one) => total + one, 0);
  return start.length === 0 ? [] : [late.filter((one) => one > 0).length, sum(late), Math.max(...end), sum(ends)];
}

/** The best plan of a tiny problem by looking at every assignment: allowed, levels compared one after the other. Null when there is none. */
export function bestPlan(problem: Problem): Plan | null {
  let best: Plan | null = null;
  for (const assignment of allAssignments(problem)) {
    if (!judge(problem, assignment).allowed) continue;
    const plan = planOf(problem, assignment);
    const first = best === null ? -1 : plan.levels.findIndex((level, index) => level !== best!.levels[index]);
    if (best === null || (first >= 0 && plan.levels[first]! < best.levels[first]!)) best = plan;
  }
  return best;
}
