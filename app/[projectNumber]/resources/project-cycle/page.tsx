import { CyclePage } from "#components/project-cycle/cycle-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";
import { listCycles } from "#lib/resources/project-cycle/queries.ts";
import { getCurrency, getRate } from "#lib/resources/project-money/queries.ts";

/** The phases of the project, its currency, and when a cluster counts as completed. */
export default async function Page({ params }: { params: Promise<{ projectNumber: string }> }) {
  const { ctx } = await openScreen("projectCycle", decodeOnce((await params).projectNumber));
  const [cycles, currency, rate] = await Promise.all([listCycles(ctx), getCurrency(ctx), getRate(ctx)]);
  return <CyclePage first={cycles} currency={currency} rate={rate} today={ctx.today} />;
}
