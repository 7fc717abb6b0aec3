import type { Installation } from "./installation.ts";
import { line } from "./measure.ts";
import { presentMegabytes } from "./memory.ts";

const restSeconds = 30;

type Measurement = (installation: Installation) => Promise<void>;

/**
 * In the order of a whole run: what is measured on the 10,000 DUs as they are comes before what writes all of them, and imports, which add some, before what has
 * a project of its own. Each is loaded when it is asked for: the memory of the planning engine is measured in this process.
 */
const all: Record<string, () => Promise<Measurement>> = {
  tile: async () => (await import("./tile.ts")).benchTile,
  isolation: async () => (await import("./isolation.ts")).benchIsolation,
  filter: async () => (await import("./filter.ts")).benchFilter,
  summary: async () => (await import("./summary.ts")).benchSummary,
  cell: async () => (await import("./cell.ts")).benchCell,
  paste: async () => (await import("./paste.ts")).benchPaste,
  batch: async () => (await import("./batch.ts")).benchBatch,
  grid: async () => (await import("./grid.ts")).benchGrid,
  timeline: async () => (await import("./timeline.ts")).benchTimeline,
  bytes: async () => (await import("./bytes.ts")).benchBytes,
  export: async () => (await import("./export.ts")).benchExport,
  schedule: async () => (await import("./schedule.ts")).benchSchedule,
  rules: async () => (await import("./rules.ts")).benchRules,
  owners: async () => (await import("./owners.ts")).benchOwners,
  versions: async () => (await import("./versions.ts")).benchVersions,
  reminders: async () => (await import("./reminders.ts")).benchReminders,
  import: async () => (await import("./import.ts")).benchImport,
  attributes: async () => (await import("./attributes.ts")).benchAttributes,
  map: async () => (await import("./map.ts")).benchMap,
  mail: async () => (await import("./mail.ts")).benchMail,
};

// Minutes long, so only when asked for.
const asked: typeof all = { ...all, soak: async () => (await import("./soak.ts")).benchSoak };

const names = process.argv.slice(2);
// The planning engine calculates without an installation, but for the part that opens one itself; what follows its name are the parts to run.
if (names[0] === "planning-engine") {
  const { benchPlanningEngine } = await import("./planning-engine.ts");
  await benchPlanningEngine(names.slice(1));
  process.exit(0);
}
const unknown = names.filter((name) => !(name in asked));
if (unknown.length > 0) {
  console.error(`There is no measurement "${unknown.join('", "')}". Choose from: ${[...Object.keys(asked), "planning-engine"].join(", ")}`);
  process.exit(2);
}
const { openInstallation } = await import("./installation.ts");
const installation = await openInstallation();
try {
  const memory = (when: string, limit: number) =>
    line(`memory of the web process, ${when}`, presentMegabytes(installation.pid("web")), limit, "MB", "≤ 1");
  memory("idle", 200);
  for (const name of names.length > 0 ? names : Object.keys(all)) {
    await installation.tidy();
    await (await asked[name]!())(installation);
  }
  memory("after the loads", 350);
  // What was used for a load is given back when nothing has come for a while.
  await new Promise((done) => setTimeout(done, restSeconds * 1_000));
  memory(`${restSeconds} s later`, 350);
} finally {
  await installation.stop();
}
process.exit(0);
