import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Project } from "#lib/planning-engine/model/logic.ts";

/** An instance of a benchmark set with the best-known bounds of its makespan and its longest path. */
export type Instance = {
  name: string;
  set: string;
  parameter: number;
  replicate: number;
  project: Project;
  lower: number;
  upper: number;
  path: number;
};

/** Folder of the public scheduling instances; null where SAMPLE_DATA has none. */
export function psplibFolder(): string | null {
  const folder = join(resolve(process.env.SAMPLE_DATA ?? "../shared/data"), "psplib");
  return existsSync(join(folder, "best-known-rcpsp.csv")) ? folder : null;
}

/** All instances of a set (j30, j60, j120) in order of parameter class and replicate. */
export function readInstances(folder: string, set: string): Instance[] {
  const known = new Map<string, number[]>();
  for (const line of readFileSync(join(folder, "best-known-rcpsp.csv"), "utf8").split("\n").slice(1)) {
    const [name, file, lower, upper, path] = line.split(",");
    if (name?.toLowerCase() === set) known.set(file as string, [Number(lower), Number(upper), Number(path)]);
  }
  return readArchive(readFileSync(join(folder, `${set}.sm.tar.gz`)))
    .filter(({ name }) => name.endsWith(".sm"))
    .map(({ name, text }) => {
      const file = name.slice(name.lastIndexOf("/") + 1);
      const parts = new RegExp(`^${set}(\\d+)_(\\d+)\\.sm$`).exec(file);
      const figures = known.get(file);
      if (!parts || !figures) throw new Error(`${file} is not in the table of best-known makespans`);
      const [lower = 0, upper = 0, path = 0] = figures;
      return { name: file, set, parameter: Number(parts[1]), replicate: Number(parts[2]), project: readProject(text), lower, upper, path };
    })
    .sort((left, right) => left.parameter - right.parameter || left.replicate - right.replicate);
}

/** A project of a `.sm` file: one mode a job, renewable resources only. */
export function readProject(text: string): Project {
  const lines = text.split(/\r?\n/);
  const from = (head: RegExp) => lines.findIndex((line) => head.test(line));
  const numbers = (line: string | undefined) => (line ?? "").trim().split(/\s+/).map(Number);
  const jobs = Number(/:\s*(\d+)/.exec(lines[from(/^jobs \(incl/)] ?? "")?.[1]);
  const precedence = from(/^PRECEDENCE RELATIONS/) + 2;
  const requests = from(/^REQUESTS\/DURATIONS/) + 3;
  const capacities = Int32Array.from(numbers(lines[from(/^RESOURCEAVAILABILITIES/) + 2]));
  const durations = new Int32Array(jobs);
  const demands = new Int32Array(jobs * capacities.length);
  const outAt = new Int32Array(jobs + 1);
  const successors: number[] = [];
  const lags: number[] = [];
  for (let job = 0; job < jobs; job++) {
    const row = numbers(lines[requests + job]);
    durations[job] = row[2] as number;
    demands.set(row.slice(3, 3 + capacities.length), job * capacities.length);
    for (const successor of numbers(lines[precedence + job]).slice(3)) {
      successors.push(successor - 1);
      lags.push(row[2] as number);
    }
    outAt[job + 1] = successors.length;
  }
  return { durations, capacities, demands, outAt, outTo: Int32Array.from(successors), outLag: Int32Array.from(lags) };
}

/** Text files of a packed tape archive. */
function readArchive(packed: Uint8Array): { name: string; text: string }[] {
  const bytes = gunzipSync(packed);
  const files: { name: string; text: string }[] = [];
  for (let at = 0; at + 512 <= bytes.length; ) {
    const field = (start: number, length: number) => bytes.toString("latin1", at + start, at + start + length).replace(/\0.*$/s, "");
    const name = field(0, 100);
    if (!name) break;
    const size = Number.parseInt(field(124, 12).trim() || "0", 8);
    const kind = field(156, 1);
    if (kind === "" || kind === "0") files.push({ name, text: bytes.toString("utf8", at + 512, at + 512 + size) });
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}
