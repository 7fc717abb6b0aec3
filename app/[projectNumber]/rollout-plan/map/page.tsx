import { MapPage } from "#components/rollout-plan/map-page.tsx";
import { Texts } from "#components/shell/texts.tsx";
import { env } from "#lib/core/env.ts";
import { decodeOnce } from "#lib/core/href.ts";
import { mapAddresses } from "#lib/core/map-addresses.ts";
import { openScreen } from "#lib/core/screen.ts";
import { readHead } from "#lib/rollout-plan/columns/queries.ts";
import { findHomePage } from "#lib/rollout-plan/queries.ts";

/** DUs on a map, under the conditions the person last used in the plan. */
export default async function PlanMap({ params }: { params: Promise<{ projectNumber: string }> }) {
  const { ctx } = await openScreen("map", decodeOnce((await params).projectNumber));
  const [home, head] = await Promise.all([findHomePage(ctx), readHead(ctx, {})]);
  const styleUrl = mapAddresses(env().MAP_STYLE_URL ?? "")?.style ?? null;
  return (
    <Texts names={["errors", "plan-grid", "plan-map"]}>
      <MapPage home={home} frame={{ today: ctx.today, changeControl: false, head }} styleUrl={styleUrl} />
    </Texts>
  );
}
