import "server-only";
import { cookies } from "next/headers";
import type { Skin } from "#components/ui/use-skin.ts";
import type { Answer } from "#lib/core/error.ts";
import { pageCaller } from "#lib/core/page-caller.ts";
import { bootstrap, findUserSetting, getProjectList } from "#lib/session/actions.ts";
import { undoStepsMax, undoStepsMin } from "#lib/session/limits.ts";
import type { ProjectEntry } from "#lib/session/queries.ts";
import type { ShellData } from "./shell-data.ts";

/** Skin of the browser, before anything is known of the person. */
export async function browserSkin(): Promise<Skin> {
  return (await cookies()).get("skin")?.value === "light" ? "light" : "dark";
}

/** Whether somebody is signed in. */
export async function isSignedIn(): Promise<boolean> {
  return (await pageCaller()).who !== null;
}

/** What the person has chosen for the shell and the lists in it; null where nothing fitting was chosen. */
export async function readChosen(): Promise<Pick<ShellData, "menuFolded" | "rowsPerPage" | "undoSteps"> & { skin: Skin | null }> {
  const { data } = await findUserSetting({ settingIds: ["skin", "menuFolded", "rowsPerPage", "undoSteps"] });
  const chosen = new Map((data ?? []).map((setting) => [setting.settingId, setting.value]));
  const skin = chosen.get("skin");
  const folded = chosen.get("menuFolded");
  const rows = chosen.get("rowsPerPage");
  const steps = chosen.get("undoSteps");
  return {
    skin: skin === "light" || skin === "dark" ? skin : null,
    menuFolded: typeof folded === "boolean" ? folded : null,
    rowsPerPage: typeof rows === "number" ? rows : null,
    undoSteps: typeof steps === "number" && steps >= undoStepsMin && steps <= undoStepsMax ? Math.floor(steps) : null,
  };
}

/** Enters a project and gives what its shell shows, or the refusal. */
export async function openShell(projectNumber: string): Promise<{ data: ShellData } | { refused: Answer }> {
  const [answer, { skin, ...chosen }] = await Promise.all([bootstrap({ projectNumber }), readChosen()]);
  if (answer.status >= 400 || !answer.data) return { refused: answer };
  return { data: { ...answer.data, ...chosen, skin: skin ?? (await browserSkin()) } };
}

/** Projects of the signed-in person and the one to start with: the session's, else the default, else the last used, else the first; null when nobody is signed in. */
export async function openProjects(): Promise<{ projects: ProjectEntry[]; start: string | null } | null> {
  const answer = await getProjectList({ page: 1, size: 200 });
  if (answer.status >= 400 || !answer.data) return null;
  const { records: projects, current } = answer.data;
  return { projects, start: current ?? (projects.find((entry) => entry.isDefault) ?? projects[0])?.number ?? null };
}

/** Projects in which the signed-in person holds a role, and which may not be opened. */
export async function closedProjects(): Promise<ProjectEntry[]> {
  const { data } = await getProjectList({ closed: true, page: 1, size: 200 });
  return data?.records ?? [];
}
