import type { Component } from "#lib/planning-engine/components/logic.ts";
import type { Workspace } from "#lib/planning-engine/sgs/logic.ts";
import { CHECKPOINTS } from "./limits.ts";

/** What pools and lots of a component hold at a place of its list. */
export type Checkpoint = { free: Int16Array; next: Int16Array; remaining: Float64Array };

/** First place of a part of a list with so many jobs. */
export function partAt(jobs: number, part: number): number {
  return Math.ceil((jobs * part) / CHECKPOINTS);
}

/** Room for the checkpoints of a component. */
export function newCheckpoints(work: Workspace, { pools, lots }: Component): Checkpoint[] {
  const size = pools.length * (work.days + 1);
  return Array.from({ length: CHECKPOINTS }, () => ({
    free: new Int16Array(size),
    next: new Int16Array(size),
    remaining: new Float64Array(lots.length),
  }));
}

/** Keeps what a component holds. */
export function storeCheckpoint(work: Workspace, { pools, lots }: Component, into: Checkpoint): void {
  const stride = work.days + 1;
  for (let at = 0; at < pools.length; at++) {
    const row = pools[at]! * stride;
    into.free.set(work.free.subarray(row, row + stride), at * stride);
    into.next.set(work.next.subarray(row, row + stride), at * stride);
  }
  for (let at = 0; at < lots.length; at++) into.remaining[at] = work.remaining[lots[at]!]!;
}

/** Puts back what a component held. */
export function restoreCheckpoint(work: Workspace, { pools, lots }: Component, from: Checkpoint): void {
  const stride = work.days + 1;
  for (let at = 0; at < pools.length; at++) {
    const row = pools[at]! * stride;
    work.free.set(from.free.subarray(at * stride, (at + 1) * stride), row);
    work.next.set(from.next.subarray(at * stride, (at + 1) * stride), row);
  }
  for (let at = 0; at < lots.length; at++) work.remaining[lots[at]!] = from.remaining[at]!;
}
