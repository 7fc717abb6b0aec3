import { TargetsPage } from "#components/plan-rules/targets-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

/** Targets of the organisation by region, activity and week. [RUL-02] */
export default async function OrganisationalTargets({ params }: { params: Promise<{ projectNumber: string }> }) {
  const { ctx } = await openScreen("organisationalTargets", decodeOnce((await params).projectNumber));
  return <TargetsPage today={ctx.today} />;
}
