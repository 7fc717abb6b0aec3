import { once } from "node:events";
import { finished } from "node:stream/promises";
import { expect, test } from "vitest";
import { useDatabase } from "../support/database.ts";

const db = useDatabase();

/** Least time for which Linux puts an acknowledgement off. */
const delayedMs = 40;

test("the end of a COPY does not wait for an acknowledgement that the server puts off", async () => {
  const times: number[] = [];
  await db.owner.begin(async (sql) => {
    await sql`create temporary table copied (line text) on commit drop`;
    for (let run = 0; run < 11; run++) {
      const began = performance.now();
      const sink = await sql`copy copied from stdin`.writable();
      if (!sink.write("a line\n")) await once(sink, "drain");
      sink.end();
      await finished(sink);
      times.push(performance.now() - began);
    }
    expect((await sql`select count(*)::int as count from copied`)[0]!.count).toBe(11);
  });
  expect(times.sort((one, other) => one - other)[5]).toBeLessThan(delayedMs);
});
