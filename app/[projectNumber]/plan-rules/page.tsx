import { RulesPage } from "#components/plan-rules/rules-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

type Props = { params: Promise<{ projectNumber: string }>; searchParams: Promise<{ tab?: string; run?: string }> };

/** Plan auto rules and their runs. [RUL-01] */
export default async function PlanRules({ params, searchParams }: Props) {
  await openScreen("planRules", decodeOnce((await params).projectNumber));
  const { tab, run } = await searchParams;
  return <RulesPage tab={tab === "runs" ? "runs" : "rules"} run={Number(run) || null} />;
}
