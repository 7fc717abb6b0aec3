import { SettingsPage } from "#components/subcontractors/settings-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";
import { listTypeActivities } from "#lib/resources/subcontractors/queries.ts";

type Props = { params: Promise<{ projectNumber: string }>; searchParams: Promise<{ tab?: string }> };

/** Kinds of companies and what each company may do. */
export default async function Page({ params, searchParams }: Props) {
  const { ctx } = await openScreen("subcontractorSettings", decodeOnce((await params).projectNumber));
  return <SettingsPage tab={(await searchParams).tab === "switches" ? "switches" : "types"} activities={await listTypeActivities(ctx)} />;
}
