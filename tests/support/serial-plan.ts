import type { Plan, Problem } from "#lib/planning-engine/model/logic.ts";

const none = 1_000_000_000;
const [release, predecessor, team, material, gate, cutover, keptDates] = [0, 1, 2, 3, 4, 5, 6];

type Row = {
  du: number;
  designItem: number;
  lot: number;
  quantity: number;
  covers: number;
  group: number;
  direct: number;
  available: number;
};

/**
 * A plain planner for tests, forward only and one day at a time: jobs in the order of rank (dismantling first), each on the first day on which relations,
 * team, material and gate let it. It shares nothing with solver and checker, and gives no thought to quality.
 */
export function planSerially(problem: Problem): Plan {
  const { dus, flows, teams, kept, lots, demand, substitutes, clusters, horizonDays } = problem;
  const units = [...dus.id.keys()];
  const jobs = dus.firstJob[units.length]!;
  const start = new Int32Array(jobs).fill(none);
  const end = new Int32Array(jobs).fill(none);
  const pool = new Int32Array(jobs).fill(-1);
  const teamOf = new Int32Array(jobs);
  const binding = new Uint8Array(jobs).fill(keptDates!);
  const bindingRef = new Int32Array(jobs).fill(-1);
  const first = new Map<number, number>();
  const last = new Map<number, number>();
  const heldBy = new Map<number, number>();
  for (const [entry, job] of kept.job.entries()) heldBy.set(job, entry);
  const busy: { pool: number; team: number; from: number; to: number; du: number }[] = [];
  const left = [...lots.quantity];
  const rows: Row[] = [];
  const gaps: { du: number; item: number; required: number; short: number; need: number; late: number }[] = [];
  const flow = (du: number) => flows[dus.flow[du]!]!;
  const days = (du: number) => problem.calendars[dus.calendar[du]!]!.days;
  const positions = (du: number) => [...flow(du).durations.keys()];
  const relationsInto = (du: number, position: number) =>
    Array.from({ length: flow(du).inAt[position + 1]! - flow(du).inAt[position]! }, (_, step) => {
      const entry = flow(du).inAt[position]! + step;
      return { from: flow(du).inFrom[entry]!, kind: flow(du).inKind[entry]!, offset: flow(du).inOffset[entry]! };
    });
  const needsTeam = (du: number, position: number) => flow(du).teamClass[position]! >= 0 && flow(du).durations[position]! > 0;
  const eligible = (du: number, position: number) => {
    const cell = flow(du).teamClass[position]! * teams.regions + dus.region[du]!;
    return [...teams.eligible.slice(teams.eligibleAt[cell], teams.eligibleAt[cell + 1])];
  };
  const overlapping = (inPool: number, from: number, to: number) =>
    busy.filter((one) => one.pool === inPool && one.from < to && one.to > from);
  const isFree = (inPool: number, number: number, from: number, to: number) => {
    const others = overlapping(inPool, from, to);
    if (others.some((one) => one.team === number)) return false;
    for (let day = from; day < to; day++)
      if (others.filter((one) => one.from <= day && day < one.to).length >= teams.count[inPool]!) return false;
    return true;
  };

  // What keeps its dates comes first; its teams are numbered in order of start.
  const keptOrder = [...kept.job.keys()].sort((one, other) => kept.start[one]! - kept.start[other]! || one - other);
  const duOf = (job: number) => units.find((du) => job < dus.firstJob[du + 1]!)!;
  for (const entry of keptOrder) {
    const job = kept.job[entry]!;
    const du = duOf(job);
    const position = job - dus.firstJob[du]!;
    start[job] = kept.start[entry]!;
    end[job] = kept.end[entry]!;
    if (kept.first[entry] !== none) {
      first.set(job, kept.first[entry]!);
      last.set(job, kept.last[entry]!);
    }
    if (kept.state[entry]! <= 1 || !needsTeam(du, position)) continue;
    const choice = eligible(du, position)
      .flatMap((inPool) => Array.from({ length: teams.count[inPool]! }, (_, index) => ({ inPool, number: index + 1 })))
      .find(({ inPool, number }) => !overlapping(inPool, start[job]!, end[job]!).some((one) => one.team === number));
    pool[job] = choice?.inPool ?? eligible(du, position)[0]!;
    teamOf[job] = choice?.number ?? 0;
    busy.push({ pool: pool[job]!, team: teamOf[job]!, from: start[job]!, to: end[job]!, du });
  }

  const lotDay = (lot: number, direct: boolean) => {
    if (lots.source[lot] !== 2) return lots.day[lot]!;
    const donor = lots.donor[lot]!;
    const done = positions(donor)
      .filter((position) => flow(donor).disassembly[position])
      .map((position) => end[dus.firstJob[donor]! + position]!);
    const after = Math.max(...done);
    if (after === none || direct || lots.turnaround[lot] === 0) return after;
    const number = days(donor).findLastIndex((day) => day < after);
    return days(donor)[number + lots.turnaround[lot]!]! + 1;
  };
  const offers = (du: number, item: number, by: number) =>
    [...lots.item.keys()]
      .filter((lot) => lots.item[lot] === item && left[lot]! > 0)
      .flatMap((lot) => {
        const direct = lots.source[lot] === 2 && dus.directFrom[du]! >= 0 && dus.site[lots.donor[lot]!] === dus.directFrom[du];
        const allowed = direct || lots.region[lot] === -1 || lots.region[lot] === dus.region[du];
        const sameCluster = lots.donor[lot]! >= 0 && dus.cluster[du]! >= 0 && dus.cluster[lots.donor[lot]!] === dus.cluster[du];
        const available = lotDay(lot, direct);
        return allowed && !sameCluster && available <= by ? [{ lot, direct, available }] : [];
      })
      .sort((one, other) => other.available - one.available || one.lot - other.lot);
  /** Takes what a DU needs of the lots there are by a day, and gives what it could cover of each demand. */
  const take = (du: number, by: number) => {
    const taken: Row[] = [];
    const covered: number[] = [];
    const pick = (item: number, wanted: number, design: number, group: number): Row[] => {
      const picked: Row[] = [];
      let open = wanted;
      for (const { lot, direct, available } of offers(du, item, by)) {
        const quantity = Math.min(open, left[lot]!);
        if (quantity <= 0) break;
        left[lot]! -= quantity;
        open -= quantity;
        picked.push({ du, designItem: design, lot, quantity, covers: group < 0 ? quantity : 0, group, direct: direct ? 1 : 0, available });
      }
      return picked;
    };
    for (let entry = demand.at[du]!; entry < demand.at[du + 1]!; entry++) {
      const item = demand.item[entry]!;
      const own = pick(item, demand.quantity[entry]!, item, -1);
      taken.push(...own);
      let done = own.reduce((sum, row) => sum + row.quantity, 0);
      for (let group = substitutes.at[item]!; group < substitutes.at[item + 1]!; group++) {
        const parts = Array.from({ length: substitutes.partAt[group + 1]! - substitutes.partAt[group]! }, (_, step) => {
          const part = substitutes.partAt[group]! + step;
          return { item: substitutes.partItem[part]!, quantity: substitutes.partQuantity[part]! };
        });
        const there = (wanted: number) => offers(du, wanted, by).reduce((sum, { lot }) => sum + left[lot]!, 0);
        const whole = Math.min(
          Math.ceil((demand.quantity[entry]! - done) / substitutes.covers[group]!),
          ...parts.map((part) => Math.floor(there(part.item) / part.quantity)),
        );
        if (whole <= 0) continue;
        const used = parts.flatMap((part) => pick(part.item, whole * part.quantity, item, group));
        const covers = Math.min(demand.quantity[entry]! - done, whole * substitutes.covers[group]!);
        used[0]!.covers = covers;
        done += covers;
        taken.push(...used);
      }
      covered.push(done);
    }
    return { taken, covered };
  };
  const tryTake = (du: number, by: number) => {
    const before = [...left];
    const result = take(du, by);
    before.forEach((quantity, lot) => {
      left[lot] = quantity;
    });
    return result;
  };
  const consumes = (du: number, job: number) => {
    const entry = heldBy.get(job);
    return flow(du).material === job - dus.firstJob[du]! && (entry === undefined || kept.state[entry]! > 2);
  };
  const latestFor = (du: number, position: number) => {
    const behind = new Map([[position, 0]]);
    let span = Math.max(flow(du).durations[position]!, 1) - 1;
    for (const next of positions(du)) {
      if (heldBy.has(dus.firstJob[du]! + next)) continue;
      for (const { from, kind, offset } of relationsInto(du, next)) {
        const at = behind.get(from);
        if (at === undefined) continue;
        const [fromSpan, toSpan] = [from, next].map((one) => Math.max(flow(du).durations[one]!, 1) - 1);
        const zero = flow(du).durations[next] === 0 ? 0 : 1;
        const lag = [fromSpan! + offset + zero, offset, fromSpan! + offset - toSpan!, offset - toSpan!][kind]!;
        behind.set(next, Math.max(behind.get(next) ?? Number.NEGATIVE_INFINITY, at + lag));
      }
      if (behind.has(next)) span = Math.max(span, behind.get(next)! + Math.max(flow(du).durations[next]!, 1) - 1);
    }
    const until = days(du).findLastIndex((day) => day < horizonDays);
    return days(du)[until - span]!;
  };
  const ready = (du: number, position: number) => {
    const duration = flow(du).durations[position]!;
    const span = Math.max(duration, 1) - 1;
    let number = days(du).findIndex((day) => day >= Math.max(0, dus.release[du]!));
    let by = release!;
    let ref = -1;
    for (const { from, kind, offset } of relationsInto(du, position)) {
      const before = dus.firstJob[du]! + from;
      if (!first.has(before)) continue;
      const [s, e] = [first.get(before)!, last.get(before)!];
      const bound = [e + offset + (duration === 0 ? 0 : 1), s + offset, e + offset - span, s + offset - span][kind]!;
      if (bound > number) [number, by, ref] = [bound, predecessor!, from];
    }
    return { number, by, ref, span };
  };
  const readyDays = new Map<number, number>();
  const shortOf = (du: number, job: number, covered: number[], taken: Row[], readyDay: number) => {
    covered.forEach((done, index) => {
      const entry = demand.at[du]! + index;
      const item = demand.item[entry]!;
      const short = demand.quantity[entry]! - done;
      const lastDay = Math.max(-1, ...taken.filter((row) => row.designItem === item).map((row) => row.available));
      if (short > 0) gaps.push({ du, item, required: demand.quantity[entry]!, short, need: start[job]!, late: -1 });
      else if (!heldBy.has(job) && lastDay > readyDay)
        gaps.push({ du, item, required: demand.quantity[entry]!, short: 0, need: readyDay, late: lastDay });
    });
  };
  const place = (du: number, position: number, notBefore: number) => {
    const job = dus.firstJob[du]! + position;
    if (heldBy.has(job)) return;
    const calendar = days(du);
    const { number: from, by, ref, span } = ready(du, position);
    let [number, reason, why] = [from, by, ref];
    if (calendar[number]! < notBefore) {
      number = calendar.findIndex((day) => day >= notBefore);
      [reason, why] = [gate!, -1];
    }
    let supply = { taken: [] as Row[], covered: [] as number[] };
    if (consumes(du, job)) {
      const limit = latestFor(du, position);
      const best = tryTake(du, limit).covered.join();
      while (tryTake(du, calendar[number]!).covered.join() !== best) {
        number++;
        [reason, why] = [material!, -1];
      }
    }
    const calm = number;
    for (; ; number++) {
      const at = { from: calendar[number]!, to: calendar[number + span]! + 1 };
      if (!needsTeam(du, position)) {
        [start[job], end[job]] = [at.from, at.to];
        break;
      }
      const mates = (group: Int32Array) =>
        positions(du).filter(
          (one) => one !== position && group[one]! >= 0 && group[one] === group[position] && teamOf[dus.firstJob[du]! + one]! > 0,
        );
      const teamMates = mates(flow(du).coTeam).map((one) => dus.firstJob[du]! + one);
      const nameMates = mates(flow(du).coResource).map((one) => dus.firstJob[du]! + one);
      const choice = eligible(du, position)
        .filter((inPool) => nameMates.length === 0 || teams.resource[inPool] === teams.resource[pool[nameMates[0]!]!])
        .flatMap((inPool) => Array.from({ length: teams.count[inPool]! }, (_, index) => ({ inPool, team: index + 1 })))
        .filter((one) => teamMates.length === 0 || (one.inPool === pool[teamMates[0]!] && one.team === teamOf[teamMates[0]!]))
        .find((one) => isFree(one.inPool, one.team, at.from, at.to));
      if (choice) {
        [start[job], end[job], pool[job], teamOf[job]] = [at.from, at.to, choice.inPool, choice.team];
        busy.push({ pool: choice.inPool, team: choice.team, ...at, du });
        break;
      }
    }
    if (number > calm) [reason, why] = [team!, -1];
    if (consumes(du, job)) {
      // What is usable by the start may be more than on the day the job could begin.
      supply = take(du, start[job]!);
      rows.push(...supply.taken);
      shortOf(du, job, supply.covered, supply.taken, calendar[from]!);
    }
    binding[job] = reason;
    bindingRef[job] = why;
    first.set(job, number);
    last.set(job, number + span);
  };

  for (const entry of keptOrder) {
    const job = kept.job[entry]!;
    const du = duOf(job);
    if (!consumes(du, job)) continue;
    const { taken, covered } = take(du, start[job]!);
    rows.push(...taken);
    shortOf(du, job, covered, taken, none);
  }
  const order = units.toSorted((one, other) => dus.flow[other]! - dus.flow[one]! || dus.rank[one]! - dus.rank[other]!);
  const anchors = (du: number) => (clusters && dus.cluster[du]! >= 0 ? flow(du).anchor : -1);
  for (const du of order) for (const position of positions(du)) if (anchors(du) < 0 || position < anchors(du)) place(du, position, 0);
  const gates: number[] = [];
  const closes: number[] = [];
  clusters?.needed.forEach((needed, cluster) => {
    const members = order.filter((du) => dus.cluster[du] === cluster);
    for (const du of members) {
      const job = dus.firstJob[du]! + flow(du).anchor;
      readyDays.set(du, heldBy.has(job) ? start[job]! : days(du)[ready(du, flow(du).anchor).number]!);
    }
    const smallest = (list: number[]) => list.sort((one, other) => one - other)[needed - 1] ?? none;
    gates.push(smallest(members.map((du) => readyDays.get(du)!)));
    const clear = Math.max(0, ...closes);
    const opens = Math.max(gates[cluster]!, clusters.limit >= 0 && closes.length >= clusters.limit ? clear : 0);
    for (const du of members) {
      place(du, flow(du).anchor, opens);
      const job = dus.firstJob[du]! + flow(du).anchor;
      if (binding[job] === gate && opens > gates[cluster]!) binding[job] = cutover!;
      for (let position = flow(du).anchor + 1; position < flow(du).durations.length; position++) place(du, position, 0);
    }
    if (members.length > 0) closes.push(smallest(members.map((du) => end[dus.firstJob[du]! + flow(du).anchor]!)));
  });

  const conflicts: { job: number; days: number }[] = [];
  for (const [job, entry] of heldBy) {
    if (kept.state[entry]! <= 2) continue;
    const du = duOf(job);
    const position = job - dus.firstJob[du]!;
    const missed = relationsInto(du, position).map(({ from, kind, offset }) => {
      const before = dus.firstJob[du]! + from;
      if (heldBy.has(before)) return 0;
      const zero = flow(du).durations[position] === 0 ? 0 : 1;
      const [s, e] = [first.get(before)!, last.get(before)!];
      return [e + offset + zero - first.get(job)!, s + offset - first.get(job)!, e + offset - last.get(job)!, s + offset - last.get(job)!][
        kind
      ]!;
    });
    if (Math.max(0, ...missed) > 0) conflicts.push({ job, days: Math.max(...missed) });
  }
  const plan: Plan = {
    start,
    end,
    pool,
    team: teamOf,
    binding,
    bindingRef,
    allocations: {
      du: Int32Array.from(rows, (row) => row.du),
      designItem: Int32Array.from(rows, (row) => row.designItem),
      lot: Int32Array.from(rows, (row) => row.lot),
      quantity: Float64Array.from(rows, (row) => row.quantity),
      covers: Float64Array.from(rows, (row) => row.covers),
      group: Int32Array.from(rows, (row) => row.group),
      direct: Uint8Array.from(rows, (row) => row.direct),
      available: Int32Array.from(rows, (row) => row.available),
      need: Int32Array.from(rows, (row) => start[dus.firstJob[row.du]! + flow(row.du).material]!),
    },
    gaps: {
      du: Int32Array.from(gaps, (row) => row.du),
      item: Int32Array.from(gaps, (row) => row.item),
      required: Float64Array.from(gaps, (row) => row.required),
      covered: Float64Array.from(gaps, (row) => row.required - row.short),
      short: Float64Array.from(gaps, (row) => row.short),
      needDay: Int32Array.from(gaps, (row) => row.need),
      coverDay: Int32Array.from(gaps, (row) => (row.short > 0 ? coverLater(row) : row.late)),
      reason: Uint8Array.from(gaps, (row) => (row.short > 0 ? reasonOf(row) : 3)),
    },
    conflicts: { job: Int32Array.from(conflicts, (row) => row.job), days: Int32Array.from(conflicts, (row) => row.days) },
    gates: Int32Array.from(gates, (day) => (Number.isFinite(day) ? day : none)),
    levels: [],
  };
  plan.levels = measure();
  return plan;

  function couldCover(row: { du: number; item: number; short: number }, mayTake: (lot: number) => boolean): boolean {
    const there = (item: number) =>
      [...lots.item.keys()].filter((lot) => lots.item[lot] === item && mayTake(lot)).reduce((sum, lot) => sum + left[lot]!, 0);
    let open = row.short - there(row.item);
    for (let group = substitutes.at[row.item]!; group < substitutes.at[row.item + 1]! && open > 0; group++) {
      let whole = Math.ceil(open / substitutes.covers[group]!);
      for (let part = substitutes.partAt[group]!; part < substitutes.partAt[group + 1]!; part++)
        whole = Math.min(whole, Math.floor(there(substitutes.partItem[part]!) / substitutes.partQuantity[part]!));
      open -= whole * substitutes.covers[group]!;
    }
    return open <= 0;
  }
  function isDirect(du: number, lot: number): boolean {
    return lots.source[lot] === 2 && dus.directFrom[du]! >= 0 && dus.site[lots.donor[lot]!] === dus.directFrom[du];
  }
  function isNear(du: number, lot: number): boolean {
    return isDirect(du, lot) || lots.region[lot] === -1 || lots.region[lot] === dus.region[du];
  }
  function coverLater(row: { du: number; item: number; short: number; need: number }): number {
    if (!heldBy.has(dus.firstJob[row.du]! + flow(row.du).material)) return none;
    for (let day = row.need + 1; day < horizonDays + 100; day++)
      if (couldCover(row, (lot) => isNear(row.du, lot) && lotDay(lot, isDirect(row.du, lot)) <= day)) return day;
    return none;
  }
  function reasonOf(row: { du: number; item: number; short: number }): number {
    const known = (item: number) => lots.item.includes(item);
    const parts = [
      ...substitutes.partItem.slice(substitutes.partAt[substitutes.at[row.item]!], substitutes.partAt[substitutes.at[row.item + 1]!]),
    ];
    if (!known(row.item) && !parts.some(known)) return 1;
    return couldCover(row, (lot) => !isNear(row.du, lot)) ? 2 : 0;
  }
  function measure(): number[] {
    const ends = [...dus.id.keys()].map((du) => {
      const own = positions(du).map((position) => end[dus.firstJob[du]! + position]!);
      return flow(du).anchor >= 0 ? own[flow(du).anchor]! : Math.max(...own.filter((day) => day !== none));
    });
    const late = ends.map((day, du) => {
      const missed = conflicts.filter(({ job }) => duOf(job) === du).reduce((sum, one) => sum + one.days, 0);
      return (day === none || dus.due[du] === none ? 0 : Math.max(0, day - 1 - dus.due[du]!)) + missed;
    });
    const classes = Array.from({ length: Math.max(...dus.rankClass) + 1 }, (_, one) =>
      ends.reduce((sum, day, du) => sum + (dus.rankClass[du] === one && day !== none ? day : 0), 0),
    );
    const sum = (list: number[]) => list.reduce((total, one) => total + one, 0);
    return [
      new Set(gaps.filter(({ short }) => short > 0).map(({ du }) => du)).size,
      late.filter((one) => one > 0).length,
      sum(late),
      ...classes,
      Math.max(...[...end].filter((day) => day !== none)),
      sum(classes),
      sum(rows.filter(({ group }) => group >= 0).map(({ covers }) => covers)),
    ];
  }
}
