import { getTranslations } from "next-intl/server";
import { ImportWizard } from "#components/imports/import-wizard-on-demand.tsx";
import { PoolPage } from "#components/resources/pool-page.tsx";
import { decodeOnce, href } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";
import { countTabs, listPoolChoices } from "#lib/resources/pool/queries.ts";

type Props = {
  params: Promise<{ projectNumber: string }>;
  searchParams: Promise<{ import?: string; task?: string; tab?: string }>;
};

/** The people of the project, or the import of them. */
export default async function Page({ params, searchParams }: Props) {
  const number = decodeOnce((await params).projectNumber);
  const { ctx } = await openScreen("resourcePool", number);
  const { import: kind, task, tab } = await searchParams;
  if (kind === "resources" && ctx.can("resource.edit")) {
    const back = href("resourcePool", {}, number);
    const t = await getTranslations("imports.result");
    return <ImportWizard kind="resources" back={back} task={task} result={{ href: back, label: t("resources") }} />;
  }
  const [counts, choices] = await Promise.all([countTabs(ctx), listPoolChoices(ctx)]);
  return <PoolPage counts={counts} choices={choices} tab={counts.find((one) => one.tab === tab)?.tab ?? null} />;
}
