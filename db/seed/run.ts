import { connect, endSql, getSql, transaction } from "#db/client.ts";
import { env } from "#lib/core/env.ts";
import { presentTime } from "#lib/core/present-time.ts";
import { seedDemo } from "./demo.ts";
import { seedEngine } from "./engine.ts";
import { seedEveryday } from "./everyday.ts";
import { seedLarge } from "./large.ts";

const scenarios = { demo: seedDemo, large: seedLarge };

const name = process.argv[2] ?? "demo";
const seed = scenarios[name as keyof typeof scenarios];
if (!seed) {
  console.error(`There is no scenario "${name}". Choose one of: ${Object.keys(scenarios).join(", ")}`);
  process.exit(2);
}
const started = performance.now();
const sql = getSql();
const made = [await transaction(sql, (tx) => seed(tx, presentTime()))];
if (name === "demo") made.push(await seedEngine(sql, presentTime()), await seedEveryday(sql, presentTime()));
// Fresh statistics: the first screens must not be planned for empty tables.
const owner = connect(env().DATABASE_OWNER_URL ?? env().DATABASE_URL, 1);
await owner`analyze`;
await owner.end();
console.log(`${made.join("; ")} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
await endSql();
