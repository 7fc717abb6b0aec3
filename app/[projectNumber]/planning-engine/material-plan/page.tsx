import { MaterialPage } from "#components/outputs/material-page.tsx";
import { Texts } from "#components/shell/texts.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

/** The material requirement plan of a run of the planning engine. */
export default async function Page({ params }: { params: Promise<{ projectNumber: string }> }) {
  await openScreen("materialPlan", decodeOnce((await params).projectNumber));
  return (
    <Texts names={["errors", "grid", "outputs"]}>
      <MaterialPage />
    </Texts>
  );
}
