// What the processes of an installation are started with, by serve.mjs and in a container alike. Plain Node, no dependency.
import { totalmem } from "node:os";
import { join } from "node:path";

const HEADER_BYTES = 64 * 1024;

/** Megabytes of the heap: for what is young, and at most. */
const HEAPS = {
  // Of 75 MB in use: a heap with a high limit lets garbage grow to four times that before it looks.
  web: { young: 8, most: 512 },
  // Imports and exports hold what they work on.
  worker: { young: 16, most: 2048 },
};

/**
 * Limits of a process's memory as arguments of Node, never more than half of the machine's.
 * @param {"web" | "worker"} name
 */
export function heapLimits(name) {
  const { young, most } = HEAPS[name];
  return [`--max-semi-space-size=${young}`, `--max-old-space-size=${Math.min(most, Math.floor(totalmem() / 2 ** 21))}`];
}

/** Further arguments of Node: addresses of the web may be long, the worker takes what servers take. */
export const nodeArguments = { web: [`--max-http-header-size=${HEADER_BYTES}`], worker: ["--conditions=react-server"] };

/**
 * The environment of a process.
 * @param {"web" | "worker" | "migrate"} name
 * @param {NodeJS.ProcessEnv} env
 * @param {string} [dataDir] where compiled code may be kept
 */
export function processEnvironment(name, env, dataDir) {
  const own = {
    ...env,
    MILEPOST_PROCESS: name,
    TZ: "UTC",
    NEXT_TELEMETRY_DISABLED: "1",
    // Every thread that packs answers would else keep freed memory of its own.
    MALLOC_ARENA_MAX: "2",
  };
  if (name === "web") {
    // It serves strangers: it never sees the owner's login.
    delete own.DATABASE_OWNER_URL;
    // Else large arrays that are freed raise it, later ones come out of the heap, and what is freed below a living one stays.
    own.MALLOC_MMAP_THRESHOLD_ = "131072";
  }
  // The worker, and the process it starts for every file, load their code compiled from the second time on.
  else if (dataDir) own.NODE_COMPILE_CACHE = join(dataDir, "compiled");
  return own;
}
