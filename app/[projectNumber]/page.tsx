import { ImportWizard } from "#components/imports/import-wizard-on-demand.tsx";
import { Texts } from "#components/shell/texts.tsx";
import { decodeOnce, href } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";
import { readHead } from "#lib/rollout-plan/columns/queries.ts";
import { readPlanSwitch } from "#lib/rollout-plan/plan-rows/queries.ts";
import { readFirstRows } from "./first-rows.ts";
import { PlanScreen } from "./plan-screen.tsx";
import { readPlanView } from "./plan-view.ts";

type Query = { import?: string; task?: string; template?: string; saved?: string; selection?: string };
type Props = { params: Promise<{ projectNumber: string }>; searchParams: Promise<Query> };

/** The roll-out plan, in the view the person last used or a saved one, or the import of an exported one. */
export default async function RolloutPlan({ params, searchParams }: Props) {
  const number = decodeOnce((await params).projectNumber);
  const { ctx } = await openScreen("rolloutPlan", number);
  const { import: kind, task, selection, ...asked } = await searchParams;
  if (kind === "plan" && ctx.can("rollout.import")) return <ImportWizard kind="plan" back={href("rolloutPlan", {}, number)} task={task} />;
  const [{ view, saved }, head, changeControl] = await Promise.all([
    readPlanView(ctx, asked),
    readHead(ctx, {}),
    readPlanSwitch(ctx, "planChangeControl"),
  ]);
  // A stored selection is asked for by the grid itself.
  const first = selection === undefined ? await readFirstRows(ctx, view, head) : null;
  return (
    <Texts names={["errors", "grid", "plan-grid", "scheduling.lock.title", "work-orders.entries"]}>
      <PlanScreen home={view} saved={saved} first={first} frame={{ today: ctx.today, changeControl, head }} />
    </Texts>
  );
}
