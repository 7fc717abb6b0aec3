import { type NextRequest, NextResponse } from "next/server";
import { projectOfPath } from "#lib/core/href.ts";
import { asLocale, chooseLocale, localeCookie, localeCookieSeconds } from "#lib/core/locale.ts";
import { mapAddresses } from "#lib/core/map-addresses.ts";
import { requestIdHeader, requestIdOf } from "#lib/core/request-id.ts";

function policy(nonce: string): string {
  const development = process.env.NODE_ENV === "development";
  // The one foreign place a page may read from: where the operator has the map from.
  const map = (mapAddresses(process.env.MAP_STYLE_URL ?? "")?.origins ?? []).map((origin) => ` ${origin}`).join("");
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    // The development server injects style elements without a nonce.
    development ? "style-src 'self' 'unsafe-inline'" : `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    `img-src 'self' data: blob:${map}`,
    "font-src 'self'",
    // The worker of the map reads the points from the memory of the page.
    `connect-src 'self' blob:${map}${development ? " ws: wss:" : ""}`,
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/**
 * Runs before every page and server action: writes what they may rely on into request headers (whatever the caller sent under these names is
 * overwritten), keeps the chosen language and sets the content security policy. Calls below /api/ read their own headers.
 */
export function proxy(request: NextRequest): NextResponse {
  const nonce = btoa(crypto.randomUUID());
  const url = request.nextUrl;
  const csp = policy(nonce);
  const asked = asLocale(url.searchParams.get("lang"));
  const headers = new Headers(request.headers);
  const requestId = requestIdOf(request.headers);
  headers.set(requestIdHeader, requestId);
  headers.set("x-nonce", nonce);
  headers.set("content-security-policy", csp);
  headers.set("x-locale", chooseLocale(asked, request.cookies.get(localeCookie)?.value));
  headers.set("x-path", `${url.pathname}${url.search}`);
  const project = projectOfPath(url.pathname);
  if (project) headers.set("x-project-number", project);
  else headers.delete("x-project-number");

  const response = NextResponse.next({ request: { headers } });
  response.headers.set(requestIdHeader, requestId);
  response.headers.set("content-security-policy", csp);
  response.headers.set("x-content-type-options", "nosniff");
  response.headers.set("referrer-policy", "same-origin");
  response.headers.set("cross-origin-opener-policy", "same-origin");
  response.headers.set("permissions-policy", "camera=(), microphone=(), geolocation=(self)");
  if (asked) response.cookies.set(localeCookie, asked, { maxAge: localeCookieSeconds, path: "/", sameSite: "lax" });
  return response;
}

// Only what never runs a page is left out: a page outside the matcher would read headers the caller made up.
export const config = { matcher: "/((?!api/|_next/static/|_next/image).*)" };
