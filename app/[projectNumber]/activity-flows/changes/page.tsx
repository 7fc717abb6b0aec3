import { ChangesPage } from "#components/activity-flows/changes/changes-page.tsx";
import { Texts } from "#components/shell/texts.tsx";
import { listFlowColumns } from "#lib/activity-flows/queries.ts";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

type Props = { params: Promise<{ projectNumber: string }>; searchParams: Promise<{ deliveryType?: string; change?: string }> };

/** Changes of the flow of DUs. */
export default async function DuChanges({ params, searchParams }: Props) {
  const { ctx } = await openScreen("duChanges", decodeOnce((await params).projectNumber));
  const { deliveryType, change } = await searchParams;
  const { flows } = await listFlowColumns(ctx);
  return (
    <Texts names={["flow-changes", "errors"]}>
      <ChangesPage flows={flows} deliveryType={deliveryType?.trim() || null} change={Number(change) || null} />
    </Texts>
  );
}
