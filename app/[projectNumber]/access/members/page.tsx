import { getTranslations } from "next-intl/server";
import { MembersPage } from "#components/access/members-page.tsx";
import { ImportWizard } from "#components/imports/import-wizard-on-demand.tsx";
import { decodeOnce, href } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

type Query = { tab?: string | string[]; import?: string; task?: string };
type Props = { params: Promise<{ projectNumber: string }>; searchParams: Promise<Query> };

/** Members and their roles, or the import of them. */
export default async function Page({ params, searchParams }: Props) {
  const number = decodeOnce((await params).projectNumber);
  const { ctx } = await openScreen("members", number);
  const { tab, import: kind, task } = await searchParams;
  if (kind !== "members" || !ctx.can("role.assign"))
    return <MembersPage tab={tab === "delegations" || tab === "matrix" ? tab : "members"} />;
  const back = href("members", {}, number);
  const t = await getTranslations("imports.result");
  return <ImportWizard kind="members" back={back} task={task} result={{ href: back, label: t("members") }} />;
}
