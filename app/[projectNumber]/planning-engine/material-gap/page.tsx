import { GapPage } from "#components/outputs/gap-page.tsx";
import { Texts } from "#components/shell/texts.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

/** What a run of the planning engine is short of, and what it had to wait for. */
export default async function Page({ params }: { params: Promise<{ projectNumber: string }> }) {
  await openScreen("materialGap", decodeOnce((await params).projectNumber));
  return (
    <Texts names={["errors", "outputs"]}>
      <GapPage />
    </Texts>
  );
}
