import { ViewPage } from "#components/dimension-views/view-page.tsx";
import { Texts } from "#components/shell/texts.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";
import { listActivityChoices, listRegionChoices, listTabs } from "#lib/dimension-views/queries.ts";

type Props = { params: Promise<{ projectNumber: string }>; searchParams: Promise<{ tab?: string }> };

/** The plan cut by properties of its DUs, tab by tab; the address may name the tab. */
export default async function Page({ params, searchParams }: Props) {
  const { ctx } = await openScreen("dimensionViews", decodeOnce((await params).projectNumber));
  const [first, activities, regions] = await Promise.all([listTabs(ctx), listActivityChoices(ctx), listRegionChoices(ctx)]);
  const wanted = Number((await searchParams).tab);
  return (
    <Texts names={["dimension-views", "plan-grid.period"]}>
      <ViewPage first={first} activities={activities} regions={regions} wanted={Number.isSafeInteger(wanted) ? wanted : null} />
    </Texts>
  );
}
