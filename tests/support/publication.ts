import type { Publication } from "#lib/planning-engine/checker/logic.ts";
import type { Plan, Problem } from "#lib/planning-engine/model/logic.ts";

const none = 1_000_000_000;

/** What a run publishes beside its plan, worked out in the plainest way. */
export function publish(problem: Problem, plan: Plan): Publication {
  const { dus, flows, lots, demand } = problem;
  const units = [...dus.id.keys()];
  const duOf = (job: number) => units.find((du) => job < dus.firstJob[du + 1]!)!;
  const jobsOf = (du: number) =>
    Array.from({ length: dus.firstJob[du + 1]! - dus.firstJob[du]! }, (_, position) => dus.firstJob[du]! + position).filter(
      (job) => plan.start[job] !== none,
    );
  const anchorEnd = units.map((du) => {
    const { anchor } = flows[dus.flow[du]!]!;
    if (anchor < 0) return Math.max(...jobsOf(du).map((job) => plan.end[job]!)) - 1;
    return plan.end[dus.firstJob[du]! + anchor] === none ? none : plan.end[dus.firstJob[du]! + anchor]! - 1;
  });
  const missed = units.map((du) =>
    [...plan.conflicts.job].reduce((sum, job, row) => sum + (duOf(job) === du ? plan.conflicts.days[row]! : 0), 0),
  );
  const shortDus = [...plan.gaps.du].filter((_, row) => plan.gaps.short[row]! > 0);

  const moves: {
    item: number;
    region: number;
    day: number;
    what: "required" | "inbound" | "reused" | "issued" | "missing";
    quantity: number;
  }[] = [];
  const material = (du: number) => plan.start[dus.firstJob[du]! + flows[dus.flow[du]!]!.material]!;
  const state = (du: number) => {
    const entry = problem.kept.job.indexOf(dus.firstJob[du]! + flows[dus.flow[du]!]!.material);
    return entry < 0 ? -1 : problem.kept.state[entry]!;
  };
  const allocations = [...plan.allocations.du.keys()].map((row) => ({
    lot: plan.allocations.lot[row]!,
    quantity: plan.allocations.quantity[row]!,
    direct: plan.allocations.direct[row] === 1,
    need: plan.allocations.need[row]!,
  }));
  for (const { lot, quantity, need } of allocations)
    moves.push({ item: lots.item[lot]!, region: lots.region[lot]!, day: need, what: "issued", quantity });
  for (const lot of lots.item.keys()) {
    const place = { item: lots.item[lot]!, region: lots.region[lot]! };
    if (lots.source[lot] === 1) moves.push({ ...place, day: lots.day[lot]!, what: "inbound", quantity: lots.quantity[lot]! });
    if (lots.source[lot] !== 2) continue;
    const donor = lots.donor[lot]!;
    const done = Math.max(
      ...jobsOf(donor)
        .filter((job) => flows[dus.flow[donor]!]!.disassembly[job - dus.firstJob[donor]!])
        .map((job) => plan.end[job]!),
    );
    const days = problem.calendars[dus.calendar[donor]!]!.days;
    const later = lots.turnaround[lot] ? days[days.findLastIndex((day) => day < done) + lots.turnaround[lot]!]! + 1 : done;
    const direct = allocations.filter((row) => row.lot === lot && row.direct).reduce((sum, row) => sum + row.quantity, 0);
    moves.push({ ...place, day: done, what: "reused", quantity: direct });
    moves.push({ ...place, day: later, what: "reused", quantity: lots.quantity[lot]! - direct });
  }
  for (const du of units) {
    if (flows[dus.flow[du]!]!.material < 0 || [0, 1, 2].includes(state(du))) continue;
    for (let entry = demand.at[du]!; entry < demand.at[du + 1]!; entry++)
      moves.push({
        item: demand.item[entry]!,
        region: dus.region[du]!,
        day: material(du),
        what: "required",
        quantity: demand.quantity[entry]!,
      });
  }
  for (const [row, du] of plan.gaps.du.entries())
    moves.push({
      item: plan.gaps.item[row]!,
      region: dus.region[du]!,
      day: material(du),
      what: "missing",
      quantity: plan.gaps.short[row]!,
    });
  const real = moves.filter(({ quantity }) => quantity !== 0);
  const days = [...new Map(real.map(({ item, region, day }) => [`${item}/${region}/${day}`, { item, region, day }])).values()].sort(
    (one, other) => one.item - other.item || one.region - other.region || one.day - other.day,
  );
  const on = ({ item, region, day }: { item: number; region: number; day: number }, what: string) =>
    real
      .filter((move) => move.item === item && move.region === region && move.day === day && move.what === what)
      .reduce((sum, move) => sum + move.quantity, 0);
  const stock = ({ item, region }: { item: number; region: number }) =>
    [...lots.item.keys()]
      .filter((lot) => lots.source[lot] === 0 && lots.item[lot] === item && lots.region[lot] === region)
      .reduce((sum, lot) => sum + lots.quantity[lot]!, 0);
  const change = (row: (typeof days)[number]) => on(row, "inbound") + on(row, "reused") - on(row, "issued");
  const before = (row: (typeof days)[number]) =>
    stock(row) +
    days
      .filter((one) => one.item === row.item && one.region === row.region && one.day < row.day)
      .reduce((sum, one) => sum + change(one), 0);
  const column = (read: (row: (typeof days)[number]) => number) => Float64Array.from(days, read);

  return {
    problem,
    plan,
    bounds: { levels: plan.levels.map(() => Number.NEGATIVE_INFINITY) },
    dus: {
      firstStart: Int32Array.from(units, (du) => Math.min(none, ...jobsOf(du).map((job) => plan.start[job]!))),
      lastEnd: Int32Array.from(units, (du) => (jobsOf(du).length ? Math.max(...jobsOf(du).map((job) => plan.end[job]! - 1)) : none)),
      anchorEnd: Int32Array.from(anchorEnd),
      lateDays: Int32Array.from(
        units,
        (du) => missed[du]! + (dus.due[du] === none || anchorEnd[du] === none ? 0 : Math.max(0, anchorEnd[du]! - dus.due[du]!)),
      ),
      hasGap: Uint8Array.from(units, (du) => (shortDus.includes(du) ? 1 : 0)),
    },
    balance: {
      item: Int32Array.from(days, ({ item }) => item),
      region: Int32Array.from(days, ({ region }) => region),
      day: Int32Array.from(days, ({ day }) => day),
      opening: column(before),
      required: column((row) => on(row, "required")),
      inbound: column((row) => on(row, "inbound")),
      reused: column((row) => on(row, "reused")),
      issued: column((row) => on(row, "issued")),
      closing: column((row) => before(row) + change(row)),
      missing: column((row) => on(row, "missing")),
    },
    moves: problem.base
      ? [...plan.start.keys()].flatMap((job) => {
          const [from, to] = [problem.base!.start[job]!, plan.start[job]!];
          const [fromPool, toPool] = [problem.base!.pool[job]!, plan.pool[job]!];
          const keeps = problem.kept.job.includes(job) && problem.kept.state[problem.kept.job.indexOf(job)] !== 5;
          return from === none || keeps || (from === to && (fromPool === -1 || fromPool === toPool))
            ? []
            : [{ job, from, to, fromPool, toPool }];
        })
      : null,
    source: {
      hash: { recorded: "4f", found: "4f" },
      reuse: [...lots.donor.keys()]
        .filter((lot) => lots.donor[lot]! >= 0)
        .map((lot) => ({ lot, dismantled: lots.quantity[lot]! * 2 + 50, damage: 0, reuse: 5000, buffer: 0 })),
      clusteringRate: problem.clusters ? 6000 : null,
    },
  };
}
