import { AttributesPage } from "#components/attributes/attributes-page.tsx";
import { readChoices } from "#lib/attributes/queries.ts";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

/** The attributes of the project. */
export default async function Page({ params }: { params: Promise<{ projectNumber: string }> }) {
  const { ctx } = await openScreen("attributes", decodeOnce((await params).projectNumber));
  return <AttributesPage choices={await readChoices(ctx)} />;
}
