import { EngineHomePage } from "#components/planning-engine/home-page.tsx";
import { env } from "#lib/core/env.ts";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";
import { exactFolder } from "#lib/planning-engine/exact/queries.ts";
import { findOpenVersion } from "#lib/planning-engine/versions/queries.ts";

type Props = { params: Promise<{ projectNumber: string }>; searchParams: Promise<{ versionId?: string }> };

/** Plan versions, inputs and runs of the planning engine; `versionId` opens a version. */
export default async function Page({ params, searchParams }: Props) {
  const { ctx } = await openScreen("planningEngine", decodeOnce((await params).projectNumber));
  const { versionId } = await searchParams;
  const version = await findOpenVersion(ctx, Number(versionId) || null);
  return <EngineHomePage version={version} hasExact={exactFolder(env().DATA_DIR) !== null} />;
}
