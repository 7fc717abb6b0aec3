import { EngineHomePage } from "#components/planning-engine/home-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";
import { findOpenVersion } from "#lib/planning-engine/versions/queries.ts";

type Props = { params: Promise<{ projectNumber: string }>; searchParams: Promise<{ versionId?: string }> };

/** Plan versions, inputs and runs of the planning engine; `versionId` opens a version. */
export default async function Page({ params, searchParams }: Props) {
  const { ctx } = await openScreen("planningEngine", decodeOnce((await params).projectNumber));
  const { versionId } = await searchParams;
  return <EngineHomePage version={await findOpenVersion(ctx, Number(versionId) || null)} />;
}
