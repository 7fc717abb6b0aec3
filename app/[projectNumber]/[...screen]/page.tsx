import { notFound, redirect } from "next/navigation";
import { NotBuilt } from "#components/shell/not-built.tsx";
import { decodeOnce, href, screenOfAddress } from "#lib/core/href.ts";
import { openScreen } from "#lib/core/screen.ts";
import { screens } from "#lib/screens.ts";
import notBuilt from "#scripts/not-built.json" with { type: "json" };

type Props = {
  params: Promise<{ projectNumber: string; screen: string[] }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

const missing = new Set<string>(notBuilt);
const built = screens
  .filter((screen) => !missing.has(screen.key) && !screen.redirect && !screen.aliasOf && screen.params.length === 0)
  .map((screen) => screen.key);

/** Every address below a project that has no page of its own: screens that lead to another, screens not built yet, and unknown ones. */
export default async function OtherScreen({ params, searchParams }: Props) {
  const given = await params;
  const number = decodeOnce(given.projectNumber);
  const found = screenOfAddress(`/${[given.projectNumber, ...given.screen].join("/")}`);
  if (!found) notFound();
  if (found.screen.redirect) redirect(href(found.screen.key, { query: flat(await searchParams) }, number));
  await openScreen(found.screen.key, number);
  return <NotBuilt built={built} />;
}

function flat(query: Record<string, string | string[] | undefined>): URLSearchParams {
  return new URLSearchParams(Object.entries(query).flatMap(([name, value]) => [value ?? []].flat().map((one) => [name, one])));
}
