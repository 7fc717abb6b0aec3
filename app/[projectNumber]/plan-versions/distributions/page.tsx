import { DistributionsPage } from "#components/plan-versions/distributions-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";
import { listCompareChoices } from "#lib/plan-versions/comparison/queries.ts";

/** Plans sent to others, for who sends them and for who is to answer. */
export default async function Page({ params }: { params: Promise<{ projectNumber: string }> }) {
  const { ctx } = await openScreen("planDistributions", decodeOnce((await params).projectNumber));
  const regions = ctx.can("version.distribute") ? (await listCompareChoices(ctx)).regions : [];
  return <DistributionsPage regions={regions} />;
}
