import { SettingsPage } from "#components/dimension-views/settings-page.tsx";
import { Texts } from "#components/shell/texts.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";
import { listActivityChoices, listTabs } from "#lib/dimension-views/queries.ts";

/** What holds for the multi-dimension views of everybody: their tabs, and the settings. */
export default async function Page({ params }: { params: Promise<{ projectNumber: string }> }) {
  const { ctx } = await openScreen("dimensionViewSettings", decodeOnce((await params).projectNumber));
  const [first, activities] = await Promise.all([listTabs(ctx), listActivityChoices(ctx)]);
  return (
    <Texts names={["dimension-views", "plan-grid.period"]}>
      <SettingsPage first={first} activities={activities} />
    </Texts>
  );
}
