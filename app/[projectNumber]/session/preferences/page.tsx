import { FeedsCard } from "#components/rollout-plan/feeds-card.tsx";
import { PreferencesPage } from "#components/session/preferences-page.tsx";
import { readChosen } from "#components/shell/open-shell.ts";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

export default async function Page({ params }: { params: Promise<{ projectNumber: string }> }) {
  const { ctx } = await openScreen("preferences", decodeOnce((await params).projectNumber));
  return <PreferencesPage chosen={await readChosen()}>{ctx.can("rollout.view") ? <FeedsCard /> : null}</PreferencesPage>;
}
