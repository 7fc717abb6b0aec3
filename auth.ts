import { headers } from "next/headers";
import NextAuth, { CredentialsSignin, type NextAuthConfig } from "next-auth";
import Credentials from "next-auth/providers/credentials";
import { env } from "#lib/core/env.ts";
import { AppError } from "#lib/core/error.ts";
import { presentTime } from "#lib/core/present-time.ts";
import { requestIdOf } from "#lib/core/request-id.ts";
import { sessionCookieName } from "#lib/core/session-cookie.ts";
import { accountOfProvider, checkPassword, openSession, revokeSession } from "#lib/session/commands.ts";

// The signed cookie lives long; the row of user_session decides when the session ends.
const cookieSeconds = 30 * 86_400;

/** Sign-ins of the account or from the address were tried too often; `params` tell how many there may be and when the next one may follow. */
export class TooManySignIns extends CredentialsSignin {
  readonly params: AppError["params"];

  constructor(params: AppError["params"]) {
    super();
    this.params = params;
  }
}

async function frame() {
  const given = await headers();
  return { ip: given.get("x-forwarded-for")?.split(",").at(-1)?.trim() ?? null, now: presentTime(), requestId: requestIdOf(given) };
}

function settings(): NextAuthConfig {
  const { AUTH_SECRET, AUTH_URL, OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = env();
  const secure = AUTH_URL?.startsWith("https:") ?? false;
  return {
    secret: AUTH_SECRET,
    trustHost: true,
    session: { strategy: "jwt", maxAge: cookieSeconds },
    pages: { signIn: "/sign-in", error: "/sign-in" },
    logger: { error: () => {}, warn: () => {}, debug: () => {} },
    cookies: { sessionToken: { name: sessionCookieName(), options: { httpOnly: true, sameSite: "lax", path: "/", secure } } },
    providers: [
      Credentials({
        credentials: { account: {}, password: {} },
        authorize: async ({ account, password }) => {
          if (typeof account !== "string" || typeof password !== "string" || account.length > 60 || password.length > 200) return null;
          try {
            const user = await checkPassword(account, password, await frame());
            return user ? { id: String(user.id), name: user.name, email: user.email } : null;
          } catch (error) {
            if (!(error instanceof AppError)) throw error;
            if (error.code === "RATE_LIMIT") throw new TooManySignIns(error.params);
            return null;
          }
        },
      }),
      ...(OIDC_ISSUER
        ? [
            {
              id: "oidc",
              name: "OIDC",
              type: "oidc" as const,
              issuer: OIDC_ISSUER,
              clientId: OIDC_CLIENT_ID ?? "",
              clientSecret: OIDC_CLIENT_SECRET ?? "",
              // The answer must belong to the question this browser has asked, at each of its three steps.
              checks: ["pkce" as const, "state" as const, "nonce" as const],
              // Name and address stand in the user info; the identity token need not carry them.
              idToken: false,
            },
          ]
        : []),
    ],
    callbacks: {
      signIn: async ({ account, profile, user }) => {
        if (account?.provider !== "oidc") return true;
        const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : null);
        const found = await accountOfProvider(
          {
            issuer: OIDC_ISSUER ?? "",
            subject: text(profile?.sub) ?? "",
            account: text(profile?.preferred_username),
            email: text(profile?.email),
            emailVerified: profile?.email_verified === true,
          },
          await frame(),
        );
        if (!found) return false;
        user.id = String(found.id);
        return true;
      },
      jwt: async ({ token, user }) => {
        if (user?.id) token.sid = await openSession(Number(user.id), await frame());
        return token;
      },
    },
    events: {
      signOut: async (message) => {
        const sid = "token" in message ? message.token?.sid : undefined;
        if (typeof sid === "string") await revokeSession(sid, presentTime());
      },
    },
  };
}

/** Sign-in and sign-out; everything else reads the session by `lib/core/session-cookie.ts`. */
export const { handlers, signIn, signOut } = NextAuth(settings);
