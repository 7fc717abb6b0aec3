import type { Publication } from "#lib/planning-engine/checker/logic.ts";
import type { Rule } from "#lib/planning-engine/checker-facts/limits.ts";
import { boundsOf } from "#lib/planning-engine/checker-levels/logic.ts";
import type { Plan } from "#lib/planning-engine/model/logic.ts";
import { chance, makeProblem, randomRollOut } from "#tests/support/planning-problem.ts";
import { publish } from "#tests/support/publication.ts";
import { planSerially } from "#tests/support/serial-plan.ts";

const none = 1_000_000_000;

/** A random roll-out with its plan, every third one planned again from a base some of whose days differ. */
export function randomPublication(seed: number): Publication {
  const problem = makeProblem(randomRollOut(seed));
  const plan = planSerially(problem);
  if (seed % 3 === 0) {
    const draw = chance(seed + 1000);
    const start = plan.start.map((day) => (day !== none && draw(3) === 0 ? day + 1 + draw(3) : day));
    problem.base = { start, pool: plan.pool.map((pool) => (draw(9) === 0 ? -1 : pool)), stabilityWeight: 20 };
    problem.kept.state.forEach((state, entry) => {
      if (state !== 4) return;
      problem.kept.state[entry] = 5;
      problem.kept.pool[entry] = plan.pool[problem.kept.job[entry]!]!;
    });
  }
  return publish(problem, plan);
}

/** A way to break one constraint; says whether it could. */
export type Mutant = { rule: Rule; name: string; change: (given: Publication, draw: (below: number) => number) => boolean | undefined };

const flowOf = ({ problem }: Publication, job: number) => {
  const du = problem.dus.firstJob.findLastIndex((first) => first <= job);
  return { du, flow: problem.flows[problem.dus.flow[du]!]!, position: job - problem.dus.firstJob[du]! };
};
/** A random job that is as asked for. */
function someJob(given: Publication, draw: (below: number) => number, fits: (job: number) => boolean, free = true): number | undefined {
  const jobs = [...given.plan.start.keys()].filter((job) => (!free || !given.problem.kept.job.includes(job)) && fits(job));
  return jobs[draw(jobs.length || 1)];
}
function someRow(
  rows: ArrayLike<unknown>,
  draw: (below: number) => number,
  fits: (row: number) => boolean = () => true,
): number | undefined {
  const numbers = Array.from(rows, (_, row) => row).filter(fits);
  return numbers[draw(numbers.length || 1)];
}
/** Moves a job so many working days, with its length. */
function shift(given: Publication, job: number, by: number): boolean {
  const { du } = flowOf(given, job);
  const { days } = given.problem.calendars[given.problem.dus.calendar[du]!]!;
  const [from, to] = [days.indexOf(given.plan.start[job]!) + by, days.indexOf(given.plan.end[job]! - 1) + by];
  if (days[from] === undefined || days[to] === undefined || days[from]! < 0) return false;
  given.plan.start[job] = days[from]!;
  given.plan.end[job] = days[to]! + 1;
  return true;
}
const isReuse = ({ problem }: Publication, lot: number) => problem.lots.source[lot] === 2;

