import "server-only";
import { log } from "./log.ts";

/** Upper bounds of the histogram's steps, in seconds. */
const steps = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;
/** A read slower than this is worth a line of the log. */
const slowMs = 1_000;

type Calls = { counts: Map<number, number>; steps: number[]; count: number; seconds: number };
type Meters = { calls: Map<string, Calls>; events: Map<string, number>; streams: number };
const shared = globalThis as { milepostMeters?: Meters };

function meters(): Meters {
  shared.milepostMeters ??= { calls: new Map(), events: new Map(), streams: 0 };
  return shared.milepostMeters;
}

/**
 * Counts an answered call and says so in the log: changes, refusals and slow reads at level info, other reads at debug.
 * @param address as declared, never as it was asked, so that the number of rows stays small
 */
export function tellCall(call: { address: string; kind?: "read" | "write" | undefined }, status: number, ms: number): void {
  const { calls } = meters();
  let row = calls.get(call.address);
  if (!row) {
    row = { counts: new Map(), steps: steps.map(() => 0), count: 0, seconds: 0 };
    calls.set(call.address, row);
  }
  row.counts.set(status, (row.counts.get(status) ?? 0) + 1);
  row.count++;
  row.seconds += ms / 1000;
  const step = steps.findIndex((most) => ms <= most * 1000);
  if (step >= 0) row.steps[step]!++;
  const quiet = call.kind === "read" && status < 400 && ms < slowMs;
  const line = { address: call.address, status, ms: Math.round(ms * 10) / 10 };
  // The answer goes first: a line is written to its file at once.
  setImmediate(() => log[quiet ? "debug" : "info"](line, "call"));
}

/** Counts a live event that reached this process. */
export function tellEvent(kind: string): void {
  const { events } = meters();
  events.set(kind, (events.get(kind) ?? 0) + 1);
}

/** Counts open streams of live events: 1 when one opens, -1 when it ends. */
export function tellStream(change: 1 | -1): void {
  meters().streams += change;
}

/** One metric with its values by labels. */
export type Metric = {
  name: string;
  help: string;
  type: "counter" | "gauge";
  values: { labels?: Record<string, string>; value: number }[];
};

/** What this process has counted and holds, and what is given beside it, in the text format of Prometheus. */
export function metricsText(others: readonly Metric[]): string {
  const { calls, events, streams } = meters();
  const memory = process.memoryUsage();
  const own: Metric[] = [
    {
      name: "milepost_calls_total",
      help: "Answered calls by address and status.",
      type: "counter",
      values: [...calls].flatMap(([address, { counts }]) =>
        [...counts].map(([status, value]) => ({ labels: { address, status: String(status) }, value })),
      ),
    },
    {
      name: "milepost_live_events_total",
      help: "Live events that reached this process.",
      type: "counter",
      values: [...events].map(([kind, value]) => ({ labels: { kind }, value })),
    },
    { name: "milepost_live_streams", help: "Open streams of live events.", type: "gauge", values: [{ value: streams }] },
    { name: "process_resident_memory_bytes", help: "Memory of this process.", type: "gauge", values: [{ value: memory.rss }] },
    { name: "nodejs_heap_used_bytes", help: "Heap in use.", type: "gauge", values: [{ value: memory.heapUsed }] },
    { name: "process_uptime_seconds", help: "Age of this process.", type: "gauge", values: [{ value: process.uptime() }] },
  ];
  const lines = [...own, ...others].filter(({ values }) => values.length > 0).flatMap(metricLines);
  return `${[...lines, ...histogramLines(calls)].join("\n")}\n`;
}

function metricLines({ name, help, type, values }: Metric): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...values.map(({ labels, value }) => `${name}${labelText(labels)} ${value}`)];
}

function histogramLines(calls: Map<string, Calls>): string[] {
  if (calls.size === 0) return [];
  const name = "milepost_call_seconds";
  return [
    `# HELP ${name} Seconds from the arrival of a call to its answer.`,
    `# TYPE ${name} histogram`,
    ...[...calls].flatMap(([address, row]) => {
      let sum = 0;
      const buckets = steps.map((most, at) => {
        sum += row.steps[at]!;
        return `${name}_bucket${labelText({ address, le: String(most) })} ${sum}`;
      });
      return [
        ...buckets,
        `${name}_bucket${labelText({ address, le: "+Inf" })} ${row.count}`,
        `${name}_sum${labelText({ address })} ${row.seconds}`,
        `${name}_count${labelText({ address })} ${row.count}`,
      ];
    }),
  ];
}

function labelText(labels: Record<string, string> | undefined): string {
  if (!labels) return "";
  const quoted = (text: string) => text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
  return `{${Object.entries(labels)
    .map(([name, value]) => `${name}="${quoted(value)}"`)
    .join(",")}}`;
}
