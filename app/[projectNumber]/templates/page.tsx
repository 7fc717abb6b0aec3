import { TemplatesPage } from "#components/templates/templates-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

/** The templates of the project: who has which, handed over, shared and deleted. */
export default async function Page({ params }: { params: Promise<{ projectNumber: string }> }) {
  await openScreen("templates", decodeOnce((await params).projectNumber));
  return <TemplatesPage />;
}
