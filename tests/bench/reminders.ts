import { projectToday } from "#lib/core/clock.ts";
import type { CtxProject } from "#lib/core/ctx.ts";
import type { Look } from "#lib/reminders/findings/logic.ts";
import { readFind } from "#lib/reminders/findings/queries.ts";
import { listLibraryActivities } from "#lib/rollout-plan/plan-rows/queries.ts";
import type { Installation } from "./installation.ts";
import { line, pair } from "./measure.ts";

const rules = 50;

/** What is due for 50 reminders that come together, against the bare read of the rows they look at. */
export async function benchReminders({ sql, projectId }: Installation): Promise<void> {
  const now = new Date();
  const ctx = { sql, project: { id: projectId } as CtxProject, now, today: projectToday(now, 0) };
  const regions = await sql<
    { id: number }[]
  >`select id from delivery_region where project_id = ${projectId} and deleted_at is null order by id`;
  const product = async () => {
    const library = await listLibraryActivities(ctx);
    const looks = Array.from({ length: rules }, (_, at): Look => {
      const slot = library[at % library.length]!.slot;
      // One in five looks at the whole project, as rules do; the others at a region, as deviation reminders do.
      const regionIds = at % 5 === 0 || regions.length === 0 ? null : [regions[at % regions.length]!.id];
      return { what: "LATE", slots: [slot], days: at % 10, regionIds };
    });
    const find = await readFind(ctx, library, looks, 0);
    const found = looks.reduce((sum, look) => sum + find(look).length, 0);
    if (found === 0) throw new Error("nothing is late in the large project");
  };
  const bare = async () => {
    await sql`
      select p.du_id, d.region_id, p.plan_end::text as pe, p.actual_end::text as ae, p.state::text as state
      from du_plan p join du d on d.id = p.du_id where p.project_id = ${projectId} and d.deleted_at is null`;
  };
  const times = await pair(15, product, bare);
  line(`due for reminders of ${rules} rules`, times.product, times.bare, "ms", "≤ 3");
}
