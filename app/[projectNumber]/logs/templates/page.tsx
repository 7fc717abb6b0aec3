import { TemplateLogPage } from "#components/logs/template-log-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

/** What became of the project's templates. */
export default async function Page({ params }: { params: Promise<{ projectNumber: string }> }) {
  await openScreen("templateLog", decodeOnce((await params).projectNumber));
  return <TemplateLogPage />;
}
