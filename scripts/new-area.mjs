// `npm run new-area -- <noun>`: makes a small working area (table, list, save, texts, tests) to grow from. Plain Node, no dependency.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Refusal } from "./refusal.mjs";
import { guardVersion, ownNode, report, root } from "./runtime.mjs";

guardVersion();
try {
  main(process.argv.slice(2));
} catch (error) {
  report(error);
  process.exitCode = 1;
}

function main(args) {
  const [area] = args.filter((arg) => !arg.startsWith("--"));
  if (!area || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(area)) {
    throw new Refusal(
      'Usage: npm run new-area -- <noun> [--zh=名称] [--en=Name] [--ja=名称]\nThe noun is kebab-case and plural: "check-items".',
    );
  }
  const made = [`lib/${area}`, `components/${area}`, `db/schema/${area}.ts`].find((path) => existsSync(join(root, path)));
  if (made) throw new Refusal(`${made} exists already.`);
  const names = namesOf(area);
  const rights = rightsOf(area);
  const titles = titlesOf(args, names);
  const migration = `db/migrations/${nextMigration()}_create_${names.table}.sql`;

  const files = { ...libraryFiles(names, rights), ...tableFiles(names, migration), ...componentFiles(names), ...testFiles(names, rights) };
  for (const [locale, title] of Object.entries(titles)) files[`messages/${locale}/${area}.json`] = textsOf(locale, title);
  for (const [path, text] of Object.entries(files)) write(path, text);

  insertSorted(
    "lib/calls.ts",
    /^ {2}"?([\w/-]+)"?: \{(?: words: |$)/,
    `  ${keyOf(area)}: { words: ["${names.camel}"], load: () => import("#lib/${area}/actions.ts") },`,
    area,
  );
  insertSorted("db/schema/index.ts", /^export \* from "\.\/([\w-]+)\.ts";/, `export * from "./${area}.ts";`, area);
  insertSorted("lib/errors.ts", /^ {2}([a-z_]+): "[A-Z_]+",/, `  ${names.table}_name_unique: "NAME_EXISTS",`, `${names.table}_name_unique`);
  const sources = Object.keys(files).filter((path) => !path.endsWith(".sql"));
  const touched = [...sources, "lib/calls.ts", "db/schema/index.ts", "lib/errors.ts"];
  spawnSync(ownNode(), [join(root, "node_modules/@biomejs/biome/bin/biome"), "format", "--write", ...touched], {
    cwd: root,
    stdio: "ignore",
  });

  console.log(
    Object.keys(files)
      .map((path) => `  ${path}`)
      .join("\n"),
  );
  console.log(`
Reading needs ${rights.view}, writing ${rights.edit}${rights.own ? "" : `: lib/permissions.ts has no codes of the area ${area} yet`}.
Next: the real columns (migration, db/schema, schema.ts), the screen's page at the path lib/screens.ts gives, and the texts. Then: npm run check`);
}

function namesOf(area) {
  const words = area.split("-");
  const last = words.at(-1);
  const one = last.endsWith("ies") ? `${last.slice(0, -3)}y` : /(ss|us|is)$/.test(last) || !last.endsWith("s") ? last : last.slice(0, -1);
  const pascal = (list) => list.map((word) => word[0].toUpperCase() + word.slice(1)).join("");
  const camel = (list) => list[0] + pascal(list.slice(1));
  const single = [...words.slice(0, -1), one];
  return { area, words, camel: camel(single), row: pascal(single), rows: pascal(words), table: single.join("_") };
}

/** Codes of the area in the matrix; where it has none, those of the plan. */
function rightsOf(area) {
  const source = readFileSync(join(root, "lib/permissions.ts"), "utf8");
  const rows = [...source.matchAll(/^ {2}"([\w.]+)": row\(\s*"([\w-]+)",\s*"([^"]*)"(?:,\s*"([^"]*)")?/gm)].map(
    ([, code, of, all, own = ""]) => ({
      code,
      of,
      all: all.split(" ").filter(Boolean),
      own: own.split(" ").filter(Boolean),
    }),
  );
  const ofArea = rows.filter((row) => row.of === area && row.all.length > 0);
  const edit = ofArea.find((row) => /\.(edit|manage|config)$/.test(row.code)) ?? rows.find((row) => row.code === "limit.edit");
  const view = ofArea.find((row) => row.code.endsWith(".view"))?.code ?? "member";
  const roles = [...source.slice(source.indexOf("roles = ["), source.indexOf("] as const")).matchAll(/"([A-Z_]+)"/g)].map(
    ([, role]) => role,
  );
  const without = roles.find((role) => !edit.all.includes(role) && !edit.own.includes(role));
  return { view, edit: edit.code, own: edit.of === area, holder: edit.all[0], without };
}

function titlesOf(args, { words }) {
  const plain = words.join(" ");
  const given = (locale) => args.find((arg) => arg.startsWith(`--${locale}=`))?.slice(locale.length + 3);
  const en = given("en") ?? plain[0].toUpperCase() + plain.slice(1);
  return { zh: given("zh") ?? en, en, ja: given("ja") ?? en };
}

function nextMigration() {
  const numbers = readdirSync(join(root, "db/migrations")).map((name) => Number(name.slice(0, 4)) || 0);
  return String(Math.max(0, ...numbers) + 1).padStart(4, "0");
}

function keyOf(area) {
  return /-/.test(area) ? `"${area}"` : area;
}

function write(path, text) {
  const full = join(root, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
}

/** Puts a line among the lines of a table, where the alphabet has it. */
function insertSorted(path, pattern, line, key) {
  const lines = readFileSync(join(root, path), "utf8").split("\n");
  const rows = lines.flatMap((text, at) => {
    const found = pattern.exec(text);
    return found ? [{ at, key: found[1] }] : [];
  });
  const next = rows.find((row) => row.key > key);
  lines.splice(next ? next.at : rows.at(-1).at + 1, 0, line);
  writeFileSync(join(root, path), lines.join("\n"));
}

function libraryFiles({ area, camel, row, rows, table }, { view, edit }) {
  return {
    [`lib/${area}/limits.ts`]: `/** Longest name, in characters. */
export const nameChars = 100;
`,
    [`lib/${area}/schema.ts`]: `import { z } from "zod";
import { listInput } from "#lib/core/paging.ts";
import { nameChars } from "./limits.ts";

export const List${rows} = listInput({ name: ["like"] });

/** A new row has no id; a changed one names the revision it was read at. */
export const Save${row} = z.object({
  id: z.int().min(1).optional(),
  name: z.string().trim().min(1).max(nameChars),
  rowVersion: z.int().min(1).optional(),
});
`,
    [`lib/${area}/queries.ts`]: `import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import type { ListInput, Page } from "#lib/core/paging.ts";

export type ${row} = { id: number; name: string; rowVersion: number };

/** The rows of the project by name. */
export async function list${rows}({ sql, project }: Pick<Ctx, "sql" | "project">, input: ListInput): Promise<Page<${row}>> {
  const where = input.filters.reduce(
    (left, { values }) => sql\`\${left} and position(lower(\${String(values[0] ?? "")}) in lower(name)) > 0\`,
    sql\`project_id = \${project.id}\`,
  );
  const [count] = await sql<{ total: number }[]>\`select count(*)::int as total from ${table} where \${where}\`;
  const order = sql.unsafe(input.sort?.[0]?.dir === "desc" ? "desc" : "asc");
  const records = await sql<${row}[]>\`
    select id, name, row_version as "rowVersion" from ${table} where \${where}
    order by name \${order}, id limit \${input.size} offset \${(input.page - 1) * input.size}\`;
  return { records, total: count!.total, page: input.page, size: input.size };
}
`,
    [`lib/${area}/commands.ts`]: `import "server-only";
import type { z } from "zod";
import type { Ctx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import type { ${row} } from "./queries.ts";
import type { Save${row} } from "./schema.ts";

/** Makes a row, or changes the one that was read. */
export async function save${row}(ctx: Ctx, input: z.output<typeof Save${row}>): Promise<{ id: number; rowVersion: number }> {
  return input.id === undefined ? create${row}(ctx, input.name) : rename${row}(ctx, input.id, input.name, input.rowVersion);
}

async function create${row}({ sql, project, audit }: Ctx, name: string): Promise<{ id: number; rowVersion: number }> {
  const [made] = await sql<{ id: number }[]>\`insert into ${table} (project_id, name) values (\${project.id}, \${name}) returning id\`;
  audit(\`${table} \${made!.id}\`, null, { name });
  return { id: made!.id, rowVersion: 1 };
}

async function rename${row}(
  { sql, project, audit }: Ctx,
  id: number,
  name: string,
  readVersion: number | undefined,
): Promise<{ id: number; rowVersion: number }> {
  const [before] = await sql<${row}[]>\`
    select id, name, row_version as "rowVersion" from ${table} where project_id = \${project.id} and id = \${id} for update\`;
  if (!before) throw new AppError("NOT_FOUND", { object: id });
  if (before.rowVersion !== readVersion) throw new AppError("STALE", {}, [], before);
  const rowVersion = before.rowVersion + 1;
  await sql\`update ${table} set name = \${name}, row_version = \${rowVersion} where id = \${id}\`;
  audit(\`${table} \${id}\`, { name: before.name }, { name });
  return { id, rowVersion };
}
`,
    [`lib/${area}/actions.ts`]: `"use server";
import { action } from "#lib/core/action.ts";
import * as commands from "./commands.ts";
import * as queries from "./queries.ts";
import { List${rows}, Save${row} } from "./schema.ts";

export const list${rows} = action({
  address: "${camel}/list/{page}/{size}/default/{filters}",
  kind: "read",
  needs: "${view}",
  input: List${rows},
  run: (ctx, input) => queries.list${rows}(ctx, input),
});
export const save${row} = action({
  address: "${camel}/save",
  needs: "${edit}",
  input: Save${row},
  errors: ["NAME_EXISTS", "NOT_FOUND", "STALE"],
  run: (ctx, input) => commands.save${row}(ctx, input),
});
`,
  };
}

function tableFiles({ area, camel, table }, migration) {
  return {
    [migration]: `create table ${table} (
  id bigint generated always as identity primary key,
  project_id bigint not null references project,
  name varchar(100) not null,
  row_version int not null default 1
);

create unique index ${table}_name_unique on ${table} (project_id, lower(name));
`,
    [`db/schema/${area}.ts`]: `import { pgTable, varchar } from "drizzle-orm/pg-core";
import { id, ref, rowVersion } from "#db/columns.ts";

export const ${camel} = pgTable("${table}", {
  id: id(),
  projectId: ref("project_id").notNull(),
  name: varchar("name", { length: 100 }).notNull(),
  rowVersion: rowVersion(),
});
`,
  };
}

function componentFiles({ area, camel, row, rows, table }) {
  return {
    [`components/${area}/${table.replaceAll("_", "-")}-list.tsx`]: `"use client";
import { useTranslations } from "next-intl";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import type { ${row} } from "#lib/${area}/queries.ts";

/** The rows of the project, by name. */
export function ${rows}List() {
  const t = useTranslations("${area}");
  const common = useTranslations("common");
  const columns: Column<${row}>[] = [{ key: "name", label: common("name"), sortable: true, render: (row) => row.name }];
  return (
    <DataTable<${row}>
      label={t("title")}
      address="${camel}/list"
      rowKey={(row) => row.id}
      columns={columns}
      empty={<EmptyState title={t("empty")} />}
    />
  );
}
`,
  };
}

function textsOf(locale, title) {
  const empty = { zh: `还没有${/[A-Za-z]/.test(title) ? ` ${title}` : title}`, en: "Nothing here yet", ja: "まだありません" };
  return `${JSON.stringify({ title, empty: empty[locale] }, null, 2)}\n`;
}

function testFiles({ area, camel, row, table }, { edit, holder, without }) {
  return {
    [`tests/lib/${area}/schema.test.ts`]: `import { describe, expect, test } from "vitest";
import { nameChars } from "#lib/${area}/limits.ts";
import { Save${row} } from "#lib/${area}/schema.ts";

describe("a name", () => {
  test.each([
    ["a", true],
    ["a".repeat(nameChars), true],
    ["a".repeat(nameChars + 1), false],
    ["", false],
    ["   ", false],
  ])("%j is accepted: %j", (name, accepted) => {
    expect(Save${row}.safeParse({ name }).success).toBe(accepted);
  });
});
`,
    [`tests/lib/${area}/calls.test.ts`]: `import { beforeAll, describe, expect, test } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { callAs } from "#tests/support/call.ts";
import { useDatabase } from "#tests/support/database.ts";
import { makeMember, makeProject } from "#tests/support/factories.ts";

const database = useDatabase();
let project: { id: number; number: string };
let other: { id: number; number: string };
let editor: CtxUser;

beforeAll(async () => {
  project = await makeProject(database.owner);
  other = await makeProject(database.owner);
  editor = await makeMember(database.owner, project.id, "${holder}");
});

const save = (input: object, user = editor) => callAs(user, "${camel}/save", input, { project: project.number });
const names = async () => (await callAs(editor, "${camel}/list/1/50/default/[]", {}, { project: project.number })).data.records;

describe("saving", () => {
  test("makes a row, audits it, and the list shows it", async () => {
    const { status, data } = await save({ name: "First" });
    expect(status).toBe(200);
    expect(await names()).toMatchObject([{ id: data.id, name: "First", rowVersion: 1 }]);
    const [line] = await database.owner\`select detail from audit_log where object = \${\`${table} \${data.id}\`}\`;
    expect(line!.detail).toMatchObject({ before: null, after: { name: "First" } });
  });

  test("changes the revision that was read, and refuses an older one", async () => {
    const { data } = await save({ name: "Second" });
    expect(await save({ id: data.id, name: "Second, changed", rowVersion: 1 })).toMatchObject({ status: 200, data: { rowVersion: 2 } });
    expect(await save({ id: data.id, name: "Second, too late", rowVersion: 1 })).toMatchObject({ status: 409, code: "STALE" });
  });

  test("refuses a name the project has, in whatever case", async () => {
    await save({ name: "Third" });
    expect(await save({ name: "THIRD" })).toMatchObject({ status: 422, code: "NAME_EXISTS" });
  });

  test("refuses a wrong input, a role without ${edit}, and a row of another project", async () => {
    expect(await save({ name: "" })).toMatchObject({ status: 400 });
    const reader = await makeMember(database.owner, project.id, "${without}");
    expect(await save({ name: "Fourth" }, reader)).toMatchObject({ status: 403, code: "NO_PERMISSION" });
    const [foreign] = await database.owner\`insert into ${table} (project_id, name) values (\${other.id}, 'Foreign') returning id\`;
    expect(await save({ id: foreign!.id, name: "Mine", rowVersion: 1 })).toMatchObject({ status: 404 });
  });
});
`,
  };
}
