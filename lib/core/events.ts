import "server-only";
import type { PendingQuery, Row } from "postgres";
import { getSql, type Sql } from "#db/client.ts";
import { log } from "./log.ts";
import { tellEvent } from "./metrics.ts";

/** A task moved: sent by a trigger of the table, so no writer can forget it. */
export type TaskChange = {
  id: string;
  projectId: number;
  createdBy: number;
  direction: "import" | "export" | "process";
  status: string;
  progress: number;
};

/** Plan cells moved: `duIds` is null when there are too many to name. */
export type PlanChange = { projectId: number; seq: number; duIds: number[] | null; actorId: number | null };

/** Notices of a person came or were read: sent by a trigger of the table. */
export type NoticeChange = { projectId: number; userId: number };

/** A run of the planning engine moved: sent by a trigger of the table. */
export type RunChange = { projectId: number; runId: number } & Record<string, unknown>;

export type LiveEvent =
  | { kind: "task"; change: TaskChange }
  | { kind: "plan"; change: PlanChange }
  | { kind: "notice"; change: NoticeChange }
  | { kind: "run"; change: RunChange };
type Listener = (event: LiveEvent) => void;

const channels = { task: "task_changes", plan: "plan_changes", notice: "notice_changes", run: "run_changes" } as const;
/** DUs one notice names; a notice holds 8,000 bytes. */
const namedDus = 200;

/**
 * The expression that tells open screens that plan cells of a project have changed; they hear it when its transaction commits.
 * @param seq change number, or the column it stands in
 */
export function planNotice(
  sql: Sql,
  {
    seq,
    duIds,
    ...change
  }: { projectId: number; seq: number | PendingQuery<Row[]>; duIds: readonly number[] | null; actorId: number | null },
) {
  const notice: Omit<PlanChange, "seq"> = { ...change, duIds: duIds === null || duIds.length > namedDus ? null : [...duIds] };
  return sql`pg_notify(${channels.plan}, (${sql.json(notice)}::jsonb || jsonb_build_object('seq', ${seq}::bigint))::text)`;
}

type Hub = { listeners: Set<Listener>; stops: (() => Promise<void>)[]; started: Promise<void> | null };
const shared = globalThis as { milepostEvents?: Hub };

function hub(): Hub {
  shared.milepostEvents ??= { listeners: new Set(), stops: [], started: null };
  return shared.milepostEvents;
}

/** Hears every live event of the installation over the process's single listening connection; gives the function that ends it. */
export async function subscribe(listener: Listener): Promise<() => void> {
  const { listeners } = hub();
  listeners.add(listener);
  try {
    await listen();
  } catch (error) {
    listeners.delete(listener);
    throw error;
  }
  return () => void listeners.delete(listener);
}

function listen(): Promise<void> {
  const state = hub();
  state.started ??= (async () => {
    const sql = getSql();
    for (const [kind, channel] of Object.entries(channels)) {
      const { unlisten } = await sql.listen(channel, (payload) => spread(kind as keyof typeof channels, payload));
      state.stops.push(unlisten);
    }
  })().catch((error) => {
    state.started = null;
    throw error;
  });
  return state.started;
}

function spread(kind: keyof typeof channels, payload: string): void {
  let event: LiveEvent;
  try {
    event = { kind, change: JSON.parse(payload) } as LiveEvent;
  } catch {
    log.warn({ kind }, "a live event was not readable");
    return;
  }
  tellEvent(kind);
  for (const listener of hub().listeners) {
    try {
      listener(event);
    } catch (error) {
      log.warn({ error }, "a live event was not delivered");
    }
  }
}

/** Ends the listening connection. */
export async function closeEvents(): Promise<void> {
  const state = hub();
  const stops = state.stops.splice(0);
  state.started = null;
  state.listeners.clear();
  await Promise.allSettled(stops.map((stop) => stop()));
}
