import "server-only";
import { getSql } from "#db/client.ts";
import { answerDirectly } from "./direct-door.ts";
import { closeStreams } from "./event-stream.ts";
import { closeEvents } from "./events.ts";
import { startHeartbeat } from "./heartbeat.ts";
import { log } from "./log.ts";
import { watchTrust } from "./trust.ts";

const hardExitMs = 5_000;
const retryMs = 2_000;
const shared = globalThis as { milepostWeb?: boolean; milepostDoor?: typeof answerDirectly };

/** What a web process does beside answering: it tells that it lives, forgets what others change, and lets go of its open streams when it is asked to end. */
export function startWebProcess(): void {
  if (shared.milepostWeb) return;
  shared.milepostWeb = true;
  // The server of `scripts/web.mjs` asks it before the framework.
  shared.milepostDoor = answerDirectly;
  if (process.env.NODE_ENV === "production") logConsole();
  let leaving = false;
  const stops: (() => Promise<void>)[] = [];
  const keepTrying = (start: () => Promise<() => Promise<void>>, name: string) => {
    start().then(
      (stop) => {
        stops.push(stop);
        if (leaving) void stop();
      },
      (error) => {
        log.warn({ error }, `${name} not started`);
        setTimeout(() => keepTrying(start, name), retryMs).unref();
      },
    );
  };
  keepTrying(() => startHeartbeat("web"), "heartbeat");
  keepTrying(() => watchTrust(getSql()), "watch over changes");
  const leave = () => {
    if (leaving) return;
    leaving = true;
    setTimeout(() => process.exit(0), hardExitMs).unref();
    closeStreams();
    for (const stop of stops) void stop().catch(() => {});
    void closeEvents();
  };
  process.once("SIGTERM", leave);
  process.once("SIGINT", leave);
}

/** The framework writes errors to the console, with the values they happened with: here they become lines of the log. */
function logConsole(): void {
  for (const [name, level] of [
    ["error", "error"],
    ["warn", "warn"],
    ["info", "info"],
    ["log", "info"],
  ] as const) {
    console[name] = (...parts: unknown[]) => {
      const error = parts.find((part) => part instanceof Error);
      const text = parts.filter((part) => typeof part === "string").join(" ");
      log[level]({ ...(error !== undefined && { error }) }, error === undefined ? text.trim() : "the framework reports an error");
    };
  }
}
