import { NO_DAY } from "#lib/planning-engine/model/limits.ts";
import type { Certificate, Problem } from "#lib/planning-engine/model/logic.ts";
import { firstWorkAt, type Ready, type WorkingDays } from "#lib/planning-engine/normalise/logic.ts";

/**
 * Jobs of a DU that share a team or a resource name, and the days of single teams. Pools that such a team can come from are planned team by team: a bit
 * per team and day. Teams are counted over all pools, those of pool q from `firstTeam[q]` on.
 */
export type GroupRoom = {
  /** By entry of the flat flows: first entry (counted from its flow) of those that share the team, or the resource name; -1 alone. */
  teamGroup: Int32Array;
  nameGroup: Int32Array;
  /** Pools that serve the whole group: of entry e in region r `pools[poolsAt[e * regions + r] .. poolsAt[e * regions + r + 1]]`. */
  poolsAt: Int32Array;
  pools: Int32Array;
  byTeam: Uint8Array;
  firstTeam: Int32Array;
  poolOfTeam: Int32Array;
  words: number;
  busy: Int32Array;
  /** What kept jobs hold. */
  keptBusy: Int32Array;
  /** Team of each job, from 1, in pools planned team by team; 0 without. */
  team: Int16Array;
  /** Team and resource name of the groups of each DU, at its first job + group; -1 open. */
  teamOf: Int32Array;
  nameOf: Int32Array;
  keptTeamOf: Int32Array;
  keptNameOf: Int32Array;
  /** Candidates of the group at work. */
  candidateAt: Int32Array;
  candidatePool: Int32Array;
  candidateTeam: Int32Array;
  /** Team found last. */
  found: number;
};

/** Numbers the groups of the flows: who shares a team shares its name, and who shares a name with somebody shares it with all his. */
export function findGroups({ problem, flows }: Pick<Ready, "problem" | "flows">): { teamGroup: Int32Array; nameGroup: Int32Array } {
  const teamGroup = new Int32Array(flows.position.length).fill(-1);
  const nameGroup = new Int32Array(flows.position.length).fill(-1);
  problem.flows.forEach((flow, number) => {
    const base = flows.at[number]!;
    const size = flow.durations.length;
    const teams = new Int32Array(size).map((_, place) => place);
    const names = new Int32Array(size).map((_, place) => place);
    const at = (place: number) => flows.position[base + place]!;
    let named = false;
    for (let place = 0; place < size; place++) {
      if (flows.teamClass[base + place]! < 0) continue;
      for (let other = 0; other < place; other++) {
        if (flows.teamClass[base + other]! < 0) continue;
        const sameTeam = flow.coTeam[at(place)]! >= 0 && flow.coTeam[at(place)] === flow.coTeam[at(other)];
        const sameName = flow.coResource[at(place)]! >= 0 && flow.coResource[at(place)] === flow.coResource[at(other)];
        if (sameTeam) merge(teams, place, other);
        if (sameTeam || sameName) merge(names, place, other);
        named ||= sameName;
      }
    }
    for (let place = 0; place < size; place++) {
      if (teams.some((own, other) => own === teams[place] && other !== place)) teamGroup[base + place] = teams[place]!;
      if (named && names.some((own, other) => own === names[place] && other !== place)) nameGroup[base + place] = names[place]!;
    }
  });
  return { teamGroup, nameGroup };
}

function merge(groups: Int32Array, one: number, other: number): void {
  const [low, high] = [Math.min(groups[one]!, groups[other]!), Math.max(groups[one]!, groups[other]!)];
  for (let place = 0; place < groups.length; place++) if (groups[place] === high) groups[place] = low;
}