/** Ways to break every constraint of a plan. Those of certificates (C18) stand with their test. */
export const mutants: Mutant[] = [
  {
    rule: "C1",
    name: "a job without dates",
    change: (given, draw) => {
      const job = someJob(given, draw, () => true)!;
      given.plan.start[job] = none;
      return true;
    },
  },
  {
    rule: "C1",
    name: "a job left out",
    change: (given) => {
      given.plan.start = given.plan.start.slice(1);
      return true;
    },
  },
  {
    rule: "C2",
    name: "a job longer or shorter",
    change: (given, draw) => {
      given.plan.end[someJob(given, draw, () => true)!]! += draw(2) ? 1 : -1;
      return true;
    },
  },
  {
    rule: "C2",
    name: "a kept job moved",
    change: (given, draw) => {
      const entry = someRow(given.problem.kept.job, draw, (row) => given.problem.kept.start[row] !== none);
      if (entry === undefined) return false;
      given.plan.start[given.problem.kept.job[entry]!]! += 1;
      return true;
    },
  },
  {
    rule: "C3",
    name: "a milestone on a free day",
    change: (given, draw) => {
      const job = someJob(given, draw, (one) => flowOf(given, one).flow.durations[flowOf(given, one).position] === 0);
      if (job === undefined) return false;
      const { days } = given.problem.calendars[given.problem.dus.calendar[flowOf(given, job).du]!]!;
      while (days.includes(given.plan.start[job]!)) given.plan.start[job]!++;
      given.plan.end[job] = given.plan.start[job]! + 1;
      return true;
    },
  },
  {
    rule: "C3",
    name: "beyond the horizon",
    change: (given, draw) => {
      const last = Math.max(...[...given.plan.end].filter((day) => day !== none));
      given.problem.horizonDays = last - 1 - draw(2);
      return [...given.plan.end.keys()].some((job) => given.plan.end[job] === last && !given.problem.kept.job.includes(job));
    },
  },
  {
    rule: "C3",
    name: "before the release",
    change: (given, draw) => {
      const job = someJob(given, draw, () => true)!;
      given.problem.dus.release[flowOf(given, job).du] = given.plan.start[job]! + 1;
      return true;
    },
  },
  {
    rule: "C4",
    name: "one working day before its predecessor lets it",
    change: (given, draw) => {
      const job = someJob(given, draw, (one) => given.plan.binding[one] === 1);
      return job !== undefined && shift(given, job, -1);
    },
  },
  {
    rule: "C4",
    name: "a larger offset",
    change: (given, draw) => {
      const job = someJob(given, draw, (one) => given.plan.binding[one] === 1);
      if (job === undefined) return false;
      const { flow, position } = flowOf(given, job);
      for (let entry = flow.inAt[position]!; entry < flow.inAt[position + 1]!; entry++) flow.inOffset[entry]! += 1;
      return true;
    },
  },
  {
    rule: "C4",
    name: "a conflict not told, or told wrong",
    change: (given, draw) => {
      const { conflicts } = given.plan;
      if (conflicts.job.length === 0) return false;
      if (draw(2)) conflicts.days[0]! += 1;
      else given.plan.conflicts = { job: conflicts.job.slice(1), days: conflicts.days.slice(1) };
      return true;
    },
  },
  {
    rule: "C5",
    name: "a team there is not",
    change: (given, draw) => {
      const job = someJob(given, draw, (one) => given.plan.pool[one]! >= 0)!;
      given.plan.team[job] = given.problem.teams.count[given.plan.pool[job]!]! + 1;
      return true;
    },
  },
  {
    rule: "C5",
    name: "a free job without team",
    change: (given, draw) => {
      given.plan.team[someJob(given, draw, (one) => given.plan.pool[one]! >= 0)!] = 0;
      return true;
    },
  },
  {
    rule: "C5",
    name: "a pool of another region or skill",
    change: (given, draw) => {
      const job = someJob(given, draw, (one) => given.plan.pool[one]! >= 0)!;
      const { du, flow, position } = flowOf(given, job);
      const { teams } = given.problem;
      const cell = flow.teamClass[position]! * teams.regions + given.problem.dus.region[du]!;
      const own = [...teams.eligible.slice(teams.eligibleAt[cell], teams.eligibleAt[cell + 1])];
      given.plan.pool[job] = someRow(teams.count, draw, (pool) => !own.includes(pool))!;
      return true;
    },
  },
  {
    rule: "C5",
    name: "two jobs of a team at once",
    change: (given, draw) => {
      const { plan } = given;
      const job = someJob(given, draw, (one) => plan.pool[one]! >= 0)!;
      const other = someJob(
        given,
        draw,
        (one) => one !== job && plan.pool[one] === plan.pool[job] && plan.team[one] === plan.team[job],
        false,
      );
      if (other === undefined) return false;
      plan.start[job] = plan.start[other]!;
      plan.end[job] = plan.end[other]!;
      return true;
    },
  },
  {
    rule: "C5",
    name: "a pool with a team less",
    change: (given, draw) => {
      const job = someJob(given, draw, (one) => given.plan.team[one]! > 0)!;
      given.problem.teams.count[given.plan.pool[job]!] = given.plan.team[job]! - 1;
      return true;
    },
  },
  {
    rule: "C6",
    name: "another resource name in a group",
    change: (given, draw) => {
      const { plan, problem } = given;
      const job = someJob(given, draw, (one) => {
        const { du, flow, position } = flowOf(given, one);
        return (
          flow.coResource[position] === 0 &&
          plan.pool[one]! >= 0 &&
          [0, 1].some((mate) => mate !== position && plan.team[problem.dus.firstJob[du]! + mate]! > 0)
        );
      });
      if (job === undefined) return false;
      plan.pool[job] = plan.pool[job] === 2 ? problem.dus.region[flowOf(given, job).du]! : 2;
      return true;
    },
  },
  {
    rule: "C7",
    name: "another team in a group",
    change: (given, draw) => {
      const { plan, problem } = given;
      const job = someJob(given, draw, (one) => {
        const { du, flow, position } = flowOf(given, one);
        return (
          flow.coTeam[position] === 0 && plan.pool[one]! >= 0 && [2, 3].every((mate) => plan.team[problem.dus.firstJob[du]! + mate]! > 0)
        );
      });
      if (job === undefined) return false;
      plan.team[job]! += plan.team[job] === 1 ? 1 : -1;
      return true;
    },
  },
  {
    rule: "C8",
    name: "a pegging row lost",
    change: (given, draw) => {
      const row = someRow(given.plan.allocations.du, draw, (one) => given.plan.allocations.covers[one]! > 0);
      if (row === undefined) return false;
      for (const key of Object.keys(given.plan.allocations) as (keyof Plan["allocations"])[])
        given.plan.allocations[key] = given.plan.allocations[key].filter((_: number, index: number) => index !== row) as never;
      return true;
    },
  },
  {
    rule: "C8",
    name: "called missing although it lies unused",
    change: (given, draw) => {
      const { allocations: rows, gaps } = given.plan;
      const row = someRow(rows.du, draw, (one) => rows.group[one] === -1 && !isReuse(given, rows.lot[one]!));
      if (row === undefined) return false;
      const quantity = Math.min(100, rows.quantity[row]!);
      rows.quantity[row]! -= quantity;
      rows.covers[row]! -= quantity;
      const { du, designItem } = { du: rows.du[row]!, designItem: rows.designItem[row]! };
      const with1 = <T extends Int32Array | Float64Array | Uint8Array>(column: T, value: number) =>
        (column as Float64Array).constructor === Float64Array ? Float64Array.from([...column, value]) : Int32Array.from([...column, value]);
      given.plan.gaps = {
        du: with1(gaps.du, du) as Int32Array,
        item: with1(gaps.item, designItem) as Int32Array,
        required: with1(gaps.required, quantity) as Float64Array,
        covered: with1(gaps.covered, 0) as Float64Array,
        short: with1(gaps.short, quantity) as Float64Array,
        needDay: with1(gaps.needDay, rows.need[row]!) as Int32Array,
        coverDay: with1(gaps.coverDay, none) as Int32Array,
        reason: Uint8Array.from([...gaps.reason, 0]),
      };
      return true;
    },
  },
  {
    rule: "C9",
    name: "a unit taken twice from a lot",
    change: (given, draw) => {
      const { allocations: rows } = given.plan;
      const { lots } = given.problem;
      const row = someRow(rows.du, draw, (one) => !isReuse(given, rows.lot[one]!));
      if (row === undefined) return false;
      const lot = rows.lot[row]!;
      const used = [...rows.lot.keys()].reduce((sum, one) => sum + (rows.lot[one] === lot ? rows.quantity[one]! : 0), 0);
      lots.quantity[lot] = used - 1;
      return true;
    },
  },
  {
    rule: "C9",
    name: "a lot that comes later",
    change: (given, draw) => {
      const { allocations: rows } = given.plan;
      const row = someRow(rows.du, draw, (one) => !isReuse(given, rows.lot[one]!));
      if (row === undefined) return false;
      given.problem.lots.day[rows.lot[row]!] = rows.need[row]! + 1;
      return true;
    },
  },
  {
    rule: "C9",
    name: "a lot of another region",
    change: (given, draw) => {
      const { allocations: rows } = given.plan;
      const row = someRow(rows.du, draw, (one) => !isReuse(given, rows.lot[one]!));
      if (row === undefined) return false;
      given.problem.lots.region[rows.lot[row]!] = 1 - given.problem.dus.region[rows.du[row]!]!;
      return true;
    },
  },
  {
    rule: "C9",
    name: "a day the row does not have",
    change: (given, draw) => {
      const { allocations: rows } = given.plan;
      const row = someRow(rows.du, draw);
      if (row === undefined) return false;
      rows.need[row]! += 1;
      return true;
    },
  },
  {
    rule: "C10",
    name: "more used again than there is",
    change: (given, draw) => {
      const { allocations: rows } = given.plan;
      const row = someRow(rows.du, draw, (one) => isReuse(given, rows.lot[one]!));
      if (row === undefined) return false;
      const lot = rows.lot[row]!;
      const used = [...rows.lot.keys()].reduce((sum, one) => sum + (rows.lot[one] === lot ? rows.quantity[one]! : 0), 0);
      given.problem.lots.quantity[lot] = used - 1;
      return true;
    },
  },
  {
    rule: "C10",
    name: "used before it is dismantled",
    change: (given, draw) => {
      const { allocations: rows } = given.plan;
      const row = someRow(rows.du, draw, (one) => isReuse(given, rows.lot[one]!));
      if (row === undefined) return false;
      const donor = given.problem.lots.donor[rows.lot[row]!]!;
      given.plan.end[given.problem.dus.firstJob[donor]!] = rows.need[row]! + 1;
      return true;
    },
  },
  {
    rule: "C10",
    name: "a yield other than the rates give",
    change: (given, draw) => {
      const row = someRow(given.source!.reuse, draw);
      if (row === undefined) return false;
      given.source!.reuse[row]!.damage = 9000;
      return true;
    },
  },
  {
    rule: "C11",
    name: "a part of a substitution lot more",
    change: (given, draw) => {
      const { allocations: rows } = given.plan;
      const row = someRow(rows.du, draw, (one) => rows.group[one]! >= 0);
      if (row === undefined) return false;
      rows.quantity[row]! += draw(2) ? 50 : -50;
      return true;
    },
  },
  {
    rule: "C11",
    name: "a ratio other than the group's",
    change: (given, draw) => {
      const { allocations: rows } = given.plan;
      const row = someRow(rows.du, draw, (one) => rows.group[one]! >= 0 && rows.covers[one]! > 0);
      if (row === undefined) return false;
      given.problem.substitutes.partQuantity[given.problem.substitutes.partAt[rows.group[row]!]!]! += 100;
      return true;
    },
  },
  {
    rule: "C11",
    name: "covered by another item without a group",
    change: (given, draw) => {
      const { allocations: rows } = given.plan;
      const row = someRow(rows.du, draw, (one) => rows.group[one]! === -1);
      if (row === undefined) return false;
      given.problem.lots.item[rows.lot[row]!] = 4;
      return true;
    },
  },
  {
    rule: "C12",
    name: "a gate a day off",
    change: (given, draw) => {
      const gate = someRow(given.plan.gates, draw, (one) => given.plan.gates[one] !== none);
      if (gate === undefined) return false;
      given.plan.gates[gate]! += draw(2) ? 1 : -1;
      return true;
    },
  },
  {
    rule: "C12",
    name: "an anchor before its gate",
    change: (given, draw) => {
      const job = someJob(given, draw, (one) => given.plan.binding[one] === 4);
      return job !== undefined && shift(given, job, -1);
    },
  },
  {
    rule: "C12",
    name: "a gate that opens for fewer",
    change: (given, draw) => {
      const gate = someRow(given.plan.gates, draw, (one) => given.plan.gates[one] !== none);
      if (gate === undefined) return false;
      given.problem.clusters!.needed[gate]! -= 1;
      return true;
    },
  },
  {
    rule: "C13",
    name: "no window may be open",
    change: (given) => {
      given.problem.clusters!.limit = 0;
      return given.plan.gates.some((gate) => gate !== none);
    },
  },
  {
    rule: "C13",
    name: "a window pulled into another",
    change: (given, draw) => {
      const { plan, problem } = given;
      const anchorsOf = (cluster: number) =>
        [...problem.dus.id.keys()].filter((du) => problem.dus.cluster[du] === cluster).map((du) => problem.dus.firstJob[du]! + 3);
      if (anchorsOf(0).length < 2 || anchorsOf(1).length < 1) return false;
      const all = [...anchorsOf(0), ...anchorsOf(1)];
      const day = plan.start[all[draw(all.length)]!]!;
      for (const job of all) {
        plan.start[job] = day;
        plan.end[job] = day + 1;
      }
      return true;
    },
  },
  ...(["firstStart", "lastEnd", "anchorEnd", "lateDays", "hasGap"] as const).map(
    (field): Mutant => ({
      rule: "C14",
      name: `${field} of a DU`,
      change: (given, draw) => {
        const du = draw(given.problem.dus.id.length);
        given.dus![field][du] = field === "hasGap" ? 1 - given.dus!.hasGap[du]! : given.dus![field][du]! + 1;
        return true;
      },
    }),
  ),
  ...(["required", "covered", "needDay", "coverDay", "reason"] as const).map(
    (field): Mutant => ({
      rule: "C14",
      name: `${field} of a gap`,
      change: (given, draw) => {
        const row = someRow(given.plan.gaps.du, draw);
        if (row === undefined) return false;
        given.plan.gaps[field][row]! += field === "reason" && given.plan.gaps.reason[row] === 3 ? -1 : 1;
        return true;
      },
    }),
  ),
  {
    rule: "C14",
    name: "a wait for material not told",
    change: (given) => {
      const { gaps } = given.plan;
      const row = gaps.short.indexOf(0);
      if (row < 0) return false;
      for (const key of Object.keys(gaps) as (keyof Plan["gaps"])[])
        gaps[key] = gaps[key].filter((_: number, index: number) => index !== row) as never;
      return true;
    },
  },
  ...(["opening", "required", "inbound", "reused", "issued", "closing", "missing"] as const).map(
    (field): Mutant => ({
      rule: "C15",
      name: `${field} of a movement`,
      change: (given, draw) => {
        const row = someRow(given.balance!.item, draw);
        if (row === undefined) return false;
        given.balance![field][row]! += draw(2) ? 100 : -1;
        return true;
      },
    }),
  ),
  {
    rule: "C15",
    name: "a movement left out",
    change: (given, draw) => {
      const row = someRow(given.balance!.item, draw)!;
      const { balance } = given;
      for (const key of Object.keys(balance!) as (keyof NonNullable<Publication["balance"]>)[])
        balance![key] = balance![key].filter((_: number, index: number) => index !== row) as never;
      return true;
    },
  },
  {
    rule: "C16",
    name: "a level a little better",
    change: (given, draw) => {
      given.plan.levels[draw(given.plan.levels.length)]! -= 1;
      return true;
    },
  },
  {
    rule: "C16",
    name: "a bound above what can be shown",
    change: (given, draw) => {
      const level = draw(given.plan.levels.length);
      given.bounds!.levels[level] = boundsOf(given.problem)[level]! + 1;
      return true;
    },
  },
  {
    rule: "C17",
    name: "another input",
    change: (given, draw) => {
      given.source!.hash.found = `${draw(1000)}`;
      return true;
    },
  },
  {
    rule: "C19",
    name: "a binding that is not tight",
    change: (given, draw) => {
      const job = someJob(given, draw, () => true)!;
      // Nothing is held in these plans, nothing is planned backward, and no team is waited for on the first day there is.
      given.plan.binding[job] = [7, 8, 9, 6][draw(4)]!;
      return !given.problem.base;
    },
  },
  {
    rule: "C19",
    name: "a predecessor that is none",
    change: (given, draw) => {
      const job = someJob(given, draw, (one) => given.plan.binding[one] === 1);
      if (job === undefined) return false;
      given.plan.bindingRef[job] = flowOf(given, job).position;
      return true;
    },
  },
  {
    rule: "C19",
    name: "a whole plan a day later than it need be",
    change: (given, draw) => {
      const job = someJob(given, draw, (one) => given.plan.binding[one] === 0 && given.plan.pool[one]! >= 0);
      return job !== undefined && shift(given, job, 1);
    },
  },
  {
    rule: "C19",
    name: "a kept job that says it waits",
    change: (given) => {
      if (given.problem.kept.job.length === 0) return false;
      given.plan.binding[given.problem.kept.job[0]!] = 2;
      return true;
    },
  },
  {
    rule: "C20",
    name: "a move not told",
    change: (given) => given.moves !== null && given.moves.pop() !== undefined,
  },
  {
    rule: "C20",
    name: "a move told wrong",
    change: (given, draw) => {
      const row = someRow(given.moves ?? [], draw);
      if (row === undefined) return false;
      given.moves![row]!.from += 1;
      return true;
    },
  },
  {
    rule: "C20",
    name: "a move that was none",
    change: (given, draw) => {
      if (!given.moves) return false;
      const job = someJob(given, draw, (one) => !given.moves!.some((move) => move.job === one))!;
      given.moves.push({ job, from: 0, to: given.plan.start[job]!, fromPool: -1, toPool: given.plan.pool[job]! });
      return true;
    },
  },
  {
    rule: "C20",
    name: "a frozen job in another pool",
    change: (given) => {
      const entry = given.problem.kept.state.findIndex((state, one) => state === 5 && given.problem.kept.pool[one]! >= 0);
      if (entry < 0) return false;
      given.problem.kept.pool[entry]! -= 1;
      return true;
    },
  },
];
