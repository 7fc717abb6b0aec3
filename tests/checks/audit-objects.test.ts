import { expect, test } from "vitest";
import { auditObjects } from "#lib/logs/audit/limits.ts";
import { inputBlocks } from "#lib/planning-engine/input-check/limits.ts";
import { blocks } from "#lib/planning-engine/inputs/logic.ts";
import { templateKinds } from "#lib/templates/limits.ts";
import { transitions } from "#lib/work-orders/orders/logic.ts";
import { filesBelow, readSource, withoutComments } from "#tests/support/source-files.ts";
import { textsOf } from "#tests/support/texts.ts";

const locales = ["zh", "en", "ja"] as const;
const tables = Object.values(blocks).map(({ table }) => table);
const reminders = ["mail_rule", "deviation_remind", "rfi_remind"];
const batches = ["attribute", "dates", "owners"].map((what) => `plan batch ${what}`);

/** Objects that the code puts together from values, and what they can be; an address of a call is shown as it is. */
const composed: Record<string, readonly string[]> = {
  "lib/activity-flows/replications/commands.ts": [],
  "lib/core/audit.ts": [],
  "lib/core/gate.ts": [],
  "lib/planning-engine/inputs/commands.ts": tables.flatMap((table) => [table, `${table} {}`]),
  "lib/reminders/switching/commands.ts": reminders.map((table) => `${table} {}`),
  "lib/rollout-plan/batches/commands.ts": batches,
  "lib/scheduling/calendar/commands.ts": ["work_calendar", "work_calendar region {}"],
  "lib/scheduling/locks/commands.ts": ["plan fixed", "plan frozen"],
};

/** The text that begins at a quotation mark, its values left out; null where no text begins. */
function textAt(source: string, at: number): string | null {
  const mark = source[at];
  if (mark !== '"' && mark !== "`" && mark !== "'") return null;
  let text = "";
  for (let i = at + 1; source[i] !== mark; i++) {
    if (mark !== "`" || !source.startsWith("${", i)) {
      text += source[i];
      continue;
    }
    for (let depth = 0; ; i++) {
      depth += source[i] === "{" ? 1 : source[i] === "}" ? -1 : 0;
      if (depth === 0 && source[i] === "}") break;
    }
    text += "{}";
  }
  return text;
}

/** What the code writes as objects of the audit log, and the files that put some together from values. */
function written(): { objects: Map<string, string>; open: Set<string> } {
  const [objects, open] = [new Map<string, string>(), new Set<string>()];
  for (const path of ["lib", "jobs", "app"].flatMap((folder) => filesBelow(folder, /\.tsx?$/))) {
    const source = withoutComments(readSource(path));
    for (const begin of source.matchAll(
      /\.audit\(\s*|\bwriteAudit\((?:[^[(;]|\(\))*\[\s*\{\s*object: |\bwriteAudit\(|'([^']*)' \|\| \w+ as object/g,
    )) {
      const text = begin[1] === undefined ? textAt(source, begin.index + begin[0].length) : `${begin[1]}{}`;
      // Of a plan it is said what is set, which are words again.
      if (text === null || text.startsWith("{}") || text === "plan {}") open.add(path);
      else
        objects.set(
          text.replace(/^work orders (\w+)$/, (whole, event) => (event in transitions ? "work orders {}" : whole)),
          path,
        );
    }
  }
  return { objects, open };
}

test("every object of the audit log has its words in every language [SES-03]", () => {
  const { objects, open } = written();
  expect(objects.size).toBeGreaterThan(130);
  expect([...open].sort()).toEqual(Object.keys(composed).sort());
  for (const [path, made] of Object.entries(composed)) for (const object of made) objects.set(object, path);
  const known = new Set(Object.values(auditObjects).map((pattern) => pattern.replace(/\{\w+\}/g, "{}")));
  expect(
    [...objects].filter(([object]) => !known.has(object)).map(([object, path]) => `${path}: ${object}`),
    "lib/logs/audit/limits.ts and messages/<language>/audit.json, object",
  ).toEqual([]);
  expect(
    [...known].filter((pattern) => !objects.has(pattern)),
    "words of objects that nothing writes",
  ).toEqual([]);
  for (const locale of locales) {
    const { object } = JSON.parse(readSource(`messages/${locale}/audit.json`)) as { object: Record<string, string> };
    expect(Object.keys(object), locale).toEqual(Object.keys(auditObjects));
  }
});

test("what an object says of its kind has words too", () => {
  const kinds = [
    ["engineInputStateIdBlock", "block", inputBlocks],
    ["templateDefaultNameKind", "kind", templateKinds],
    ["workOrdersEvent", "event", Object.keys(transitions)],
    ["temporaryWorkOrdersEvent", "event", Object.keys(transitions)],
  ] as const;
  for (const locale of ["zh", "ja"] as const) {
    const t = textsOf(locale, "audit");
    for (const [key, field, values] of kinds)
      for (const value of values) expect(t(`object.${key}`, { id: 1, name: "x", [field]: value }), `${locale} ${key}`).not.toContain(value);
  }
});