/** Room for groups, empty; kept jobs are put in by `keepTeams`. @param grouped pools of components with groups: those of others are counted by day only */
export function newGroupRoom(ready: Ready, days: number, grouped: Int32Array[]): GroupRoom {
  const { problem, flows, jobs } = ready;
  const { teams } = problem;
  const groups = findGroups(ready);
  const firstTeam = new Int32Array(teams.count.length + 1);
  for (let pool = 0; pool < teams.count.length; pool++) firstTeam[pool + 1] = firstTeam[pool]! + teams.count[pool]!;
  const all = firstTeam[teams.count.length]!;
  const poolOfTeam = new Int32Array(all);
  const byTeam = new Uint8Array(teams.count.length);
  const poolsAt = new Int32Array(flows.position.length * teams.regions + 1);
  const pools: number[] = [];
  for (let pool = 0; pool < teams.count.length; pool++) poolOfTeam.fill(pool, firstTeam[pool]!, firstTeam[pool + 1]!);
  problem.flows.forEach((_, flow) => {
    for (let entry = flows.at[flow]!; entry < flows.at[flow + 1]!; entry++)
      for (let region = 0; region < teams.regions; region++) {
        for (const pool of poolsOf(ready, groups, flow, entry, region)) {
          pools.push(pool);
          if (groups.teamGroup[entry]! >= 0) byTeam[pool] = 1;
        }
        poolsAt[entry * teams.regions + region + 1] = pools.length;
      }
  });
  const mine = new Uint8Array(teams.count.length);
  for (const list of grouped) for (const pool of list) mine[pool] = 1;
  for (let pool = 0; pool < mine.length; pool++) if (mine[pool] === 0) byTeam[pool] = 0;
  const words = (days + 31) >> 5;
  return {
    ...groups,
    poolsAt,
    pools: Int32Array.from(pools),
    byTeam,
    firstTeam,
    poolOfTeam,
    words,
    busy: new Int32Array(all * words),
    keptBusy: new Int32Array(all * words),
    team: new Int16Array(jobs),
    teamOf: new Int32Array(jobs).fill(-1),
    nameOf: new Int32Array(jobs).fill(-1),
    keptTeamOf: new Int32Array(jobs).fill(-1),
    keptNameOf: new Int32Array(jobs).fill(-1),
    candidateAt: new Int32Array(all + teams.count.length),
    candidatePool: new Int32Array(all + teams.count.length),
    candidateTeam: new Int32Array(all + teams.count.length),
    found: -1,
  };
}

/** Pools with a team that an entry may use and that serve its whole group; where none does, those of the entry alone. */
function poolsOf({ problem, flows }: Ready, groups: ReturnType<typeof findGroups>, flow: number, entry: number, region: number): number[] {
  const { teams } = problem;
  const eligible = (own: number) => {
    const list = flows.teamClass[own]! * teams.regions + region;
    if (flows.teamClass[own]! < 0) return [];
    return [...teams.eligible.subarray(teams.eligibleAt[list]!, teams.eligibleAt[list + 1]!)].filter((pool) => teams.count[pool]! > 0);
  };
  const mates = (group: Int32Array, own: number) => {
    const found: number[] = [];
    if (group[own]! < 0) return [own];
    for (let other = flows.at[flow]!; other < flows.at[flow + 1]!; other++) if (group[other] === group[own]) found.push(other);
    return found;
  };
  /** Pools that all who share a team with an entry may use. */
  const shared = (own: number) =>
    eligible(own).filter((pool) => mates(groups.teamGroup, own).every((mate) => eligible(mate).includes(pool)));
  const serves = (pool: number) =>
    mates(groups.nameGroup, entry).every((mate) => shared(mate).some((other) => teams.resource[other] === teams.resource[pool]));
  const whole = shared(entry).filter(serves);
  return whole.length > 0 ? whole : eligible(entry);
}

/** Marks the days [from, to) of a team. */
export function setBusy({ words }: GroupRoom, busy: Int32Array, team: number, from: number, to: number): void {
  for (let day = from; day < to; day++) busy[team * words + (day >> 5)]! |= 1 << (day & 31);
}

/** Gives the days [from, to) of a team back. */
export function clearBusy({ words, busy }: GroupRoom, team: number, from: number, to: number): void {
  for (let day = from; day < to; day++) busy[team * words + (day >> 5)]! &= ~(1 << (day & 31));
}

