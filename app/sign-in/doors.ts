"use server";
import { redirect } from "next/navigation";
import { CredentialsSignin } from "next-auth";
import { signIn, signOut, TooManySignIns } from "#auth.ts";
import { returnAddress } from "#lib/core/href.ts";
import { log } from "#lib/core/log.ts";
import { pageCaller } from "#lib/core/page-caller.ts";
import { errorText } from "#lib/core/texts.ts";

/** Signs in with a local account; a refusal does not tell whether account or password was wrong. */
export async function signInWithPassword(input: { account: string; password: string }): Promise<{ status: number; msg?: string }> {
  const { locale } = await pageCaller();
  try {
    await signIn("credentials", { account: String(input?.account ?? ""), password: String(input?.password ?? ""), redirect: false });
    return { status: 200 };
  } catch (error) {
    if (error instanceof TooManySignIns) return { status: 429, msg: errorText(locale, "RATE_LIMIT", error.params) };
    if (error instanceof CredentialsSignin) return { status: 401, msg: errorText(locale, "SIGN_IN_FAILED") };
    throw error;
  }
}

/** Sends the browser to the identity provider, which leads back to the sign-in page and from there on; one that does not answer is told there. */
export async function signInWithProvider(to: string): Promise<void> {
  const address = `/sign-in?to=${encodeURIComponent(returnAddress(to))}`;
  const failed = `${address}&error=provider`;
  let leads = failed;
  try {
    const given = String(await signIn("oidc", { redirect: false, redirectTo: address }));
    // The library answers a fault with the address of its error page, which knows no way back.
    if (URL.canParse(given) && new URL(given).pathname !== "/sign-in") leads = given;
  } catch (error) {
    log.warn({ error: String(error) }, "the identity provider cannot be asked");
  }
  redirect(leads);
}

/** Ends the session of this browser. */
export async function signOutHere(): Promise<void> {
  await signOut({ redirect: false });
}
