import { AuditPage } from "#components/logs/audit-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";
import { listAuditActors } from "#lib/logs/audit/queries.ts";

type Props = { params: Promise<{ projectNumber: string }>; searchParams: Promise<{ request?: string; tab?: string }> };

/** The audit log and the error reports; the address may name a request to begin with. */
export default async function Page({ params, searchParams }: Props) {
  const { ctx } = await openScreen("auditLog", decodeOnce((await params).projectNumber));
  const { request, tab } = await searchParams;
  return <AuditPage actors={await listAuditActors(ctx)} request={request ?? null} tab={tab === "reports" ? "reports" : "lines"} />;
}
