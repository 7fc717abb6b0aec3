import { createApiToken } from "#lib/session/commands.ts";
import { type Installation, makeCall } from "./installation.ts";
import { line, pair } from "./measure.ts";

const rows = 100;
/** Values of the attribute that give a DU to the company; the others give it to another one. */
const ownValues = 10;
const otherValues = 40;

/** A tile of the DUs that isolation leaves to a subcontractor, read by him, against the same tile read by the project manager. */
export async function benchIsolation({ sql, address, call, projectId }: Installation): Promise<void> {
  const [attribute] = await sql<{ id: number }[]>`
    update attribute set editable_subcon = false where id = (
      select id from attribute where project_id = ${projectId} and type = 'TEXT' and deleted_at is null order by id limit 1) returning id`;
  const companies = await sql<{ id: number }[]>`select id from subcontractor where project_id = ${projectId} order by id limit 2`;
  const [own, other] = companies as unknown as [{ id: number }, { id: number }];
  await sql`
    update resource r set subcontractor_id = ${own.id} from app_user u where u.id = r.user_id and u.account = 'subcon' and r.project_id = ${projectId}`;
  const values = Array.from({ length: ownValues + otherValues }, (_, at) => `value ${at + 1}`);
  // DUs whose value names nobody stay with their own company; here they are the other one's, whatever other rows have written.
  await sql`
    update du set subcontractor_id = ${other.id}, row_version = row_version + 1 where project_id = ${projectId} and subcontractor_id = ${own.id}
      and not coalesce(ext ->> ${`a${attribute!.id}`} = any(${values}::text[]), false)`;
  await call("subcon/save", {
    enabled: true,
    details: values.map((value, at) => ({ attributeId: attribute!.id, value, subcontractorId: at < ownValues ? own.id : other.id })),
  });
  try {
    const theirs = makeCall(address, await createApiToken(sql, "subcon", "bench", new Date()));
    const mine = await theirs<{ queryId: string }>("wbs/filter", {});
    const filter = { field: `a${attribute!.id}`, type: "in", values: values.slice(0, ownValues) };
    const same = await call<{ queryId: string; total: number }>("wbs/filter", { filters: [filter] });
    const attrs = Array.from({ length: 100 }, (_, index) => `a${index + 1}`);
    const input = (queryId: string, from: number) => ({
      queryId,
      from,
      count: rows,
      parts: { plan: true, fields: ["code", "name", "region", "subcontractor"], attrs },
    });
    const tiles = Math.floor(same.total / rows);
    const measure = async (name: string, from: (turn: number) => number) => {
      let turn = 0;
      const [left, right] = [
        () => theirs<{ duIds: number[] }>("rolloutPlan/tile", input(mine.queryId, from(turn))),
        () => call<{ duIds: number[] }>("rolloutPlan/tile", input(same.queryId, from(turn))),
      ];
      for (; turn < tiles; turn++) {
        const [one, other] = await Promise.all([left(), right()]);
        if (one.duIds.join() !== other.duIds.join() || one.duIds.length !== rows) throw new Error("the two read different DUs");
      }
      const times = await pair(60, left, async () => {
        await right();
        turn++;
      });
      line(name, times.product, times.bare, "ms", "≤ 1.2");
    };
    await measure("tile under isolation, read before", (turn) => (turn % tiles) * rows);
    // A tile that begins elsewhere each time is put together anew of rows that were read before.
    await measure("tile under isolation, put together anew", (turn) => (turn * 37 + 11) % (same.total - rows));
  } finally {
    await call("subcon/save", { enabled: false });
  }
}
