import { PermissionsPage } from "#components/attributes/permissions-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

/** What roles and accounts may do with attributes; for the PM alone. */
export default async function Page({ params }: { params: Promise<{ projectNumber: string }> }) {
  await openScreen("attributePermissions", decodeOnce((await params).projectNumber));
  return <PermissionsPage />;
}
