import { InputsPage } from "#components/planning-engine/inputs-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";
import { type BlockName, blocks } from "#lib/planning-engine/inputs/logic.ts";
import { findOpenVersion, listEngineVersions } from "#lib/planning-engine/versions/queries.ts";

type Props = {
  params: Promise<{ projectNumber: string }>;
  searchParams: Promise<{ block?: string; versionId?: string; search?: string }>;
};

/** The rows of the inputs of the planning engine; `block`, `versionId` and `search` open an input of a version where something is looked for. */
export default async function Page({ params, searchParams }: Props) {
  const { ctx } = await openScreen("engineInputs", decodeOnce((await params).projectNumber));
  const { block = "du", versionId, search } = await searchParams;
  const [versions, version] = await Promise.all([
    listEngineVersions(ctx, { page: 1, size: 200, filters: [] }),
    findOpenVersion(ctx, Number(versionId) || null),
  ]);
  const name = Object.hasOwn(blocks, block) ? (block as BlockName) : "du";
  return <InputsPage versions={versions.records} version={version} block={name} search={search ?? ""} />;
}
