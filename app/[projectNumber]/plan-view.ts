import "server-only";
import { layoutState } from "#components/rollout-plan/plan-templates.ts";
import type { OpenedView } from "#components/rollout-plan/use-saved-view.ts";
import type { Ctx } from "#lib/core/ctx.ts";
import { findHomePage } from "#lib/rollout-plan/queries.ts";
import { findView } from "#lib/rollout-plan/saved-views/queries.ts";
import { findLayout } from "#lib/templates/queries.ts";

/** What the plan opens with: the saved view its address names, where the person may open it, else his own with the layout he starts with. */
export async function readPlanView(
  ctx: Ctx,
  asked: { saved?: string; template?: string },
): Promise<{ view: Record<string, unknown>; saved: OpenedView | null }> {
  const [home, layout, found] = await Promise.all([findHomePage(ctx), findLayout(ctx, asked.template), findView(ctx, asked.saved)]);
  if (!found) return { view: layout ? { ...home, ...layoutState(layout.body) } : home, saved: null };
  const { state, ...saved } = found;
  return { view: state, saved };
}
