import { Texts } from "#components/shell/texts.tsx";
import { ElectronicFlowsPage } from "#components/work-orders/electronic-flows-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

export default async function Page({ params }: { params: Promise<{ projectNumber: string }> }) {
  await openScreen("electronicFlows", decodeOnce((await params).projectNumber));
  return (
    <Texts names={["work-orders", "errors"]}>
      <ElectronicFlowsPage />
    </Texts>
  );
}
