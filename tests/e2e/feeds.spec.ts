import { describe, expect, it } from "vitest";
import { isoDay } from "#lib/core/clock.ts";
import { expectAccessible, languageCases, makeJourneyProject, picture, signIn, useJourney } from "../support/journey.ts";
import { makeActivities, makeDus, makeFlow, makeOwnerSet } from "../support/plan-factories.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();
const soon = isoDay(Math.floor(Date.now() / 86_400_000) - 10_957 + 7) as string;

describe("calendar feeds", () => {
  it.each([languageCases[1], languageCases[2]])("are made in the settings, read without sign-in, and ended, in $lang", {
    timeout: 120_000,
  }, async ({ lang, skin }) => {
    const number = `ICS-${lang.toUpperCase()}`;
    const projectId = await makeJourneyProject(journey.owner, number);
    const [pm] = await journey.owner<{ id: number }[]>`select id from app_user where account = 'pm'`;
    const activities = await makeActivities(journey.owner, projectId, ["Survey", "Install"]);
    const flow = { id: await makeFlow(journey.owner, projectId, pm!.id, activities), activities };
    const set = await makeOwnerSet(journey.owner, projectId, [pm!.id]);
    await makeDus(journey.owner, projectId, [{ code: "ICS-1", plan: { 2: { plan_end: soon, plan_owner: set } } }], flow);
    const t = textsOf(lang, "session");
    const { page, context, complaints } = await signIn(journey, "pm", { lang, skin, to: `/${number}/session/preferences` });
    const card = page.getByRole("region", { name: t("preferences.feeds.title") });
    await card.getByText(t("preferences.feeds.none")).waitFor();
    await card.getByRole("button", { name: t("preferences.feeds.make") }).click();
    const dialog = page.getByRole("dialog");
    const address = await dialog.getByText(/\/api\/feeds\/mp_[\w-]{43}\.ics$/).textContent();
    await expectAccessible(page);
    await picture(page, `feed-${skin}-${lang}`);
    await page.keyboard.press("Escape");
    await card.getByRole("row").nth(1).waitFor();

    const read = async () => {
      const response = await fetch(address!);
      return { status: response.status, text: await response.text() };
    };
    const found = await read();
    expect(found.status).toBe(200);
    expect(found.text).toContain(`SUMMARY:ICS-1 Install\r\n`);
    expect(found.text).toContain(`DTSTART;VALUE=DATE:${soon.replaceAll("-", "")}\r\n`);

    await card
      .getByRole("button", { name: t("preferences.feeds.end") })
      .last()
      .click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: t("preferences.feeds.endVerb") })
      .click();
    await card.getByText(t("preferences.feeds.none")).waitFor();
    expect(await read()).toEqual({ status: 404, text: "" });
    expect(complaints).toEqual([]);
    await context.close();
  });
});
