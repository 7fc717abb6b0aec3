import { MappingPage } from "#components/milestones/mapping-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

/** Which activity of which flow stands for which milestone. */
export default async function Page({ params }: { params: Promise<{ projectNumber: string }> }) {
  await openScreen("milestoneMapping", decodeOnce((await params).projectNumber));
  return <MappingPage />;
}
