import type { Locator, Page } from "playwright";
import { describe, expect, it } from "vitest";
import { href } from "#lib/core/href.ts";
import { settled, signIn, useJourney } from "../support/journey.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();
const ui = textsOf("en", "ui");
const errors = textsOf("en", "errors");
const plan = textsOf("en", "plan-grid");
const answer = { status: 503, code: "SERVICE_ERROR", msg: errors("SERVICE_ERROR") };

describe("a screen whose data cannot be read", () => {
  it.each([
    ["rolloutPlan", plan("failed.figures")],
    ["twoNetworks", textsOf("en", "two-networks")("activitiesFailed")],
    ["organisationalTargets", textsOf("en", "plan-rules")("targets.failed")],
    // What there is to choose from has no place of its own.
    ["dimensionViewSettings", ui("error.choices", { reason: answer.msg })],
    ["clusters", textsOf("en", "clusters")("mapFailed")],
    ["planVersions", null],
    ["retentionMappings", null],
    ["planningEngine", textsOf("en", "engine-home")("run.unread")],
    ["subcontractorIsolation", null],
    ["responsibleOwners", null],
  ] as const)("says so on %s, and shows it once it can be read", { timeout: 120_000 }, async (screen, text) => {
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", to: "/DEMO/tasks" });
    await page.route("**/api/**", (route) =>
      route.request().resourceType() === "eventsource" ? route.continue() : route.fulfill({ status: 503, json: answer }),
    );
    await page.goto(`${journey.base}${href(screen, {}, "DEMO")}`);
    const told = page.getByRole("alert").or(page.locator(".mantine-Notification-root")).filter({ hasText: /\S/ });
    await told
      .filter({ hasText: text ?? answer.msg })
      .first()
      .waitFor();
    const behind = page.getByRole("button", { name: plan("sync.never") });
    if (screen === "rolloutPlan") await behind.waitFor();
    expect(await page.locator("main [aria-busy=true]").count()).toBe(0);

    await page.unroute("**/api/**");
    // What stands in a place that failed as a whole shows only then that it failed too.
    await pressAway(page, page.getByRole("button", { name: ui("error.retry") }));
    if (screen === "rolloutPlan") await pressAway(page, behind);
    await expect.poll(() => told.count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });
});

/**
 * Presses the buttons one after the other until none is left. What has caught up by itself meanwhile takes its
 * button away before it is pressed, and is not waited for.
 */
async function pressAway(page: Page, buttons: Locator) {
  const left = async () => {
    const one = buttons.first();
    if ((await buttons.count()) > 0) await one.click({ timeout: 2_000 }).catch(() => undefined);
    await settled(page);
    return buttons.count();
  };
  await expect.poll(left, { timeout: 60_000 }).toBe(0);
}
