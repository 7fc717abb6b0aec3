import type { ErrorCode } from "#lib/errors.ts";
import { matchKey } from "../library/logic.ts";
import type { ReplicationOutcome, ReplicationStatus } from "./limits.ts";

/** What became of one activity of a copy. */
export type ActivityResult = {
  /** Name of the activity in the flow it came from. */
  activity: string;
  outcome: ReplicationOutcome;
  code: ErrorCode | null;
  params: Record<string, string | number>;
};

/** An activity that is to come into another project: its name in the flow, and its library activity there. */
export type Wanted = { name: string; library: { code: string; name: string } | null };

/** The library of the target as far as the wanted activities meet it. */
export type TargetLibrary = {
  /** Activities in use by code and by name, in small letters. */
  byCode: ReadonlyMap<string, number>;
  byName: ReadonlyMap<string, number>;
  /** Codes of activities out of use. */
  closedCodes: ReadonlySet<string>;
  /** Slots that are free, and the most a library has. */
  room: number;
  max: number;
};

/** What is to be done with each activity: a library activity that is there, one to be made, none at all (it had none), or why not. */
export type Placement =
  | { kind: "matched"; activityId: number }
  | { kind: "made" }
  | { kind: "unlinked" }
  | { kind: "failed"; code: ErrorCode; params: ActivityResult["params"] };

/**
 * Places activities one after the other: matched by code, then by name, else made while there is room. A flow holds a library activity and a name once.
 * @param taken library activities and names (small letters) the target flow holds already
 */
export function placeActivities(
  wanted: readonly Wanted[],
  library: TargetLibrary,
  taken: { activityIds: ReadonlySet<number>; names: ReadonlySet<string> },
): Placement[] {
  const ids = new Set(taken.activityIds);
  const names = new Set(taken.names);
  const fresh = new Set<string>();
  let room = library.room;
  return wanted.map(({ name, library: own }): Placement => {
    const repeated: Placement = { kind: "failed", code: "ACTIVITY_REPEAT", params: { names: name } };
    if (names.has(matchKey(name))) return repeated;
    if (!own) {
      names.add(matchKey(name));
      return { kind: "unlinked" };
    }
    const code = matchKey(own.code);
    const known = library.byCode.get(code) ?? library.byName.get(matchKey(own.name));
    if (known !== undefined) {
      if (ids.has(known)) return repeated;
      ids.add(known);
      names.add(matchKey(name));
      return { kind: "matched", activityId: known };
    }
    if (library.closedCodes.has(code) || fresh.has(code) || fresh.has(`name ${matchKey(own.name)}`)) return repeated;
    if (room === 0) return { kind: "failed", code: "LIBRARY_FULL", params: { max: library.max } };
    room--;
    fresh.add(code).add(`name ${matchKey(own.name)}`);
    names.add(matchKey(name));
    return { kind: "made" };
  });
}

/** How a copy stands with these results. */
export function statusOf(results: readonly ActivityResult[]): Exclude<ReplicationStatus, "running"> {
  const failed = results.filter(({ outcome }) => outcome === "failed").length;
  return failed === 0 ? "done" : failed < results.length ? "partly" : "failed";
}
