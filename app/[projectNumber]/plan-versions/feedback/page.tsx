import { getTranslations } from "next-intl/server";
import { ImportWizard } from "#components/imports/import-wizard-on-demand.tsx";
import { FeedbackPage } from "#components/plan-versions/feedback-page.tsx";
import { decodeOnce, href } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";
import { listCompareChoices } from "#lib/plan-versions/comparison/queries.ts";

type Props = {
  params: Promise<{ projectNumber: string }>;
  searchParams: Promise<{ import?: string; task?: string; distribution?: string }>;
};

/** Answers to distributed plans, or the import of some. */
export default async function Page({ params, searchParams }: Props) {
  const number = decodeOnce((await params).projectNumber);
  const { ctx } = await openScreen("planFeedback", number);
  const { import: kind, task, distribution } = await searchParams;
  const leads = ctx.can("version.distribute");
  if (kind !== "planFeedback" || !leads)
    return (
      <FeedbackPage distribution={Number(distribution) || null} activities={leads ? (await listCompareChoices(ctx)).activities : []} />
    );
  const back = href("planFeedback", {}, number);
  const t = await getTranslations("plan-versions.feedback");
  return <ImportWizard kind="planFeedback" back={back} task={task} result={{ href: back, label: t("toList") }} />;
}
