import { OutputPage } from "#components/outputs/output-page.tsx";
import { Texts } from "#components/shell/texts.tsx";
import { dayNumber } from "#lib/core/clock.ts";
import { env } from "#lib/core/env.ts";
import { decodeOnce } from "#lib/core/href.ts";
import { mapAddresses } from "#lib/core/map-addresses.ts";
import { openScreen } from "#lib/core/screen.ts";

/** The output plan of a run of the planning engine. */
export default async function Page({ params }: { params: Promise<{ projectNumber: string }> }) {
  const { ctx } = await openScreen("engineOutput", decodeOnce((await params).projectNumber));
  return (
    <Texts names={["errors", "grid", "outputs"]}>
      <OutputPage today={dayNumber(ctx.today)} styleUrl={mapAddresses(env().MAP_STYLE_URL ?? "")?.style ?? null} />
    </Texts>
  );
}
