import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const root = resolve(import.meta.dirname, "../../..");

/** A process under test with everything it has written. */
export type Process = { child: ChildProcess; said: () => string };

/** Starts a TypeScript file of the tests as a process on the suite's database and waits until it says that it is ready. */
export async function startProcess(script: string, databaseUrl: string, args: string[] = []): Promise<Process> {
  const child = spawn(process.execPath, ["--conditions=react-server", join(root, script), ...args], {
    cwd: root,
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      DATABASE_OWNER_URL: databaseUrl,
      MILEPOST_PROCESS: "worker",
      MILEPOST_TEST_CLOCK: "",
      VITEST: "",
    },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let said = "";
  child.stderr?.on("data", (chunk) => {
    said += chunk;
  });
  await new Promise<void>((ready, fail) => {
    child.stdout?.on("data", (chunk) => {
      said += chunk;
      if (said.includes("ready")) ready();
    });
    child.once("exit", (code) => fail(new Error(`ended with ${code}: ${said}`)));
  });
  return { child, said: () => said };
}

/** Sends a signal and waits for the end; gives the exit code, null after a kill. */
export async function end({ child }: Process, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exit = once(child, "exit") as Promise<[number | null]>;
  child.kill(signal);
  return (await exit)[0];
}

/** Waits until a condition holds; fails after the time with what was seen last. */
export async function until<T>(read: () => Promise<T>, holds: (value: T) => boolean, milliseconds = 40_000): Promise<T> {
  const last = Date.now() + milliseconds;
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    if (Date.now() > last) throw new Error(`still ${JSON.stringify(value)} after ${milliseconds} ms`);
    await pause(50);
  }
}
