import { VersionsPage } from "#components/plan-versions/versions-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";
import { listCompareChoices } from "#lib/plan-versions/comparison/queries.ts";
import { findPlan } from "#lib/plan-versions/queries.ts";

export default async function Page({ params }: { params: Promise<{ projectNumber: string }> }) {
  const { ctx } = await openScreen("planVersions", decodeOnce((await params).projectNumber));
  const [plan, choices] = await Promise.all([findPlan(ctx), listCompareChoices(ctx)]);
  return <VersionsPage plan={plan} choices={choices} />;
}
