import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import { href } from "#lib/core/href.ts";
import { buildHeader } from "#lib/core/newer-build.ts";
import { expectAccessible, makeJourneyProject, settled, signIn, useJourney } from "../support/journey.ts";
import { makeDus } from "../support/plan-factories.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();
const code = "**/_next/static/**";
const cutOff = (page: Page) => page.route(code, (route) => route.abort());
const reconnect = (page: Page) => page.unroute(code);

describe("a part of the page whose code does not come", () => {
  it.each([
    "zh",
    "en",
    "ja",
  ] as const)("is told over the page, which keeps what was typed, and opens once it can be read, in %s", async (lang) => {
    const [ui, regions] = [textsOf(lang, "ui"), textsOf(lang, "regions")];
    const { page, context, complaints } = await signIn(journey, "pm", { lang, to: href("regions", {}, "DEMO") });
    await settled(page);
    const name = page
      .getByRole("table", { name: regions("label") })
      .getByRole("textbox")
      .first();
    await name.fill("Typed before");
    await cutOff(page);
    const paste = page.getByRole("button", { name: regions("paste.title"), exact: true });
    const told = page.getByRole("alert").filter({ hasText: ui("part.unread") });
    await paste.click();
    await told.getByText(ui("part.check")).waitFor();
    await expectAccessible(page);
    expect(await name.inputValue()).toBe("Typed before");

    // Given up, it is asked for anew by the next press.
    await told.getByRole("button", { name: ui("part.giveUp") }).click();
    await told.waitFor({ state: "detached" });
    await paste.click();
    await told.waitFor();
    await told.getByRole("button", { name: ui("error.retry") }).click();
    await settled(page);
    await told.waitFor();

    await reconnect(page);
    await told.getByRole("button", { name: ui("error.retry") }).click();
    await page.getByRole("dialog", { name: regions("paste.title") }).waitFor();
    expect(await told.count()).toBe(0);
    expect(await name.inputValue()).toBe("Typed before");
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("comes by itself when there is a network again", async () => {
    const ui = textsOf("en", "ui");
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", to: href("regions", {}, "DEMO") });
    await settled(page);
    await context.setOffline(true);
    await page.keyboard.press("Control+k");
    await page
      .getByRole("alert")
      .filter({ hasText: ui("part.unread") })
      .waitFor();
    await context.setOffline(false);
    await page.getByRole("dialog").getByRole("combobox").waitFor();
    expect(
      await page
        .getByRole("alert")
        .filter({ hasText: ui("part.unread") })
        .count(),
    ).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("says so in its own place where it has one", async () => {
    const [ui, plan] = [textsOf("en", "ui"), textsOf("en", "plan-grid")];
    // The view a person looks at is kept, so it is changed in a project of its own.
    const projectId = await makeJourneyProject(journey.owner, "CODE-LATE");
    await makeDus(journey.owner, projectId, [{ code: "LATE-1" }]);
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", to: href("rolloutPlan", {}, "CODE-LATE") });
    await settled(page);
    await cutOff(page);
    await page.getByRole("button", { name: plan("views.card"), exact: true }).click();
    await page
      .getByRole("main")
      .getByRole("heading", { name: ui("part.unread") })
      .waitFor();
    await expectAccessible(page);
    await reconnect(page);
    await page
      .getByRole("main")
      .getByRole("button", { name: ui("error.retry") })
      .click();
    await page.getByRole("heading", { name: ui("part.unread") }).waitFor({ state: "detached" });
    await page.getByRole("main").getByText("LATE-1", { exact: true }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
});

describe("a product that was updated under an open page", () => {
  it("is told calmly, and named as the reason where a part's code is gone", async () => {
    const [ui, shell] = [textsOf("en", "ui"), textsOf("en", "shell")];
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", to: href("regions", {}, "DEMO") });
    await settled(page);
    const answer = await page.request.get(`${journey.base}/api/sso/updateSession`);
    const own = readFileSync(join(import.meta.dirname, "../../.next/BUILD_ID"), "utf8").trim();
    expect(answer.headers()[buildHeader]).toBe(own);
    const notice = page.getByRole("status").filter({ hasText: shell("update.text") });
    expect(await notice.count()).toBe(0);

    await page.route("**/api/sso/updateSession*", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), [buildHeader]: "the next one" } });
    });
    await page.route(code, (route) => route.fulfill({ status: 404 }));
    await page.keyboard.press("Control+k");
    const told = page.getByRole("alert").filter({ hasText: ui("part.updated") });
    await told.waitFor();
    await notice.waitFor();
    await expectAccessible(page);
    await notice.getByRole("button", { name: shell("update.later") }).click();
    expect(await notice.count()).toBe(0);

    await page.unroute(code);
    await told.getByRole("button", { name: ui("error.reload") }).click();
    await page.waitForEvent("load");
    await settled(page);
    expect(await told.count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
