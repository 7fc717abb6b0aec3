import { readFileSync } from "node:fs";

/** Megabytes a process holds now (`VmRSS`) or held at most (`VmHWM`). */
function megabytes(pid: number | undefined, what: "VmRSS" | "VmHWM"): number {
  const found = new RegExp(`^${what}:\\s+(\\d+) kB`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(found?.[1]) / 1024;
}

/** Megabytes the process holds now. */
export const presentMegabytes = (pid: number | undefined) => megabytes(pid, "VmRSS");

/** The most megabytes the process has held. */
export const peakMegabytes = (pid: number | undefined) => megabytes(pid, "VmHWM");
