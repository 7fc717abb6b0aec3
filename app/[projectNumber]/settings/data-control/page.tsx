import { DataControlPage } from "#components/settings/data-control-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

export default async function Page({ params }: { params: Promise<{ projectNumber: string }> }) {
  await openScreen("dataControl", decodeOnce((await params).projectNumber));
  return <DataControlPage />;
}
