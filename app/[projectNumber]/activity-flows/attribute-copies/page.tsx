import { CopiesPage } from "#components/activity-flows/copies-page.tsx";
import { listCopiedAttributes } from "#lib/activity-flows/copies/queries.ts";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

type Props = { params: Promise<{ projectNumber: string }>; searchParams: Promise<{ copy?: string }> };

/** Copies of attribute values with their progress, or the targets of one of them. */
export default async function AttributeCopies({ params, searchParams }: Props) {
  const { ctx } = await openScreen("attributeCopies", decodeOnce((await params).projectNumber));
  const copy = Number((await searchParams).copy);
  return <CopiesPage attributes={await listCopiedAttributes(ctx)} copy={Number.isSafeInteger(copy) && copy > 0 ? copy : null} />;
}
