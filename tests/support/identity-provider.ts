import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";

/** How the provider behaves: as it should, not at all, or wrong in one point. */
export type ProviderMode = "up" | "down" | "foreignIssuer" | "foreignNonce" | "foreignChallenge";

export type Claims = { preferred_username?: string; name?: string; email?: string; email_verified?: boolean };

/** A real OpenID provider on this machine, with a door in front of it that a test can spoil. */
export type IdentityProvider = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** What the provider says of each person, by the name he signs in with. */
  people: Map<string, Claims>;
  mode: ProviderMode;
  /** Requests for a sign-in, as they came. */
  asked: URL[];
  /** Opens for a product at an address; before that it answers nothing. */
  serve(baseUrl: string): void;
  stop(): Promise<void>;
};

/** Starts the provider. Anybody may sign in with any name; it asks for name, then for consent. */
export async function startIdentityProvider(): Promise<IdentityProvider> {
  const clientId = "milepost";
  const clientSecret = "a secret of the tests only, long enough";
  let handle: ReturnType<Provider["callback"]> | null = null;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", own.issuer);
    if (own.mode === "down" || !handle) return void request.socket.destroy();
    if (own.mode === "foreignIssuer" && url.pathname.endsWith("openid-configuration")) {
      const elsewhere = {
        issuer: "http://localhost:1",
        authorization_endpoint: `${own.issuer}/auth`,
        token_endpoint: `${own.issuer}/token`,
      };
      return void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(elsewhere));
    }
    if (url.pathname === "/auth") {
      own.asked.push(new URL(url));
      if (own.mode === "foreignNonce") url.searchParams.set("nonce", "of another browser");
      if (own.mode === "foreignChallenge") url.searchParams.set("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
      request.url = `${url.pathname}${url.search}`;
    }
    handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const own: IdentityProvider = {
    issuer: `http://localhost:${(server.address() as AddressInfo).port}`,
    clientId,
    clientSecret,
    people: new Map(),
    mode: "up",
    asked: [],
    serve: (baseUrl) => {
      handle = new Provider(own.issuer, {
        clients: [
          {
            client_id: clientId,
            client_secret: clientSecret,
            redirect_uris: [`${baseUrl}/api/auth/callback/oidc`],
            grant_types: ["authorization_code"],
            response_types: ["code"],
          },
        ],
        claims: { openid: ["sub"], profile: ["name", "preferred_username"], email: ["email", "email_verified"] },
        pkce: { required: () => true },
        cookies: { keys: ["of the tests only"] },
        features: { devInteractions: { enabled: true } },
        findAccount: (_context: unknown, accountId: string) => ({
          accountId,
          claims: async () => ({ sub: accountId, ...own.people.get(accountId) }),
        }),
      }).callback();
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return own;
}
