/**
 * The schedule of one DU by a second, slow method: dates are real calendar days, working days are found by walking from day to day, and every pass
 * applies its bounds again and again until nothing changes any more, in no particular order. Written from the description of the semantics alone.
 */

/** One activity of a DU. Days are whole numbers, any epoch whose day 0 is a Saturday; null = no date. */
export type SlowActivity = {
  name: string;
  leadTime: number;
  anchor: boolean;
  notApplicable: boolean;
  fixed: boolean;
  suspended: boolean;
  frozen: boolean;
  mosFrozen: boolean;
  planStart: number | null;
  planEnd: number | null;
  actualStart: number | null;
  actualEnd: number | null;
};
export type SlowRelation = { before: string; after: string; type: "FS" | "SS" | "FF" | "SF"; offset: number };
export type SlowCall = {
  activities: SlowActivity[];
  relations: SlowRelation[];
  isWorkingDay: (day: number) => boolean;
  mode: "BOTH" | "BACKWARD" | "FORWARD";
  asOf: number;
  latest: number;
  refuseAsReleased: boolean;
  /** Anchors of the request by name. */
  requested: Record<string, { start: number | null; end: number | null }>;
};
export type SlowAnswer =
  | { refused: string; names: string[] }
  | { refused: null; plan: Record<string, { start: number | null; end: number | null }>; warnings: string[] };

type Dates = { s: number; e: number };

