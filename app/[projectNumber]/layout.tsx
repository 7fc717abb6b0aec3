import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import type { ReactNode } from "react";
import { signInWithPassword, signOutHere } from "#app/sign-in/doors.ts";
import { CrossBorder } from "#components/shell/cross-border.tsx";
import { openShell } from "#components/shell/open-shell.ts";
import { PlainFrame } from "#components/shell/plain-frame.tsx";
import { ProjectRefused } from "#components/shell/project-refused.tsx";
import { Shell } from "#components/shell/shell.tsx";
import { decodeOnce, href, projectOfPath } from "#lib/core/href.ts";

const doors = { signIn: signInWithPassword, signOut: signOutHere };

/** Every screen of a project stands in its shell; who cannot enter the project is told why. */
export default async function ProjectLayout({ params, children }: { params: Promise<{ projectNumber: string }>; children: ReactNode }) {
  const number = decodeOnce((await params).projectNumber);
  const opened = await openShell(number);
  if ("data" in opened)
    return (
      <Shell key={number} data={opened.data} doors={doors}>
        {children}
      </Shell>
    );
  const { status, code, msg = "", requestId } = opened.refused;
  // To who is not signed in, an address that can be no project's is like any other that leads nowhere.
  if (status === 401 && !projectOfPath(`/${number}`)) notFound();
  if (status === 401) redirect(`/sign-in?to=${encodeURIComponent((await headers()).get("x-path") ?? href("rolloutPlan", {}, number))}`);
  return (
    <PlainFrame signedIn>
      <title>Milepost</title>
      {code === "CROSS_BORDER_CONFIRM" ? (
        <CrossBorder projectNumber={number} text={msg} doors={doors} />
      ) : (
        <ProjectRefused text={msg} requestId={status >= 500 ? requestId : undefined} doors={doors} />
      )}
    </PlainFrame>
  );
}
