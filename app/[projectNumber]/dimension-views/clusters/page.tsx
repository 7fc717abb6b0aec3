import { ClustersPage } from "#components/clusters/clusters-page.tsx";
import { statusTone } from "#components/rollout-plan/plan-cells.ts";
import { Texts } from "#components/shell/texts.tsx";
import { env } from "#lib/core/env.ts";
import { decodeOnce } from "#lib/core/href.ts";
import { mapAddresses } from "#lib/core/map-addresses.ts";
import { openScreen } from "#lib/core/screen.ts";
import { listClusterChoices } from "#lib/dimension-views/clusters/queries.ts";
import { pointStatuses } from "#lib/rollout-plan/map-points/limits.ts";

/** Configuration of clusters. */
export default async function Clusters({ params }: { params: Promise<{ projectNumber: string }> }) {
  const { ctx } = await openScreen("clusters", decodeOnce((await params).projectNumber));
  const choices = await listClusterChoices(ctx);
  return (
    <Texts names={["errors", "clusters"]}>
      <ClustersPage
        choices={choices}
        looks={pointStatuses.map(statusTone)}
        styleUrl={mapAddresses(env().MAP_STYLE_URL ?? "")?.style ?? null}
      />
    </Texts>
  );
}
