import fc from "fast-check";
import { expect, it } from "vitest";
import { listText } from "#lib/core/list-text.ts";
import { useDatabase } from "../../support/database.ts";

const database = useDatabase();
const read = async (values: readonly (string | number | boolean | null)[], type: string) => {
  const [row] = await database.app.unsafe(`select to_json($1::text::${type}[]) as list`, [listText(values)]);
  return row!.list;
};

it("is read by the database as the list it was made of", async () => {
  const signs = fc.constantFrom(
    '"',
    "\\",
    "{",
    "}",
    ",",
    " ",
    "\n",
    "\t",
    "\u0001",
    "\u2028",
    "n",
    "塔",
    "😀",
    "null",
    "NULL",
    "'",
    "\ufeff",
  );
  const text = fc.oneof(
    fc.string({ unit: "grapheme" }).filter((value) => !value.includes("\u0000")),
    fc.array(signs, { maxLength: 5 }).map((list) => list.join("")),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(text), { maxLength: 6 }), async (values) => {
      expect(await read(values, "text")).toEqual(values);
    }),
    { numRuns: 300 },
  );
  const values = ["", "null", "NULL", null, '\\"', "\\n", "a\nb", "{a,b}", " "];
  for (const more of [[], ["line\nbreak"]]) expect(await read([...values, ...more], "text")).toEqual([...values, ...more]);
});

it("holds numbers and flags", async () => {
  expect(await read([1, null, -2, 2 ** 31], "float8")).toEqual([1, null, -2, 2 ** 31]);
  expect((await read([1e-7, 120.123457], "numeric")).map(Number)).toEqual([1e-7, 120.123457]);
  expect(await read([true, null, false], "boolean")).toEqual([true, null, false]);
  expect(await read([], "bigint")).toEqual([]);
});
