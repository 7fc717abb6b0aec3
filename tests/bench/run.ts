import { benchAttributes } from "./attributes.ts";
import { benchBatch } from "./batch.ts";
import { benchBytes } from "./bytes.ts";
import { benchCell } from "./cell.ts";
import { benchExport } from "./export.ts";
import { benchFilter } from "./filter.ts";
import { benchGrid } from "./grid.ts";
import { benchImport } from "./import.ts";
import { type Installation, openInstallation } from "./installation.ts";
import { benchIsolation } from "./isolation.ts";
import { benchMail } from "./mail.ts";
import { benchMap } from "./map.ts";
import { line } from "./measure.ts";
import { presentMegabytes } from "./memory.ts";
import { benchOwners } from "./owners.ts";
import { benchPaste } from "./paste.ts";
import { benchPlanningEngine } from "./planning-engine.ts";
import { benchReminders } from "./reminders.ts";
import { benchRules } from "./rules.ts";
import { benchSchedule } from "./schedule.ts";
import { benchSoak } from "./soak.ts";
import { benchTile } from "./tile.ts";
import { benchTimeline } from "./timeline.ts";
import { benchVersions } from "./versions.ts";

const all: Record<string, (installation: Installation) => Promise<void>> = {
  tile: benchTile,
  isolation: benchIsolation,
  filter: benchFilter,
  cell: benchCell,
  paste: benchPaste,
  batch: benchBatch,
  schedule: benchSchedule,
  rules: benchRules,
  owners: benchOwners,
  versions: benchVersions,
  reminders: benchReminders,
  export: benchExport,
  import: benchImport,
  attributes: benchAttributes,
  grid: benchGrid,
  timeline: benchTimeline,
  bytes: benchBytes,
  map: benchMap,
  mail: benchMail,
};

// Minutes long, so only when asked for.
const asked: typeof all = { ...all, soak: benchSoak };

const names = process.argv.slice(2);
// The planning engine calculates without an installation; what follows its name are the parts to run.
if (names[0] === "planning-engine") {
  await benchPlanningEngine(names.slice(1));
  process.exit(0);
}
const unknown = names.filter((name) => !(name in asked));
if (unknown.length > 0) {
  console.error(`There is no measurement "${unknown.join('", "')}". Choose from: ${[...Object.keys(asked), "planning-engine"].join(", ")}`);
  process.exit(2);
}
const installation = await openInstallation();
try {
  const memory = (when: string, limit: number) =>
    line(`memory of the web process, ${when}`, presentMegabytes(installation.pid("web")), limit, "MB", "≤ 1");
  memory("idle", 200);
  for (const name of names.length > 0 ? names : Object.keys(all)) await asked[name]!(installation);
  memory("after the loads", 350);
} finally {
  await installation.stop();
}
process.exit(0);
