import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { signInWithPassword, signOutHere } from "#app/sign-in/doors.ts";
import { closedProjects, openProjects, openShell } from "#components/shell/open-shell.ts";
import { PlainFrame } from "#components/shell/plain-frame.tsx";
import { ProjectList } from "#components/shell/project-list.tsx";
import { ProjectRefused } from "#components/shell/project-refused.tsx";
import { href, projectOfPath } from "#lib/core/href.ts";

type Query = Record<string, string | string[] | undefined>;

export const metadata = { title: "Milepost" };

/** The root: leads into the project named in the query, or says that it can be none; else into the person's own; without any project it lists none. */
export default async function RootPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { projectNumber, choose, ...rest } = await searchParams;
  const opened = await openProjects();
  if (!opened) redirect(`/sign-in?to=${encodeURIComponent((await headers()).get("x-path") ?? "/")}`);
  const named = typeof projectNumber === "string" && projectNumber !== "" ? projectNumber : undefined;
  if (named && !projectOfPath(`/${named}`)) {
    const shell = await openShell(named);
    const text = "refused" in shell ? (shell.refused.msg ?? "") : "";
    return (
      <PlainFrame signedIn>
        <ProjectRefused text={text} doors={{ signIn: signInWithPassword, signOut: signOutHere }} />
      </PlainFrame>
    );
  }
  const asked = named ?? opened.start;
  // The browser carries the fragment along: a project named here stays named, because it beats one named in an original address of the fragment.
  if (asked && choose === undefined) redirect(href("rolloutPlan", { query: { ...rest, projectNumber: named } }, asked));
  return (
    <PlainFrame signedIn>
      <ProjectList projects={opened.projects} closed={await closedProjects()} />
    </PlainFrame>
  );
}
