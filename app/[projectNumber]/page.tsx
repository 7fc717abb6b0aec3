import { ImportWizard } from "#components/imports/import-wizard-on-demand.tsx";
import { layoutState } from "#components/rollout-plan/plan-templates.ts";
import { Texts } from "#components/shell/texts.tsx";
import { decodeOnce, href } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";
import { readHead } from "#lib/rollout-plan/columns/queries.ts";
import { readPlanSwitch } from "#lib/rollout-plan/plan-rows/queries.ts";
import { findHomePage } from "#lib/rollout-plan/queries.ts";
import { findLayout } from "#lib/templates/queries.ts";
import { readFirstRows } from "./first-rows.ts";
import { PlanScreen } from "./plan-screen.tsx";

type Props = {
  params: Promise<{ projectNumber: string }>;
  searchParams: Promise<{ import?: string; task?: string; template?: string; selection?: string }>;
};

/** The roll-out plan, in the view the person last used, or the import of an exported one. */
export default async function RolloutPlan({ params, searchParams }: Props) {
  const number = decodeOnce((await params).projectNumber);
  const { ctx } = await openScreen("rolloutPlan", number);
  const { import: kind, task, template, selection } = await searchParams;
  if (kind === "plan" && ctx.can("rollout.import")) return <ImportWizard kind="plan" back={href("rolloutPlan", {}, number)} task={task} />;
  const [home, layout, head, changeControl] = await Promise.all([
    findHomePage(ctx),
    findLayout(ctx, template),
    readHead(ctx, {}),
    readPlanSwitch(ctx, "planChangeControl"),
  ]);
  const view = layout ? { ...home, ...layoutState(layout.body) } : home;
  // A stored selection is asked for by the grid itself.
  const first = selection === undefined ? await readFirstRows(ctx, view, head) : null;
  return (
    <Texts names={["errors", "grid", "plan-grid", "scheduling.lock.title", "work-orders.entries"]}>
      <PlanScreen home={view} first={first} frame={{ today: ctx.today, changeControl, head }} />
    </Texts>
  );
}
