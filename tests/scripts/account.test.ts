import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { checkPassword } from "#lib/session/commands.ts";
import { clock, useDatabase } from "../support/database.ts";
import { root } from "../support/server.ts";

const db = useDatabase();

/** Runs the script as `npm run` does, on the moment of the tests; gives what it said on both outputs. */
async function run(script: "account" | "project", ...args: string[]): Promise<{ code: number; said: string; refused: string }> {
  const env = {
    ...process.env,
    VITEST: "",
    DATABASE_URL: db.url,
    DATABASE_OWNER_URL: "",
    AUTH_SECRET: "k".repeat(40),
    MILEPOST_TEST_CLOCK: clock.toISOString(),
  };
  return promisify(execFile)(process.execPath, ["--conditions=react-server", join(root, `scripts/${script}.ts`), ...args], {
    cwd: root,
    env,
  }).then(
    ({ stdout, stderr }) => ({ code: 0, said: stdout, refused: stderr }),
    (error) => ({ code: error.code, said: error.stdout, refused: error.stderr }),
  );
}

test("an empty database gets its first project and the account that manages it, with the application's login alone", async () => {
  expect(await db.owner`select 1 from app_user union all select 1 from project`).toHaveLength(0);
  expect(await run("project", "HUDSON", "--name=Hudson 5G", "--country=US", "--hours-from-beijing=-12")).toEqual({
    code: 0,
    said: "Project HUDSON made.\n",
    refused: "",
  });
  const made = await run("account", "anna", "--name=Anna Lin", "--email=anna@example.com", "--role=PM", "--project=HUDSON");
  expect(made).toMatchObject({ code: 0, refused: "" });
  const [first, second, end] = made.said.split("\n");
  expect([second, end]).toEqual(["It holds the role PM in the project HUDSON, from 2026-10-13 on.", ""]);
  const password = /^Account anna made\. Its password, shown this once: (\S{20})$/.exec(first!)?.[1] ?? "";
  const frame = { ip: null, now: clock, requestId: "request-1" };
  expect(await checkPassword("anna", password, frame)).toMatchObject({ name: "Anna Lin" });

  const again = await run("account", "ANNA", "--role=PM", "--project=HUDSON");
  expect(again.said.split("\n")).toEqual([
    "Account anna is there already; it stays as it is.",
    "It held already the role PM in the project HUDSON, from 2026-10-13 on.",
    "",
  ]);
  const renewed = await run("account", "Anna", "--new-password");
  expect(renewed).toMatchObject({ code: 0, refused: "" });
  const other = /^Account anna has another password, shown this once: (\S{20})\nSessions that ended: 0\.\n$/.exec(renewed.said)?.[1] ?? "";
  expect(await checkPassword("anna", other, frame)).toMatchObject({ name: "Anna Lin" });
  expect(await checkPassword("anna", password, frame)).toBeNull();

  expect((await run("account", "bo", "--name=Bo", "--email=bo@example.com", "--country=CN", "--no-password")).said).toBe(
    "Account bo made, without password: it signs in by single sign-on.\n",
  );
});

test.each([
  ["account", [], "<account> is missing"],
  ["account", ["x"], "--name is missing\n--email is missing\n--country is missing"],
  ["account", ["x", "--name=X", "--email=x", "--country=CN"], "--email: E-mail validation failed: x"],
  ["account", ["x", "--role=PM", "--project=NONE"], "--project: Project not valid: NONE"],
  ["account", ["x", "--name", "Anna", "Lin"], '"Lin" belongs to no option: write values with blanks in quotation marks.'],
  ["account", ["x", "--new-password"], "<account>: Not found: x"],
  ["account", ["x", "--new-password", "--role=PM"], "--new-password stands alone behind the account."],
  ["account", ["x", "--new-password", "--no-password"], "--new-password stands alone behind the account."],
  ["account", ["x", "--password=secret"], "Unknown option '--password'"],
  ["project", ["api", "--name=X", "--country=CN"], "<number>: Project not valid: api"],
  ["project", ["N", "--name=X", "--country=CN", "--hosting-country=UK"], "--hosting-country has an unknown value"],
] as const)("npm run %s %j is refused with exit code 1 and a sentence that names what is wrong", async (script, args, sentence) => {
  const { code, said, refused } = await run(script, ...args);
  expect({ code, said }).toEqual({ code: 1, said: "" });
  expect(refused.startsWith(sentence), refused).toBe(true);
  expect(refused).toMatch(new RegExp(`\nUsage: npm run ${script} -- <\\w+> --name=.*\n$`));
});

test("both are commands of npm", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: Record<string, string> };
  const runner = readFileSync(join(root, "scripts/run.mjs"), "utf8");
  for (const name of ["account", "project"]) {
    expect(scripts[name]).toBe(`node scripts/run.mjs ${name}`);
    expect(runner).toContain(`${name}: "scripts/${name}.ts"`);
  }
});
