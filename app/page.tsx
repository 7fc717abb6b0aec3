import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { openProjects } from "#components/shell/open-shell.ts";
import { PlainFrame } from "#components/shell/plain-frame.tsx";
import { ProjectList } from "#components/shell/project-list.tsx";
import { href, projectOfPath } from "#lib/core/href.ts";

type Query = Record<string, string | string[] | undefined>;

export const metadata = { title: "Milepost" };

/** The root: leads into the project named in the query, else the person's own; without any project it lists none. */
export default async function RootPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { projectNumber, choose, ...rest } = await searchParams;
  const opened = await openProjects();
  if (!opened) redirect(`/sign-in?to=${encodeURIComponent((await headers()).get("x-path") ?? "/")}`);
  const named = typeof projectNumber === "string" && projectOfPath(`/${projectNumber}`) ? projectNumber : undefined;
  const asked = named ?? opened.start;
  // The browser carries the fragment along: a project named here stays named, because it beats one named in an original address of the fragment.
  if (asked && choose === undefined) redirect(href("rolloutPlan", { query: { ...rest, projectNumber: named } }, asked));
  return (
    <PlainFrame>
      <ProjectList projects={opened.projects} />
    </PlainFrame>
  );
}
