import { getTranslations } from "next-intl/server";
import { ImportWizard } from "#components/imports/import-wizard-on-demand.tsx";
import { TemplatesPage } from "#components/templates/templates-page.tsx";
import { decodeOnce, href } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

type Props = { params: Promise<{ projectNumber: string }>; searchParams: Promise<{ import?: string; task?: string }> };

/** The templates of the project: who has which, handed over, shared and deleted; or the check of a foreign plan read by one. */
export default async function Page({ params, searchParams }: Props) {
  const number = decodeOnce((await params).projectNumber);
  const { ctx } = await openScreen("templates", number);
  const { import: kind, task } = await searchParams;
  if (kind !== "reversePlan" || !ctx.can("rollout.import")) return <TemplatesPage />;
  const t = await getTranslations("templates.list");
  const result = { href: href("rolloutPlan", {}, number), label: t("toPlan") };
  return <ImportWizard kind="reversePlan" back={href("templates", {}, number)} task={task} result={result} />;
}
