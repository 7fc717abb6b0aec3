import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connect, type Pool } from "#db/client.ts";
import { openBrowser } from "../support/chromium.ts";
import { type IdentityProvider, startIdentityProvider } from "../support/identity-provider.ts";
import { startPair, type TestPair } from "../support/pair.ts";

let provider: IdentityProvider;
let pair: TestPair;
let owner: Pool;
let browser: Browser;

beforeAll(async () => {
  provider = await startIdentityProvider();
  pair = await startPair({
    name: "oidc",
    demo: true,
    env: { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: provider.clientId, OIDC_CLIENT_SECRET: provider.clientSecret },
  });
  provider.serve(pair.baseUrl);
  owner = connect(pair.ownerUrl, 2);
  browser = await openBrowser();
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await owner?.end({ timeout: 2 });
  await pair?.stop();
  await provider?.stop();
});
beforeEach(() => {
  provider.mode = "up";
  provider.asked.length = 0;
});

/** Opens a screen signed out and asks for the company sign-in. */
async function openDoor(to = "/DEMO/tasks?x=1"): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  page.setDefaultTimeout(20_000);
  await page.goto(`${pair.baseUrl}/sign-in?lang=en&to=${encodeURIComponent(to)}`);
  await page.getByRole("button", { name: "Sign in with the company account" }).click();
  return page;
}

/** Signs in at the provider under a name and consents. */
async function beAt(page: Page, login: string): Promise<void> {
  await page.locator("input[name=login]").fill(login);
  await page.locator("input[name=password]").fill("anything");
  await page.locator("button[type=submit]").click();
  await page.getByRole("button", { name: "Continue" }).click();
}

async function isRefused(page: Page): Promise<void> {
  await page.waitForURL(/\/sign-in\?.*error=/);
  await page.getByText("The company sign-in did not succeed").waitFor();
  expect((await page.context().cookies()).filter((cookie) => cookie.name.includes("session-token"))).toEqual([]);
}

describe("sign-in at the identity provider", () => {
  it("asks with PKCE, state and nonce, links the account by its name, and leads to where the person wanted", {
    timeout: 60_000,
  }, async () => {
    provider.people.set("subject-of-pm", { preferred_username: "PM", name: "Lin", email: "other@example.com" });
    const page = await openDoor();
    await beAt(page, "subject-of-pm");
    await page.waitForURL(`${pair.baseUrl}/DEMO/tasks?x=1`);
    await page.getByRole("banner").getByText("PM", { exact: true }).waitFor();
    const asked = provider.asked[0]!.searchParams;
    expect([asked.get("response_type"), asked.get("code_challenge_method"), asked.get("scope")]).toEqual([
      "code",
      "S256",
      "openid profile email",
    ]);
    for (const name of ["code_challenge", "state", "nonce"]) expect(asked.get(name)?.length, name).toBeGreaterThan(20);
    const links =
      await owner`select i.subject, u.account from user_identity i join app_user u on u.id = i.user_id where i.issuer = ${provider.issuer}`;
    expect([...links]).toEqual([{ subject: "subject-of-pm", account: "pm" }]);
    await page.context().close();
  });

  it("knows the linked subject under any name, and opens a linked account to no other subject", { timeout: 60_000 }, async () => {
    provider.people.set("subject-of-pm", { preferred_username: "renamed", email: "new@example.com" });
    const again = await openDoor();
    await beAt(again, "subject-of-pm");
    await again.waitForURL(`${pair.baseUrl}/DEMO/tasks?x=1`);
    await again.context().close();
    provider.people.set("impostor", { preferred_username: "pm", email: "pm@demo.milepost.example", email_verified: true });
    const page = await openDoor();
    await beAt(page, "impostor");
    await isRefused(page);
    await page.context().close();
  });

  it("trusts an address only when the provider has verified it", { timeout: 60_000 }, async () => {
    provider.people.set("subject-of-td", { preferred_username: "nobody-here", email: "td@demo.milepost.example", email_verified: false });
    const first = await openDoor();
    await beAt(first, "subject-of-td");
    await isRefused(first);
    await first.context().close();
    provider.people.set("subject-of-td", { preferred_username: "nobody-here", email: "TD@demo.milepost.example", email_verified: true });
    const second = await openDoor();
    await beAt(second, "subject-of-td");
    await second.waitForURL(`${pair.baseUrl}/DEMO/tasks?x=1`);
    await second.getByRole("banner").getByText("TD", { exact: true }).waitFor();
    await second.context().close();
  });

  it("refuses who has no account here, or one that is off, and writes it down", { timeout: 60_000 }, async () => {
    provider.people.set("stranger", { preferred_username: "stranger" });
    const page = await openDoor();
    await beAt(page, "stranger");
    await isRefused(page);
    await page.context().close();
    await owner`update app_user set active = false where account = 'dqa'`;
    provider.people.set("subject-of-dqa", { preferred_username: "dqa" });
    const off = await openDoor();
    await beAt(off, "subject-of-dqa");
    await isRefused(off);
    await off.context().close();
    const audits =
      await owner`select object from audit_log where event = 'sign_in_failed' and object in ('identity stranger', 'identity subject-of-dqa') order by 1`;
    expect(audits.map((row) => row.object)).toEqual(["identity stranger", "identity subject-of-dqa"]);
  });
});

describe("what is not the provider's answer to this browser's question", () => {
  it.each(["foreignNonce", "foreignChallenge"] as const)("%s: the code opens nothing", { timeout: 60_000 }, async (mode) => {
    provider.mode = mode;
    const page = await openDoor();
    await beAt(page, "subject-of-pm");
    await isRefused(page);
    await page.context().close();
  });

  it("another browser's state: the code opens nothing", { timeout: 60_000 }, async () => {
    const [page, other] = [await openDoor(), await openDoor()];
    await Promise.all([page, other].map((one) => one.locator("input[name=login]").waitFor()));
    const foreign = (await other.context().cookies()).find(({ name }) => name === "authjs.state");
    await page.context().addCookies([foreign!]);
    await beAt(page, "subject-of-pm");
    await isRefused(page);
    await Promise.all([page.context().close(), other.context().close()]);
  });

  it.each(["down", "foreignIssuer"] as const)("a provider that is %s is told on the sign-in page, which keeps the way back", {
    timeout: 60_000,
  }, async (mode) => {
    provider.mode = mode;
    const page = await openDoor();
    await isRefused(page);
    expect(new URL(page.url()).searchParams.get("to")).toBe("/DEMO/tasks?x=1");
    expect(provider.asked).toEqual([]);
    await page.context().close();
  });
});
