import { notFound } from "next/navigation";
import { FlowEditor } from "#components/activity-flows/flow-editor.tsx";
import { FlowPage } from "#components/activity-flows/flow-page.tsx";
import { findFlow } from "#lib/activity-flows/queries.ts";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";
import { findCalendarSettings } from "#lib/scheduling/calendar/queries.ts";

type Props = { params: Promise<{ projectNumber: string }>; searchParams: Promise<{ flow?: string; tab?: string }> };

/** The list of flows, the activity library, or the flow named in the address. */
export default async function ActivityFlows({ params, searchParams }: Props) {
  const { ctx } = await openScreen("activityFlows", decodeOnce((await params).projectNumber));
  const { flow, tab } = await searchParams;
  if (!flow) return <FlowPage tab={tab === "library" ? "library" : "flows"} />;
  const id = Number(flow);
  const [detail, settings] = await Promise.all([Number.isSafeInteger(id) ? findFlow(ctx, { id }) : null, findCalendarSettings(ctx, {})]);
  if (!detail) notFound();
  const calendar = {
    weekdays: settings.weekdays,
    holidays: settings.holidays.map(({ day }) => day),
    extraWorkdays: settings.extraWorkdays.map(({ day }) => day),
  };
  return (
    <FlowEditor
      key={`${detail.flow.id} ${detail.flow.status} ${detail.flow.version}`}
      detail={detail}
      calendar={calendar}
      today={ctx.today}
    />
  );
}
