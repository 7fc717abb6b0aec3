import "server-only";
import { headers } from "next/headers";
import { forbidden, redirect } from "next/navigation";
import { getGateSql, getSql } from "#db/client.ts";
import { holds } from "#lib/access/queries.ts";
import { mayOpen, type Screen, type ScreenKey, screenOf } from "#lib/screens.ts";
import { openProject } from "#lib/session/queries.ts";
import type { Ctx } from "./ctx.ts";
import { AppError } from "./error.ts";
import { projectCtx, sheetOf } from "./gate.ts";
import { pageCaller } from "./page-caller.ts";

/**
 * Opens a screen for the signed-in person: sends the unknown to sign in and back, refuses who lacks the screen's right.
 * @param projectNumber first segment of the page's path
 * @returns the screen and a context for reading
 */
export async function openScreen(key: ScreenKey, projectNumber: string): Promise<{ screen: Screen; ctx: Ctx }> {
  const caller = await pageCaller();
  if (!caller.who) {
    const path = (await headers()).get("x-path") ?? `/${projectNumber}`;
    redirect(`/sign-in?to=${encodeURIComponent(path)}`);
  }
  const screen = screenOf(key);
  try {
    const { project, membership } = await openProject(getGateSql(), caller.who, projectNumber, caller.now);
    if (!mayOpen(screen, (code) => holds(membership, code))) forbidden();
    return { screen, ctx: projectCtx(getSql(), caller, caller.who, project, membership, sheetOf(caller, key), []) };
  } catch (error) {
    // The layout around the page shows why the project cannot be entered.
    if (error instanceof AppError) forbidden();
    throw error;
  }
}
