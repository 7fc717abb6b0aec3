import { z } from "zod";
import { listInput } from "#lib/core/paging.ts";
import { type CancelMode, cancelModes, frozenDaysMax, type RunPhase, type RunState, runStates, stabilityWeightMax } from "./limits.ts";

const id = z.int().min(1);

/** Starts a calculation; with a base it moves as little as asked for. [ENG-22] */
export const StartRun = z.strictObject({
  versionId: id,
  base: z.union([z.strictObject({ runId: id }), z.literal("plan")]).optional(),
  stabilityWeight: z.int().min(0).max(stabilityWeightMax).default(0),
  frozenDays: z.int().min(0).max(frozenDaysMax).default(0),
});
export type StartRun = z.output<typeof StartRun>;
export type StartedRun = { runId: number; taskId: string };

/** Stops a calculation, with its best plan so far or without. [ENG-22] */
export const TerminateRun = z.strictObject({ runId: id, mode: z.enum(cancelModes) });
export type TerminateRun = z.output<typeof TerminateRun>;

export const FindRun = z.strictObject({ runId: id });
export const ListRuns = listInput({ versionId: ["eq"], status: ["eq", "in"], hasOutput: ["eq"] }, { sortable: [] });

/** The best plan so far in figures; days of the calendar. `makespan` is days from the plan start. */
export type Incumbent = { gapDus: number; lateDus: number; lateDays: number; finishDate: string | null; makespan: number };

/** Something a run has told, at a second of it: a new phase, a better plan. */
export type RunNote = { at: number; phase: RunPhase } | { at: number; incumbent: Incumbent };

/** How far a run is; the same figures travel on /api/events as `run`. */
export type RunProgress = {
  runId: number;
  versionId: number;
  status: RunState;
  phase: RunPhase;
  percent: number;
  elapsedS: number;
  evaluations: number;
  evaluationLimit: number;
  /** Place among the runs that wait, from 1; null while it does not. */
  queuePosition: number | null;
  incumbent: Incumbent | null;
  bound: { makespan: number } | null;
  /** What it has told since its start; the call says it, the live line does not. */
  notes?: RunNote[];
  heartbeatAt: Date | null;
  cancelMode: CancelMode | null;
  /** What it ended with, in the language of the caller; null while it runs and after a success. */
  message: string | null;
};

/** A run in a list, and the head of its outputs. */
export type RunHead = {
  id: number;
  versionId: number;
  versionName: string;
  status: RunState;
  phase: RunPhase;
  percent: number;
  seed: number;
  stoppedEarly: boolean;
  hasOutput: boolean;
  planStartDate: string;
  baseRunId: number | null;
  basePlan: boolean;
  stabilityWeight: number;
  frozenDays: number;
  errorCode: string | null;
  message: string | null;
  incumbent: Incumbent | null;
  /** Inputs of the version have changed since the run was started. */
  inputsChanged: boolean;
  requestedBy: string;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
};

/** Why a plan is not possible, or was not found. Quantities in units, days in days; `detail` in the language of the caller. */
export type DiagnosisRow = {
  code: string;
  duId: number | null;
  duCode: string | null;
  activity: string | null;
  detail: string;
  needed: number | null;
  available: number | null;
  relax: number | null;
};
/** At most 20 rows of a DU and 1,000 of a run; `counts` has all, by code. */
export type Diagnosis = { rows: DiagnosisRow[]; counts: Record<string, number> };

/** What a task of the worker keeps of a run. */
export const RunParams = z.object({ runId: id });
export type RunParams = z.output<typeof RunParams>;

export const runStatus = z.enum(runStates);
