import { OwnersPage } from "#components/owners/owners-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

/** Rules that fill owners, the replacement of an owner, and the history of both. */
export default async function Owners({ params }: { params: Promise<{ projectNumber: string }> }) {
  await openScreen("owners", decodeOnce((await params).projectNumber));
  return <OwnersPage />;
}
