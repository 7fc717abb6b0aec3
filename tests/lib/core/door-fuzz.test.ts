import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { allCalls } from "#lib/calls.ts";
import { handleCall } from "#lib/core/door.ts";
import { createApiToken } from "#lib/session/commands.ts";
import { useDatabase } from "../../support/database.ts";
import { makeMember, makeProject } from "../../support/factories.ts";

const db = useDatabase();
const seed = 20_261_014;
const calls = (await allCalls()).map((call) => call.declaration);
const lists = calls.filter((call) => call.address.endsWith("list/{page}/{size}/default/{filters}") && !call.address.startsWith("task/"));
let authorization: string;

beforeAll(async () => {
  const project = await makeProject(db.app, { number: "FUZZ" });
  const pm = await makeMember(db.app, project.id, "PM");
  authorization = `Bearer ${await createApiToken(db.app, pm.account, "fuzz", new Date())}`;
});

/** Sends a request; gives what is wrong with the answer, or null: a fault, a foreign form, words of the database. */
async function wrong(address: string, init: RequestInit, segments: string[]): Promise<string | null> {
  const response = await handleCall(new Request(`http://localhost:3000/api/${address}?projectNumber=FUZZ`, init), segments);
  const text = await response.text();
  const answer = JSON.parse(text) as { status?: number; requestId?: string };
  if (response.status >= 500) return `status ${response.status}: ${text.slice(0, 200)}`;
  if (answer.status !== response.status || !answer.requestId || response.headers.get("requestid") !== answer.requestId)
    return `form: ${text.slice(0, 200)}`;
  return /select .* from |postgres|syntax error|at .*\.ts:\d/i.test(answer.status === 200 ? "" : text)
    ? `leak: ${text.slice(0, 300)}`
    : null;
}

const json = { authorization: "", "content-type": "application/json" };

describe("the door under random input", () => {
  it(`answers any filters of a list with a list or a refusal (seed ${seed})`, { timeout: 60_000 }, async () => {
    const value = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.constantFrom("'", "%", "\\", "2026-13-45", "9".repeat(40), "\u0000"),
    );
    expect(fieldsOf.size).toBe(lists.length);
    const fields = (address: string) => ["id", ...(fieldsOf.get(address) ?? [])];
    const cases = fc.constantFrom(...lists.map((list) => list.address)).chain((address) =>
      fc.tuple(
        fc.constant(address),
        fc.oneof(
          fc.string({ maxLength: 200 }),
          fc
            .array(
              fc.record({
                field: fc.constantFrom(...fields(address)),
                type: fc.constantFrom("eq", "in", "like", "range", "preset", "empty", "notEmpty"),
                values: fc.array(value, { maxLength: 3 }),
              }),
              { maxLength: 3 },
            )
            .map((filters) => JSON.stringify(filters)),
        ),
      ),
    );
    await fc.assert(
      fc.asyncProperty(cases, async ([address, filters]) => {
        const segments = address
          .replace("{page}", "1")
          .replace("{size}", "20")
          .split("/")
          .map((part) => (part === "{filters}" ? filters : part));
        expect(await wrong("list", { method: "POST", headers: { ...json, authorization }, body: "{}" }, segments)).toBeNull();
      }),
      { seed, numRuns: 400 },
    );
  });

  it(`answers any body, method and content type with the answer form (seed ${seed})`, { timeout: 60_000 }, async () => {
    const body = fc.oneof(
      fc.json(),
      fc.string({ maxLength: 500 }),
      fc.constant(`${"[".repeat(5_000)}${"]".repeat(5_000)}`),
      fc.constant('{"__proto__":{"x":1},"constructor":{}}'),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...calls.map((call) => call.address)),
        body,
        fc.constantFrom("POST", "GET", "PUT", "DELETE"),
        fc.constantFrom("application/json", "text/plain", "multipart/form-data", "a/b; c"),
        fc.boolean(),
        async (address, text, method, type, signedIn) => {
          const headers = { "content-type": type, ...(signedIn && { authorization }) };
          const segments = address.split("/").map((part) => (part.startsWith("{") ? "1" : part));
          expect(await wrong("call", { method, headers, ...(method !== "GET" && { body: text }) }, segments)).toBeNull();
        },
      ),
      { seed, numRuns: 200 },
    );
  });
});

const fieldsOf = new Map<string, string[]>();
for (const list of lists) {
  const meta = (list.input as { meta?: () => { filterFields?: Record<string, unknown> } | undefined }).meta?.();
  if (meta?.filterFields) fieldsOf.set(list.address, Object.keys(meta.filterFields));
}
