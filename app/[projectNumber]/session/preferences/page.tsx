import { PreferencesPage } from "#components/session/preferences-page.tsx";
import { readChosen } from "#components/shell/open-shell.ts";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

export default async function Page({ params }: { params: Promise<{ projectNumber: string }> }) {
  await openScreen("preferences", decodeOnce((await params).projectNumber));
  return <PreferencesPage chosen={await readChosen()} />;
}
