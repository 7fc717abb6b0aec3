import { holdValue } from "./held-value.ts";

/** Header of every answer: the build of the process that gave it. */
export const buildHeader = "x-build";

/** Whether the server has another build than the page. */
export const newerBuild = holdValue(false);
let own: string | null = null;

/** Takes note of the build an answer came from: the first is that of the page, any other means that the product was updated since. */
export function noteBuild(build: string | null): void {
  if (!build || newerBuild.get()) return;
  own ??= build;
  if (build !== own) newerBuild.set(true);
}