/** Schedules one DU and gives its whole plan afterwards, with the warnings as "CONFLICT E 2", "UNLINKED G", "PAST_DATE A". */
export function slowSchedule(call: SlowCall): SlowAnswer {
  const { activities, relations, isWorkingDay, mode, asOf } = call;
  const named = new Map(activities.map((activity) => [activity.name, activity]));

  const up = (day: number): number => (isWorkingDay(day) ? day : up(day + 1));
  const down = (day: number): number => (isWorkingDay(day) ? day : down(day - 1));
  const walk = (day: number, steps: number): number => {
    let at = day;
    for (let left = steps; left > 0; left--) at = up(at + 1);
    for (let left = steps; left < 0; left++) at = down(at - 1);
    return at;
  };
  const workingDaysFrom = (from: number, to: number): number => {
    let count = 0;
    for (let day = Math.min(from, to); day < Math.max(from, to); day++) if (isWorkingDay(day)) count++;
    return from <= to ? count : -count;
  };

  const hasActual = (a: SlowActivity) => a.actualStart !== null || a.actualEnd !== null;
  const hasPlan = (a: SlowActivity) => a.planStart !== null || a.planEnd !== null;
  const duration = (a: SlowActivity) => (a.notApplicable ? 0 : a.leadTime);
  const length = (a: SlowActivity) => Math.max(duration(a), 1) - 1;

  // Anchors of the request that count, and those that do not.
  const warnings: string[] = [];
  const counted = new Set<string>();
  const frozenRequests: string[] = [];
  const unknownRequests: string[] = [];
  for (const name of Object.keys(call.requested)) {
    const activity = named.get(name);
    if (!activity) unknownRequests.push(name);
    else if (activity.notApplicable || hasActual(activity)) warnings.push(`ANCHOR_IGNORED ${name}`);
    else {
      counted.add(name);
      if (activity.frozen) frozenRequests.push(name);
    }
  }

  // Roles: the first that fits.
  const roleOf = (a: SlowActivity): "NA" | "ANCHOR" | "STARTED" | "KEPT" | "FROZEN" | "FREE" => {
    if (a.notApplicable) return "NA";
    if (counted.has(a.name)) return "ANCHOR";
    if (a.anchor && (counted.size === 0 || hasActual(a) || hasPlan(a))) return "ANCHOR";
    if (hasActual(a)) return "STARTED";
    if ((a.fixed || a.suspended) && hasPlan(a)) return "KEPT";
    if (a.frozen) return "FROZEN";
    return "FREE";
  };
  const roles = new Map(activities.map((a) => [a.name, roleOf(a)]));
  const anchors = activities.filter((a) => roles.get(a.name) === "ANCHOR");
  if (anchors.length === 0) return { refused: "NO_ANCHOR", names: [] };
  const empty = anchors.filter((a) => !counted.has(a.name) && !hasActual(a) && !hasPlan(a));
  if (empty.length > 0) return { refused: "ANCHOR_DATES_EMPTY", names: empty.map((a) => a.name) };
  if (unknownRequests.length > 0) return { refused: "NO_ACTIVITY", names: unknownRequests };
  if (frozenRequests.length > 0) return { refused: "FROZEN", names: frozenRequests };

  // Everything reached from an anchor along the relations, in one direction or the other.
  const reached = (forward: boolean): Set<string> => {
    const found = new Set<string>();
    for (let grown = true; grown; ) {
      grown = false;
      for (const { before, after } of relations) {
        const [from, to] = forward ? [before, after] : [after, before];
        if ((roles.get(from) === "ANCHOR" || found.has(from)) && !found.has(to)) {
          found.add(to);
          grown = true;
        }
      }
    }
    return found;
  };
  const successors = reached(true);
  const predecessors = reached(false);
  const inBackward = (name: string) => mode !== "FORWARD" && predecessors.has(name) && (mode === "BACKWARD" || !successors.has(name));
  const inForward = (name: string) => (mode === "BOTH" ? !inBackward(name) : mode === "FORWARD" && successors.has(name));
  const mayMove = (name: string) => inBackward(name) || inForward(name);

  // Step 1: the dates of what does not move.
  const dates = new Map<string, Dates>();
  for (const a of activities) {
    const role = roles.get(a.name);
    const outside = (role === "FREE" || role === "FROZEN") && !mayMove(a.name);
    if (role === "NA" || ((role === "FREE" || role === "FROZEN") && !outside)) continue;
    if (hasActual(a)) {
      if (a.actualEnd !== null) {
        const e = down(a.actualEnd);
        const s = a.actualStart === null ? walk(e, -length(a)) : up(a.actualStart);
        dates.set(a.name, { s: Math.min(s, e), e });
      } else {
        const s = up(a.actualStart!);
        dates.set(a.name, { s, e: Math.max(walk(s, length(a)), up(asOf)) });
      }
      continue;
    }
    const given = counted.has(a.name) ? call.requested[a.name]! : { start: a.planStart, end: a.planEnd };
    if (given.start === null && given.end === null) continue;
    const s = given.start === null ? null : up(given.start);
    const e = given.end === null ? null : role === "ANCHOR" ? up(given.end) : down(given.end);
    dates.set(a.name, { s: s ?? walk(e!, -length(a)), e: e ?? walk(s!, length(a)) });
  }
  const entered = new Set(dates.keys());

  // Latest end by one successor, earliest start by one predecessor.
  const latestEnd = (i: SlowActivity, relation: SlowRelation, j: SlowActivity, at: Dates): number => {
    if (relation.type === "FS") return walk(at.s, -(relation.offset + (duration(j) === 0 ? 0 : 1)));
    if (relation.type === "FF") return walk(at.e, -relation.offset);
    const latestStart = walk(relation.type === "SS" ? at.s : at.e, -relation.offset);
    return walk(latestStart, length(i));
  };
  const earliestStart = (j: SlowActivity, relation: SlowRelation, at: Dates): number => {
    if (relation.type === "FS") return walk(at.e, relation.offset + (duration(j) === 0 ? 0 : 1));
    if (relation.type === "SS") return walk(at.s, relation.offset);
    return walk(walk(relation.type === "FF" ? at.e : at.s, relation.offset), -length(j));
  };
  const settle = (names: string[], datesOf: (a: SlowActivity) => Dates | null): boolean => {
    let some = false;
    for (let changed = true; changed; ) {
      changed = false;
      for (const name of names) {
        const found = datesOf(named.get(name)!);
        const present = dates.get(name);
        if (!found || (present?.s === found.s && present.e === found.e)) continue;
        dates.set(name, found);
        changed = true;
        some = true;
      }
    }
    return some;
  };
  const byEnd = (a: SlowActivity, ends: number[]): Dates | null => {
    if (ends.length === 0) return null;
    const e = Math.min(...ends);
    return { s: walk(e, -length(a)), e };
  };
  const byStart = (a: SlowActivity, starts: number[]): Dates | null => {
    if (starts.length === 0) return null;
    const s = Math.max(...starts);
    return { s, e: walk(s, length(a)) };
  };
  const boundsAfter = (a: SlowActivity, withStarted: boolean) =>
    relations
      .filter((r) => r.before === a.name && dates.has(r.after) && (withStarted || roles.get(r.after) !== "STARTED"))
      .map((r) => latestEnd(a, r, named.get(r.after)!, dates.get(r.after)!));
  const boundsBefore = (a: SlowActivity) =>
    relations.filter((r) => r.after === a.name && dates.has(r.before)).map((r) => earliestStart(a, r, dates.get(r.before)!));

  // Steps 2 and 3.
  const all = activities.map((a) => a.name);
  const backward = all.filter((name) => inBackward(name) && !dates.has(name));
  settle(backward, (a) => byEnd(a, boundsAfter(a, false)));
  for (let changed = true; changed; ) {
    const remaining = all.filter((name) => mayMove(name) && !dates.has(name));
    changed = settle(remaining, (a) => byStart(a, boundsBefore(a)));
    const left = remaining.filter((name) => !dates.has(name));
    changed = settle(left, (a) => byEnd(a, boundsAfter(a, true))) || changed;
  }

  // Checks of what was computed or would be written.
  const judged = activities.filter(
    (a) => roles.get(a.name) !== "NA" && dates.has(a.name) && (counted.has(a.name) || (mayMove(a.name) && !entered.has(a.name))),
  );
  const names = (list: SlowActivity[]) => list.map((a) => a.name);
  const tooFar = judged.filter((a) => dates.get(a.name)!.e > call.latest);
  if (tooFar.length > 0) return { refused: "PLAN_TOO_FAR", names: names(tooFar) };
  const tooEarly = judged.filter((a) => dates.get(a.name)!.s < 1);
  if (tooEarly.length > 0) return { refused: "DATE_OUT_OF_RANGE", names: names(tooEarly) };
  if (call.refuseAsReleased) return { refused: "CHANGE_CONTROL", names: [] };
  const moved = judged.filter((a) => {
    const { s, e } = dates.get(a.name)!;
    if (counted.has(a.name)) return a.planStart !== s || a.planEnd !== e;
    return a.planStart === null || a.planEnd === null || up(a.planStart) !== s || down(a.planEnd) !== e;
  });
  const mos = moved.filter((a) => a.mosFrozen);
  if (mos.length > 0) return { refused: "MOS_FROZEN", names: names(mos) };
  const blocked = moved.filter((a) => roles.get(a.name) === "FROZEN");
  if (blocked.length > 0) return { refused: "FROZEN_BLOCKS", names: names(blocked) };

  // The plan afterwards and what is pointed out.
  const plan: Record<string, { start: number | null; end: number | null }> = {};
  for (const a of activities) plan[a.name] = { start: a.planStart, end: a.planEnd };
  for (const a of moved) plan[a.name] = { start: dates.get(a.name)!.s, end: dates.get(a.name)!.e };
  for (const a of activities) {
    const role = roles.get(a.name);
    if (role === "NA") continue;
    if (mayMove(a.name) && !dates.has(a.name)) warnings.push(`UNLINKED ${a.name}`);
    const own = dates.get(a.name);
    if (own && (role === "ANCHOR" || role === "KEPT")) {
      const late = relations
        .filter((r) => r.after === a.name && dates.has(r.before))
        .map((r) => {
          const other = dates.get(r.before)!;
          if (r.type === "FS") return workingDaysFrom(own.s, walk(other.e, r.offset + (duration(a) === 0 ? 0 : 1)));
          if (r.type === "SS") return workingDaysFrom(own.s, walk(other.s, r.offset));
          return workingDaysFrom(own.e, walk(r.type === "FF" ? other.e : other.s, r.offset));
        });
      const most = Math.max(0, ...late);
      if (most > 0) warnings.push(`CONFLICT ${a.name} ${most}`);
    }
    const start = plan[a.name]!.start ?? own?.s ?? null;
    if (!hasActual(a) && start !== null && start < asOf) warnings.push(`PAST_DATE ${a.name}`);
  }
  return { refused: null, plan, warnings };
}
