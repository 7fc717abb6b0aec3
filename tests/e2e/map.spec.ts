import type { Locator, Page } from "playwright";
import { describe, expect, it } from "vitest";
import { alive, expectAccessible, languageCases, makeJourneyProject, picture, signIn, useJourney } from "../support/journey.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();

/** DUs over a country, nine of ten with coordinates. */
async function makeMap(number: string, dus: number): Promise<number> {
  const sql = journey.owner;
  const projectId = await makeJourneyProject(sql, number);
  await sql`
    with sites as (
      insert into customer_site (project_id, code, name, longitude, latitude)
      select ${projectId}, 'S-' || n, 'Site ' || n, case when n % 10 > 0 then 119 + (n * 7919 % 3000) / 1000.0 end, case when n % 10 > 0 then 30 + (n * 104729 % 2500) / 1000.0 end
      from generate_series(1, ${dus}) n returning id, code
    ), dus as (
      insert into du (project_id, code, name, site_id) select ${projectId}, 'D' || code, 'DU ' || code, id from sites returning id
    )
    insert into du_plan (du_id, project_id, applicable_count, done_count, next_plan_end, last_plan_end)
    select id, ${projectId}, 4, case id % 4 when 0 then 4 else 1 end, case id % 4 when 0 then 0 when 1 then 9000 when 2 then 20000 else 0 end, 20000 from dus`;
  const [flow] = await sql<{ id: number }[]>`
    insert into activity_flow (project_id, name, status, version, owner_id, created_by, created_at, updated_by, updated_at)
    select ${projectId}, 'Standard', 'released', 1, id, id, now(), id, now() from app_user where account = 'pm' returning id`;
  await sql`
    insert into du_flow (project_id, du_id, flow_id, flow_version, source, bound_at)
    select ${projectId}, id, ${flow!.id}, 1, 'manual', now() from du where project_id = ${projectId}`;
  return projectId;
}

const drawn = (page: Page) => page.locator("[data-drawn=true]").waitFor();

/** Pixels as dark as texts of the light skin, in the middle of the map, where nothing stands above it. */
async function darkPixels(page: Page): Promise<number> {
  const { x, y, width, height } = (await page.locator("canvas").first().boundingBox())!;
  const clip = { x: x + width / 4, y: y + height / 8, width: width / 2, height: (height * 3) / 4 };
  const base64 = (await page.screenshot({ clip })).toString("base64");
  return page.evaluate(async (text) => {
    const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d")!;
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    let count = 0;
    for (let at = 0; at < data.length; at += 4) if (Math.max(data[at]!, data[at + 1]!, data[at + 2]!) < 70) count++;
    return count;
  }, base64);
}

