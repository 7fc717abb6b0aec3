import { RulesPage } from "#components/plan-rules/rules-page.tsx";
import { decodeOnce } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";

/** Rules that wait for events. [RUL-02] */
export default async function ExtendedEventRules({ params }: { params: Promise<{ projectNumber: string }> }) {
  await openScreen("extendedEventRules", decodeOnce((await params).projectNumber));
  return <RulesPage tab="events" run={null} />;
}
