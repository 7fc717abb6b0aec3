import { LimitsPage } from "#components/settings/limits-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

export default async function Page({ params }: { params: Promise<{ projectNumber: string }> }) {
  await openScreen("limits", decodeOnce((await params).projectNumber));
  return <LimitsPage />;
}
