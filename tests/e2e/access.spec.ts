import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { screens } from "#lib/screens.ts";
import notBuilt from "#scripts/not-built.json" with { type: "json" };
import { alive, expectAccessible, picture, settled, signIn, useJourney, type Visitor } from "../support/journey.ts";

const journey = useJourney();
const unbuilt = new Set<string>(notBuilt);
const built = screens.filter((screen) => !unbuilt.has(screen.key) && !screen.redirect && !screen.aliasOf && screen.params.length === 0);

/** Languages take turns, so that each is looked at on a third of the screens, in both skins. */
const langs = ["zh", "en", "ja"] as const;

describe("every built screen", () => {
  const visitors = new Map<string, Visitor>();
  beforeAll(async () => {
    for (const lang of langs) visitors.set(lang, await signIn(journey, "pm", { lang, skin: "dark", to: "/DEMO" }));
  });
  afterAll(async () => {
    for (const { context } of visitors.values()) await context.close();
  });

  it.each(built.map((screen, at) => [screen.key, screen.path, langs[at % langs.length]!] as const))(
    "%s is accessible in both skins and complains of nothing",
    { timeout: 60_000 },
    async (key, path, lang) => {
      const { page, complaints } = visitors.get(lang)!;
      await page.goto(`${journey.base}/DEMO${path === "" ? "" : `/${path.replace(/^\//, "")}`}`);
      await page.getByRole("main").waitFor();
      await alive(page);
      await settled(page);
      if (key === "rolloutPlan") await page.getByRole("gridcell").first().waitFor();
      for (const skin of ["dark", "light"] as const) {
        await page.evaluate((to) => document.documentElement.setAttribute("data-mantine-color-scheme", to), skin);
        await expectAccessible(page, skin === "dark" ? "everything" : "colours");
        // Nothing follows for which the picture would have to be taken each time.
        if (process.env.SCREENSHOTS === "1") await picture(page, key === "rolloutPlan" ? `plan-${skin}` : `${key}-${skin}`);
      }
      expect(complaints).toEqual([]);
    },
  );
});
