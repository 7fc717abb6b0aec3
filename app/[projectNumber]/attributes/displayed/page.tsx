import { FieldsPage } from "#components/attributes/fields-page.tsx";
import { readChoices } from "#lib/attributes/queries.ts";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

/** Which attributes the plan shows, and in which order. */
export default async function Page({ params }: { params: Promise<{ projectNumber: string }> }) {
  const { ctx } = await openScreen("displayedAttributes", decodeOnce((await params).projectNumber));
  return <FieldsPage choices={await readChoices(ctx)} />;
}
