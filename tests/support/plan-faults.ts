import type { Plan, Problem } from "#lib/planning-engine/model/logic.ts";

const noDay = 1_000_000_000;

/** What is wrong with a forward plan, by the plain definitions: dates on working days, relations, teams and their number, lots. Kept jobs are not looked at. */
export function planFaults(problem: Problem, plan: Plan): string[] {
  const { dus, flows, calendars, teams, lots, kept } = problem;
  const faults: string[] = [];
  const isKept = new Set(kept.job);
  const workOf = calendars.map(({ days }) => new Map(Array.from(days, (day, work) => [day, work])));
  const held = new Map<string, [number, number, number][]>();
  for (let du = 0; du < dus.id.length; du++) {
    const flow = flows[dus.flow[du]!]!;
    const work = workOf[dus.calendar[du]!]!;
    const base = dus.firstJob[du]!;
    const first = (position: number) => work.get(plan.start[base + position]!) ?? -1;
    const last = (position: number) => work.get(plan.end[base + position]! - 1) ?? -1;
    for (let position = 0; position < flow.durations.length; position++) {
      const job = base + position;
      const name = `DU ${du} position ${position}`;
      if (plan.pool[job]! >= 0) {
        const key = `${plan.pool[job]} ${plan.team[job]}`;
        const list = held.get(key) ?? [];
        list.push([plan.start[job]!, plan.end[job]!, job]);
        held.set(key, list);
        if (plan.team[job]! > teams.count[plan.pool[job]!]! || (plan.team[job]! < 1 && !isKept.has(job)))
          faults.push(`${name}: team ${plan.team[job]}`);
      }
      if (isKept.has(job)) continue;
      if (plan.start[job]! < dus.release[du]!) faults.push(`${name} starts before its release`);
      if (first(position) < 0 || last(position) - first(position) + 1 !== Math.max(1, flow.durations[position]!))
        faults.push(`${name}: wrong days`);
      const needs = flow.durations[position]! > 0 && flow.teamClass[position]! >= 0;
      if (needs) {
        const list = flow.teamClass[position]! * teams.regions + dus.region[du]!;
        if (!teams.eligible.subarray(teams.eligibleAt[list]!, teams.eligibleAt[list + 1]!).includes(plan.pool[job]!))
          faults.push(`${name}: wrong pool`);
      } else if (plan.pool[job] !== -1) faults.push(`${name} holds a team for nothing`);
      for (let arc = flow.inAt[position]!; arc < flow.inAt[position + 1]!; arc++) {
        const from = flow.inFrom[arc]!;
        if (plan.start[base + from] === noDay) continue;
        const kind = flow.inKind[arc]!;
        const source = kind === 0 || kind === 2 ? last(from) : first(from);
        const target = kind === 0 || kind === 1 ? first(position) : last(position);
        if (target < source + flow.inOffset[arc]! + (kind === 0 && flow.durations[position]! > 0 ? 1 : 0))
          faults.push(`${name}: relation from ${from}`);
      }
    }
  }
  for (const [key, list] of held) {
    if (key.endsWith(" 0")) continue;
    list.sort((left, right) => left[0] - right[0]);
    for (let at = 1; at < list.length; at++)
      if (list[at]![0] < list[at - 1]![1]) faults.push(`team ${key} does jobs ${list[at - 1]![2]} and ${list[at]![2]} at once`);
  }
  const used = new Float64Array(lots.item.length);
  const covered = new Map<string, number>();
  const { allocations, gaps } = plan;
  for (let at = 0; at < allocations.du.length; at++) {
    const du = allocations.du[at]!;
    const lot = allocations.lot[at]!;
    used[lot]! += allocations.quantity[at]!;
    const job = dus.firstJob[du]! + flows[dus.flow[du]!]!.material;
    if (lots.day[lot]! > plan.start[job]!) faults.push(`DU ${du} uses lot ${lot} before it comes`);
    if (lots.region[lot]! >= 0 && lots.region[lot] !== dus.region[du]) faults.push(`DU ${du} uses lot ${lot} of another region`);
    const key = `${du} ${allocations.designItem[at]}`;
    covered.set(key, (covered.get(key) ?? 0) + allocations.covers[at]!);
  }
  used.forEach((units, lot) => {
    if (units > lots.quantity[lot]!) faults.push(`lot ${lot} is used up twice`);
  });
  for (let at = 0; at < gaps.du.length; at++) {
    const key = `${gaps.du[at]} ${gaps.item[at]}`;
    covered.set(key, (covered.get(key) ?? 0) + gaps.short[at]!);
  }
  for (let du = 0; du < dus.id.length; du++)
    for (let at = problem.demand.at[du]!; at < problem.demand.at[du + 1]!; at++)
      if ((covered.get(`${du} ${problem.demand.item[at]}`) ?? 0) !== problem.demand.quantity[at])
        faults.push(`DU ${du}: item ${problem.demand.item[at]} does not add up`);
  return faults;
}
