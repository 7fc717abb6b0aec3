import { getTranslations } from "next-intl/server";
import { isSignedIn } from "#components/shell/open-shell.ts";
import { PlainFrame } from "#components/shell/plain-frame.tsx";
import { SignInPanel } from "#components/shell/sign-in-panel.tsx";
import { Texts } from "#components/shell/texts.tsx";
import { env } from "#lib/core/env.ts";
import { returnAddress } from "#lib/core/href.ts";
import { signInWithPassword, signInWithProvider } from "./doors.ts";

export async function generateMetadata() {
  const t = await getTranslations("session");
  return { title: `${t("signIn")} - Milepost` };
}

/** Sign-in; who is signed in already goes on to where he wanted. */
export default async function SignInPage({ searchParams }: { searchParams: Promise<{ to?: string | string[]; error?: string }> }) {
  const { to, error } = await searchParams;
  const withProvider = env().OIDC_ISSUER !== undefined;
  return (
    <PlainFrame>
      <Texts names={["session"]}>
        <SignInPanel
          to={returnAddress(typeof to === "string" ? to : null)}
          signedIn={await isSignedIn()}
          failed={error !== undefined}
          signIn={signInWithPassword}
          {...(withProvider ? { signInWithProvider } : {})}
        />
      </Texts>
    </PlainFrame>
  );
}
