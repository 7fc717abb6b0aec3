import { DependenciesPage } from "#components/dependency-rules/dependencies-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";
import { listDependencyChoices } from "#lib/dependency-rules/queries.ts";

/** What has to happen before what, as a table and as a graph. */
export default async function Page({ params }: { params: Promise<{ projectNumber: string }> }) {
  const { ctx } = await openScreen("dependencyRules", decodeOnce((await params).projectNumber));
  return <DependenciesPage choices={await listDependencyChoices(ctx)} />;
}