/** Last busy day of a team in [from, to], -1 without. */
function lastBusy(room: GroupRoom, team: number, from: number, to: number): number {
  const { busy, words } = room;
  const row = team * words;
  let word = to >> 5;
  const first = from >> 5;
  let bits = busy[row + word]! & (-1 >>> (31 - (to & 31)));
  while (word > first) {
    if (bits !== 0) return (word << 5) + 31 - Math.clz32(bits);
    word--;
    bits = busy[row + word]!;
  }
  bits &= -1 << (from & 31);
  return bits === 0 ? -1 : (word << 5) + 31 - Math.clz32(bits);
}

/** First busy day of a team in [from, to], -1 without. */
function firstBusy(room: GroupRoom, team: number, from: number, to: number): number {
  for (let day = from; day <= to; day++) if ((room.busy[team * room.words + (day >> 5)]! & (1 << (day & 31))) !== 0) return day;
  return -1;
}

/** First working day on or after `at` from which a team has room for a job; below 0 without. */
export function roomOfTeam(room: GroupRoom, team: number, at: number, duration: number, calendar: WorkingDays, end: number): number {
  let own = at;
  for (;;) {
    if (own + duration > end) return -1;
    const day = lastBusy(room, team, calendar.days[own]!, calendar.days[own + duration - 1]!);
    if (day < 0) return own;
    own = firstWorkAt(calendar, day + 1);
  }
}

/** Last working day on or before `at`, not before `least`, from which a team has room for a job; below 0 without. */
export function lastRoomOfTeam(room: GroupRoom, team: number, at: number, duration: number, calendar: WorkingDays, least: number): number {
  let own = at;
  for (;;) {
    if (own < least) return -1;
    const day = firstBusy(room, team, calendar.days[own]!, calendar.days[own + duration - 1]!);
    if (day < 0) return own;
    // The job has to end before that day.
    own = firstWorkAt(calendar, day) - duration;
  }
}

/** First working day from which any team of a pool has room; the team is left in `room.found`. */
export function roomOfTeams(room: GroupRoom, pool: number, at: number, duration: number, calendar: WorkingDays, end: number): number {
  let best = -1;
  room.found = -1;
  for (let team = room.firstTeam[pool]!; team < room.firstTeam[pool + 1]!; team++) {
    const own = roomOfTeam(room, team, at, duration, calendar, best < 0 ? end : Math.min(end, best + duration - 1));
    if (own < 0) continue;
    best = own;
    room.found = team;
    if (own === at) break;
  }
  return best;
}

/** Last working day from which any team of a pool has room; the team is left in `room.found`. */
export function lastRoomOfTeams(room: GroupRoom, pool: number, at: number, duration: number, calendar: WorkingDays, least: number): number {
  let best = -1;
  room.found = -1;
  for (let team = room.firstTeam[pool]!; team < room.firstTeam[pool + 1]!; team++) {
    const own = lastRoomOfTeam(room, team, at, duration, calendar, best < 0 ? least : best + 1);
    if (own < 0) continue;
    best = own;
    room.found = team;
    if (own === at) break;
  }
  return best;
}

/**
 * Numbers the teams of kept jobs in pools planned team by team, by first fit in order of start, and lets their groups have them. Those without a team take
 * the room of an idle one day by day, so that nobody else is planned there.
 * @param order entries of `problem.kept` in order of start @param pool pool of every job
 */
export function keepTeams(ready: Ready, room: GroupRoom, order: number[], pool: Int16Array, days: number): void {
  const { problem, keptJob, duOfJob, flows } = ready;
  const { kept, dus, teams } = problem;
  const without: number[] = [];
  const until = new Int32Array(room.poolOfTeam.length).fill(-NO_DAY);
  for (const at of order) {
    const job = keptJob[at]!;
    const own = pool[job]!;
    if (own < 0) continue;
    let team = room.firstTeam[own]!;
    while (team < room.firstTeam[own + 1]! && until[team]! > kept.start[at]!) team++;
    if (team === room.firstTeam[own + 1]!) {
      without.push(at);
      continue;
    }
    until[team] = kept.end[at]!;
    const base = dus.firstJob[duOfJob[job]!]!;
    const entry = flows.at[dus.flow[duOfJob[job]!]!]! + job - base;
    if (room.nameGroup[entry]! >= 0) room.keptNameOf[base + room.nameGroup[entry]!] = teams.resource[own]!;
    if (room.byTeam[own] === 0) continue;
    if (room.teamGroup[entry]! >= 0) room.keptTeamOf[base + room.teamGroup[entry]!] = team;
    setBusy(room, room.keptBusy, team, Math.max(0, kept.start[at]!), Math.min(days, kept.end[at]!));
    room.team[job] = team - room.firstTeam[own]! + 1;
  }
  for (const at of without) {
    const own = pool[keptJob[at]!]!;
    if (room.byTeam[own] === 0) continue;
    for (let day = Math.max(0, kept.start[at]!); day < Math.min(days, kept.end[at]!); day++)
      for (let team = room.firstTeam[own]!; team < room.firstTeam[own + 1]!; team++) {
        if ((room.keptBusy[team * room.words + (day >> 5)]! & (1 << (day & 31))) !== 0) continue;
        setBusy(room, room.keptBusy, team, day, day + 1);
        break;
      }
  }
}

