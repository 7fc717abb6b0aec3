import { FieldsPage } from "#components/attributes/fields-page.tsx";
import { readChoices } from "#lib/attributes/queries.ts";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

/** The extended fields of objects, who alone may edit each, and fields of one's own. */
export default async function Page({ params }: { params: Promise<{ projectNumber: string }> }) {
  const { ctx } = await openScreen("extendedFields", decodeOnce((await params).projectNumber));
  return <FieldsPage choices={await readChoices(ctx)} extended />;
}
