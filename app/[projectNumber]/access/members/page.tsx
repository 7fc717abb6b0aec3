import { MembersPage } from "#components/access/members-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

type Props = { params: Promise<{ projectNumber: string }>; searchParams: Promise<{ tab?: string | string[] }> };

export default async function Page({ params, searchParams }: Props) {
  await openScreen("members", decodeOnce((await params).projectNumber));
  const { tab } = await searchParams;
  return <MembersPage tab={tab === "delegations" || tab === "matrix" ? tab : "members"} />;
}