/** Groups of free jobs that no resource name, or no pool, can serve as a whole. */
export function withoutCommon(problem: Problem): Certificate[] {
  const { dus, flows, teams } = problem;
  const kept = new Set(problem.kept.job);
  const found: Certificate[] = [];
  const known = new Map<string, boolean>();
  for (let du = 0; du < dus.id.length; du++) {
    const flow = flows[dus.flow[du]!]!;
    for (const code of ["NO_COMMON_TEAM", "NO_COMMON_RESOURCE"] as const) {
      const group = code === "NO_COMMON_TEAM" ? flow.coTeam : flow.coResource;
      for (const number of new Set(group)) {
        if (number < 0) continue;
        const positions = [...group.keys()].filter(
          (position) =>
            group[position] === number &&
            flow.teamClass[position]! >= 0 &&
            flow.durations[position]! > 0 &&
            !kept.has(dus.firstJob[du]! + position),
        );
        if (positions.length < 2) continue;
        const key = `${code} ${dus.flow[du]} ${dus.region[du]} ${positions}`;
        let lacks = known.get(key);
        if (lacks === undefined) {
          const values = positions.map((position) => {
            const list = flow.teamClass[position]! * teams.regions + dus.region[du]!;
            const pools = [...teams.eligible.subarray(teams.eligibleAt[list]!, teams.eligibleAt[list + 1]!)];
            const staffed = pools.filter((pool) => teams.count[pool]! > 0);
            return code === "NO_COMMON_TEAM" ? staffed : staffed.map((pool) => teams.resource[pool]!);
          });
          // A job without any team has a certificate of its own.
          lacks = values.every((own) => own.length > 0) && !values[0]!.some((value) => values.every((own) => own.includes(value)));
          known.set(key, lacks);
        }
        if (lacks) found.push({ code, du, positions, needed: 1, available: 0, relax: 1 });
      }
    }
  }
  return found;
}

/** Jobs of a co-team group whose kept dates overlap, so that they cannot have the same team: a warning, by DU and positions. */
export function coTeamOverlaps({ dus, flows, kept }: Problem): { du: number; positions: [number, number] }[] {
  const found: { du: number; positions: [number, number] }[] = [];
  let du = 0;
  for (let at = 0; at < kept.job.length; at++) {
    while (dus.firstJob[du + 1]! <= kept.job[at]!) du++;
    const flow = flows[dus.flow[du]!]!;
    const position = kept.job[at]! - dus.firstJob[du]!;
    const takes = (own: number, of: number) => kept.state[own]! >= 2 && flow.teamClass[of]! >= 0 && flow.durations[of]! > 0;
    if (flow.coTeam[position]! < 0 || !takes(at, position)) continue;
    for (let other = at + 1; other < kept.job.length && kept.job[other]! < dus.firstJob[du + 1]!; other++) {
      const next = kept.job[other]! - dus.firstJob[du]!;
      if (flow.coTeam[next] !== flow.coTeam[position] || !takes(other, next)) continue;
      if (kept.start[at]! < kept.end[other]! && kept.start[other]! < kept.end[at]!) found.push({ du, positions: [position, next] });
    }
  }
  return found;
}
