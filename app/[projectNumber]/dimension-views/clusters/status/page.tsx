import { StatusPage } from "#components/clusters/status-page.tsx";
import { statusTone } from "#components/rollout-plan/plan-cells.ts";
import { Texts } from "#components/shell/texts.tsx";
import { env } from "#lib/core/env.ts";
import { decodeOnce } from "#lib/core/href.ts";
import { mapAddresses } from "#lib/core/map-addresses.ts";
import { openScreen } from "#lib/core/screen.ts";
import { duStatuses } from "#lib/rollout-plan/plan-rows/logic.ts";

/** Readiness of clusters. */
export default async function ClusterStatus({ params }: { params: Promise<{ projectNumber: string }> }) {
  await openScreen("clusterStatus", decodeOnce((await params).projectNumber));
  return (
    <Texts names={["errors", "clusters", "plan-grid.status"]}>
      <StatusPage
        toneOf={Object.fromEntries(duStatuses.map((status) => [status, statusTone(status)]))}
        styleUrl={mapAddresses(env().MAP_STYLE_URL ?? "")?.style ?? null}
      />
    </Texts>
  );
}
