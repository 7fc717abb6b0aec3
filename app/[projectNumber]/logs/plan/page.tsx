import { PlanLogPage } from "#components/logs/plan-log-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";
import { findDuCode, listLogActors, listLogFields } from "#lib/logs/plan-batches/queries.ts";
import { listLogFlows, logField } from "#lib/logs/queries.ts";

type Query = Partial<Record<"du" | "duId" | "flow" | "activity" | "field" | "source" | "batch", string>>;
type Props = { params: Promise<{ projectNumber: string }>; searchParams: Promise<Query> };

/** The plan log; the address may name a DU, a cell or a batch to begin with. */
export default async function Page({ params, searchParams }: Props) {
  const { ctx } = await openScreen("planLog", decodeOnce((await params).projectNumber));
  const { duId, field, ...given } = await searchParams;
  const id = Number(duId);
  const [flows, actors, fields, code] = await Promise.all([
    listLogFlows(ctx),
    listLogActors(ctx),
    listLogFields(ctx),
    Number.isSafeInteger(id) && id > 0 ? findDuCode(ctx, id) : null,
  ]);
  return (
    <PlanLogPage
      flows={flows}
      actors={actors}
      fields={fields}
      given={{ ...given, ...(code === null ? {} : { du: code }), ...(field ? { field: logField(field) } : {}) }}
    />
  );
}
