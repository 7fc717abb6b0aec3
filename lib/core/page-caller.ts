import "server-only";
import { cookies, headers } from "next/headers";
import type { Declaration } from "./action.ts";
import { whoOf } from "./door.ts";
import type { Answer } from "./error.ts";
import { type Caller, runCall } from "./gate.ts";
import { chooseLocale, localeCookie } from "./locale.ts";
import { presentTime } from "./present-time.ts";
import { requestIdOf } from "./request-id.ts";

/** The caller behind a page or a server action; the project is the first segment of the page's path, which the proxy writes into a header. */
export async function pageCaller(): Promise<Caller> {
  const now = presentTime();
  const [given, jar] = await Promise.all([headers(), cookies()]);
  return {
    who: await whoOf(given, now),
    projectNumber: given.get("x-project-number"),
    locale: chooseLocale(given.get("x-locale"), jar.get(localeCookie)?.value),
    requestId: requestIdOf(given),
    ip: given.get("x-forwarded-for")?.split(",").at(-1)?.trim() ?? null,
    now,
  };
}

/** Runs a declared call for React with the one argument it was given. */
export async function callFromPage(declaration: Declaration, input: unknown): Promise<Answer> {
  const answer = await runCall(declaration, await pageCaller(), input);
  if (answer.status === 200 && declaration.cookie) {
    const { name, value, maxAge } = declaration.cookie(declaration.input.parse(input) as never);
    (await cookies()).set(name, value, { maxAge, path: "/", sameSite: "lax" });
  }
  return answer;
}