describe("the plan on a map [RPL-04]", () => {
  it.each(languageCases.slice(0, 2))("is drawn around and opened in the grid, in $lang", {
    timeout: 90_000,
  }, async ({ lang, skin }) => {
    const number = `MAPS-${lang.toUpperCase()}`;
    await makeMap(number, 2_000);
    const t = textsOf(lang, "plan-map");
    const map = textsOf(lang, "map");
    const { page, context, complaints } = await signIn(journey, "pm", { lang, skin, to: `/${number}#/map` });
    await page.waitForURL(`**/${number}/rollout-plan/map`);
    await alive(page);
    await drawn(page);
    const legend = page.getByRole("list", { name: t("legend") });
    expect(await legend.getByRole("listitem").count()).toBe(4);
    await picture(page, `map-${skin}-${lang}`);
    // Clusters say how many they hold once the map is drawn; nothing else of it is as dark.
    if (skin === "light") expect(await darkPixels(page)).toBeGreaterThan(50);

    // A rectangle over most of what is shown.
    await page.getByRole("button", { name: map("rectangle") }).click();
    const area = (await page.locator("[data-drawing=rectangle]").boundingBox())!;
    await page.mouse.move(area.x + 40, area.y + 40);
    await page.mouse.down();
    await page.mouse.move(area.x + area.width / 2, area.y + area.height - 60, { steps: 5 });
    await page.mouse.up();
    const panel = page.getByRole("complementary", { name: t("tabs.label") });
    const chosen = panel.getByRole("status");
    await chosen.waitFor();
    const count = Number((await chosen.textContent())!.replace(/\D/g, ""));
    expect(count).toBeGreaterThan(100);
    await panel.getByRole("listitem").first().waitFor();
    await expectAccessible(page);
    await picture(page, `map-chosen-${skin}-${lang}`);
    await panel.getByText(t("tabs.unlocated")).click();
    await panel.getByText("DS-10", { exact: true }).waitFor();

    // By keyboard: the list of what is in view takes the place of the lasso.
    await panel.getByText(t("tabs.view")).click();
    await panel.getByRole("checkbox").first().waitFor();
    await panel.getByText(t("tabs.chosen")).click();
    await panel.getByRole("button", { name: t("open") }).click();
    await page.waitForURL(/selection=/);
    await page
      .getByRole("status")
      .filter({ hasText: new RegExp(`^${count.toLocaleString("en")} / 2,000`) })
      .waitFor();

    const again = await page.evaluate(async (project) => {
      const call = async (address: string, input: object) => {
        const response = await fetch(`/api/${address}?projectNumber=${project}`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(input),
        });
        return { status: response.status, text: await response.text() };
      };
      const { queryId } = JSON.parse((await call("wbs/filter", { view: "map" })).text).data;
      const first = await call("rolloutPlan/map", { queryId });
      return { first: first.status, second: await call("rolloutPlan/map", { queryId, seq: JSON.parse(first.text).data.seq }) };
    }, number);
    expect(again).toEqual({ first: 200, second: { status: 304, text: "" } });
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("keeps its place and size while its points are on their way, its lists beside it", async () => {
    await makeMap("MAPS-KEPT", 50);
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", to: "/MAPS-KEPT/rollout-plan" });
    await alive(page);
    await page.addInitScript(() => {
      const shifts: number[] = [];
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value);
      }).observe({ type: "layout-shift", buffered: true });
    });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route("**/api/rolloutPlan/map?*", async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(`${journey.base}/MAPS-KEPT/rollout-plan/map`);
    await alive(page);
    const t = textsOf("en", "plan-map");
    const panel = page.getByRole("complementary", { name: t("tabs.label") });
    await panel.getByText(t("none")).waitFor();
    for (const tab of ["tabs.view", "tabs.unlocated"] as const) {
      await panel.getByRole("button", { name: t(tab) }).click();
      await panel.getByRole("status").waitFor();
      expect(await panel.getByRole("heading").count()).toBe(0);
    }
    await expectAccessible(page);
    const before = await page.locator("canvas").first().boundingBox();
    release();
    await panel.getByText("DS-10", { exact: true }).waitFor();
    await drawn(page);
    expect(await page.locator("canvas").first().boundingBox()).toEqual(before);
    // How much of the screen moved, and how far: 0.2 where the lists change sides.
    expect(await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts.filter((value) => value > 0.02))).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("gives all DUs of a site that is clicked, and more with Shift", async () => {
    const sql = journey.owner;
    const projectId = await makeJourneyProject(sql, "MAPS-CLICK");
    const [near, far] = await sql<{ id: number }[]>`
      insert into customer_site (project_id, code, name, longitude, latitude)
      values (${projectId}, 'NEAR', 'Near', 120.000001, 30.000003), (${projectId}, 'FAR', 'Far', 120.004001, 30.000003) returning id`;
    await sql`
      insert into du (project_id, code, name, site_id)
      values (${projectId}, 'N-1', 'One', ${near!.id}), (${projectId}, 'N-2', 'Two', ${near!.id}), (${projectId}, 'F-1', 'Other', ${far!.id})`;
    await sql`insert into du_plan (du_id, project_id) select id, ${projectId} from du where project_id = ${projectId}`;
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", to: "/MAPS-CLICK/rollout-plan/map" });
    await alive(page);
    await drawn(page);
    const listed = async () => {
      const panel = page.getByRole("complementary", { name: textsOf("en", "plan-map")("tabs.label") });
      return (await panel.getByRole("listitem").allTextContents()).map((text) => /[NF]-\d/.exec(text)?.[0]).sort();
    };
    const map = (await page.locator("canvas").first().boundingBox())!;
    // Both sites stand at the nearest zoom the map opens with, 15, side by side around its middle.
    const apart = ((0.004 / 360) * 512 * 2 ** 15) / 2;
    const click = (x: number) => page.mouse.click(map.x + map.width / 2 + x, map.y + map.height / 2);
    await click(-apart);
    await expect.poll(listed).toEqual(["N-1", "N-2"]);
    await page.keyboard.down("Shift");
    await click(apart);
    await page.keyboard.up("Shift");
    await expect.poll(listed).toEqual(["F-1", "N-1", "N-2"]);
    await click(apart);
    await expect.poll(listed).toEqual(["F-1"]);

    // What is in view follows the map: the western site leaves it.
    await page.getByRole("button", { name: textsOf("en", "plan-map")("tabs.view") }).click();
    await expect.poll(listed).toEqual(["F-1", "N-1", "N-2"]);
    const [x, y] = [map.x + map.width / 2 + 200, map.y + map.height / 2 + 100];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 450, y, { steps: 9 });
    // Held still before it is let go, it does not fly on.
    await page.waitForTimeout(300);
    await page.mouse.up();
    await expect.poll(listed).toEqual(["F-1"]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("colours the points by one activity, chosen by key", async () => {
    const sql = journey.owner;
    const projectId = await makeJourneyProject(sql, "MAPS-ACTIVITY");
    await sql`insert into activity_library (project_id, slot, code, name) values (${projectId}, 1, 'A1', 'Survey'), (${projectId}, 2, 'A2', 'Install')`;
    const [flow] = await sql<{ id: number }[]>`
      insert into activity_flow (project_id, name, status, version, owner_id, created_by, created_at, updated_by, updated_at)
      select ${projectId}, 'Two steps', 'released', 1, id, id, now(), id, now() from app_user where account = 'pm' returning id`;
    await sql`
      insert into flow_activity (flow_id, activity_id, name, seq, is_anchor)
      select ${flow!.id}, id, name, slot, slot = 1 from activity_library where project_id = ${projectId}`;
    const [site] = await sql<{ id: number }[]>`
      insert into customer_site (project_id, code, name, longitude, latitude) values (${projectId}, 'S', 'Site', 120, 30) returning id`;
    await sql`insert into du (project_id, code, name, site_id) select ${projectId}, 'D-' || n, 'DU ' || n, ${site!.id} from generate_series(1, 3) n`;
    await sql`
      insert into du_flow (project_id, du_id, flow_id, flow_version, source, bound_at)
      select ${projectId}, id, ${flow!.id}, 1, 'manual', now() from du where project_id = ${projectId}`;
    // Surveyed all, installed by one.
    await sql`
      insert into du_plan (du_id, project_id, plan_end, actual_end, state, applicable_count, done_count, last_plan_end, next_plan_end)
      select id, ${projectId}, array[7000, 20000]::smallint[], array[7000, case code when 'D-1' then 7000 else 0 end]::smallint[], array[1, 1],
        2, case code when 'D-1' then 2 else 1 end, 20000, case code when 'D-1' then 0 else 20000 end
      from du where project_id = ${projectId}`;
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", to: "/MAPS-ACTIVITY/rollout-plan/map" });
    await alive(page);
    await drawn(page);
    const t = textsOf("en", "plan-map");
    const legend = async () =>
      (
        await page
          .getByRole("list", { name: t("legend") })
          .getByRole("listitem")
          .allTextContents()
      ).sort();
    const whole = await legend();
    expect(whole).toHaveLength(2);

    const colour = page.getByRole("button", { name: t("colour") });
    const field = page.getByRole("dialog", { name: t("colour") }).getByRole("textbox");
    // Where the focus is elsewhere, the failure names the place.
    const focused = (part: Locator) =>
      expect
        .poll(() => part.evaluate((element) => element === document.activeElement || document.activeElement?.outerHTML.slice(0, 400)))
        .toBe(true);
    const open = async () => {
      // A panel that fades away gives the focus back a moment after its last word.
      await focused(colour);
      await page.keyboard.press("Enter");
      await field.waitFor();
      await focused(field);
    };
    await colour.focus();
    await open();
    await expectAccessible(page);
    await picture(page, "map-colour");
    await page.keyboard.type("Bore");
    await page.getByText(t("noActivity")).waitFor();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await field.waitFor({ state: "detached" });

    await open();
    await page.keyboard.type("surv");
    await page.keyboard.press("Enter");
    await expect.poll(async () => [await colour.textContent(), ...(await legend())]).toEqual(["ColourSurvey", "Completed3"]);
    await open();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect.poll(async () => [await colour.textContent(), (await legend()).length]).toEqual(["ColourInstall", 2]);
    await open();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await expect.poll(legend).toEqual(whole);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it("says that a part of the program did not come where the library does not, and draws the map once it does", {
    timeout: 60_000,
  }, async () => {
    const number = "MAPS-LATE";
    await makeMap(number, 20);
    const ui = textsOf("en", "ui");
    const { page, context } = await signIn(journey, "pm", { lang: "en", to: `/${number}` });
    const library = /maplibre-gl[^/]*\.mjs/;
    await page.route(library, (route) => route.abort());
    // What does not come is tried once more by itself: that is over.
    await page.addInitScript(() => sessionStorage.setItem("milepost.chunkRetried", location.pathname));
    await page.goto(new URL(`/${number}/rollout-plan/map`, page.url()).href);
    const panel = page.getByRole("alert").filter({ hasText: ui("part.unread") });
    await panel.waitFor();
    await page.unroute(library);
    await panel.getByRole("button", { name: ui("error.retry") }).click();
    await drawn(page);
    expect(await panel.count()).toBe(0);
    await context.close();
  });
});
