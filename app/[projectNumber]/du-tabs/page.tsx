import { DuTabsPage } from "#components/du-tabs/du-tabs-page.tsx";
import { readChoices } from "#lib/attributes/queries.ts";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";
import { listTabsForSelect, readTabFilters } from "#lib/du-tabs/queries.ts";

type Props = { params: Promise<{ projectNumber: string }>; searchParams: Promise<{ tab?: string; du?: string }> };

/** The data of DU tabs, edited in place and as workbooks; `tab` and `du` open a tab and look for a DU. */
export default async function Page({ params, searchParams }: Props) {
  const { ctx } = await openScreen("duTabs", decodeOnce((await params).projectNumber));
  const { tab, du } = await searchParams;
  const [tabs, filters, people] = await Promise.all([
    listTabsForSelect(ctx),
    readTabFilters(ctx),
    ctx.can("attribute.edit") ? readChoices(ctx).then((choices) => choices.people) : [],
  ]);
  return <DuTabsPage tabs={tabs} filters={filters} people={people} tab={Number(tab) || null} search={du ?? ""} />;
}
