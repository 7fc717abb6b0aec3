import { CompaniesPage } from "#components/subcontractors/companies-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

/** The companies of the project. */
export default async function Page({ params }: { params: Promise<{ projectNumber: string }> }) {
  await openScreen("subcontractors", decodeOnce((await params).projectNumber));
  return <CompaniesPage />;
}
