import type { Locator, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { savedStayMs } from "#components/settings/setting-dialog.tsx";
import { loadingMaxMs } from "#components/ui/use-loading.ts";
import { waitMs } from "#lib/core/call-door.ts";
import { lockDusMax } from "#lib/scheduling/locks/limits.ts";
import { makeTab } from "../lib/du-tabs/make-tab.ts";
import {
  alive,
  expectAccessible,
  languageCases,
  makeJourneyProject,
  picture,
  signIn,
  useJourney,
  type Visitor,
} from "../support/journey.ts";
import { makeDus } from "../support/plan-factories.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();
const number = "SAYS";
const langs = ["zh", "en", "ja"] as const;
const visitors = new Map<string, Visitor>();

/** Another page of the one visitor of a language: somebody who signs in too often is stopped. */
async function open(lang: string, path: string): Promise<Page> {
  const page = await visitors.get(lang)!.context.newPage();
  page.setDefaultTimeout(20_000);
  if (path) await page.goto(`${journey.base}/${number}${path}`);
  return page;
}

/** A run of the planning engine with an output that holds no DU. */
async function makeOutput(projectId: number): Promise<void> {
  await journey.owner`
    with made as (
      insert into engine_plan_version (project_id, version_name, source, is_current, inputs_changed_at, created_by, created_at, updated_by, updated_at)
      select ${projectId}, 'Said', 'page_input', true, now(), id, now(), id, now() from app_user where account = 'pm' returning id, created_by)
    insert into engine_run (project_id, version_id, status, phase, percent, snapshot_sha256, code_version, seed, evaluation_limit, time_budget_s, islands,
      plan_start_date, former_status, has_output, finished_at, diagnosis, requested_by_id, created_at)
    select ${projectId}, id, 'success', 'done', 100, ${"0".repeat(64)}, 'said', 1, 100, 10, 1, '2026-10-20', 'setting', true, now(),
      '{"rows": [], "counts": {}}', created_by, now() from made`;
}

beforeAll(async () => {
  const projectId = await makeJourneyProject(journey.owner, number);
  await makeDus(
    journey.owner,
    projectId,
    Array.from({ length: lockDusMax + 1 }, (_, at) => ({ code: `SAY-${String(at).padStart(3, "0")}` })),
  );
  await makeTab(journey.owner, projectId, "Cells");
  await makeOutput(projectId);
  for (const [at, lang] of langs.entries())
    visitors.set(lang, await signIn(journey, "pm", { lang, skin: at === 1 ? "light" : "dark", to: `/${number}/tasks` }));
});
afterAll(async () => {
  for (const { context } of visitors.values()) await context.close();
});

type Texts = ReturnType<typeof textsOf>;
describe("a load", () => {
  it.each(
    languageCases,
  )("that does not come to its end says in $lang why not, asks to try later and can be tried again [OPS-25] [OPS-27] [OPS-36]", {
    timeout: 120_000,
  }, async ({ lang, skin }) => {
    expect(loadingMaxMs).toBe(60_000);
    const [ui, audit, log, plan, errors] = ["ui", "audit", "logs", "plan-grid", "errors"].map((area) => textsOf(lang, area)) as Texts[] as [
      Texts,
      Texts,
      Texts,
      Texts,
      Texts,
    ];
    const page = await open(lang, "");
    const context = page.context();
    await page.clock.install();
    // A server that never answers: the call is given up.
    await page.route("**/api/audit/list/**", () => {});
    await page.goto(`${journey.base}/${number}/logs/audit`);
    await alive(page);
    const list = page.locator("section[aria-busy=true]");
    await list.waitFor();
    await page.clock.fastForward(waitMs + 1_000);
    await page.getByText(errors("TIMEOUT"), { exact: true }).waitFor();
    await expectAccessible(page);
    // A server that cannot be reached.
    await page.unroute("**/api/audit/list/**");
    await page.route("**/api/audit/list/**", (route) => route.abort());
    await page.getByRole("button", { name: ui("error.retry") }).click();
    await page.getByText(errors("SERVICE_ERROR"), { exact: true }).waitFor();
    await page.unroute("**/api/audit/list/**");
    await page.getByRole("button", { name: ui("error.retry") }).click();
    await page
      .getByRole("grid", { name: audit("title") })
      .or(page.getByRole("heading", { name: ui("table.empty") }))
      .first()
      .waitFor();

    // Without a network it is told at once, and read by itself when there is one again.
    await page.goto(`${journey.base}/${number}/logs/plan`);
    await page.getByRole("heading", { name: ui("table.empty") }).waitFor();
    const choose = async (source: string) => {
      await page.getByRole("combobox", { name: log("source") }).click();
      await page.getByRole("option", { name: source, exact: true }).click();
    };
    await context.setOffline(true);
    await choose(plan("source.mobile"));
    await page.getByText(errors("SERVICE_ERROR"), { exact: true }).waitFor();
    await context.setOffline(false);
    await page.getByRole("heading", { name: ui("table.empty") }).waitFor();

    // What even the giving up does not end: the loading indicator itself gives up.
    await page.evaluate(() => {
      const ask = globalThis.fetch;
      globalThis.fetch = (input, init) => (String(input).includes("/api/planLog/") ? new Promise(() => {}) : ask(input, init));
    });
    await choose(plan("source.import"));
    await page.getByRole("heading", { name: ui("table.empty") }).waitFor({ state: "detached" });
    await page.clock.fastForward(loadingMaxMs - 5_000);
    expect(await page.getByText(ui("error.late"), { exact: true }).count()).toBe(0);
    await page.clock.fastForward(6_000);
    await page.getByText(ui("error.late"), { exact: true }).waitFor();
    await picture(page, `load-late-${skin}-${lang}`);
    await page.getByRole("button", { name: ui("error.retry") }).click();
    await page.getByText(ui("error.late"), { exact: true }).waitFor({ state: "detached" });
    await page.close();
  });

  it.each([
    { lang: "zh", none: "没有找到数据" },
    { lang: "en", none: "No data found" },
    { lang: "ja", none: "データが見つかりません" },
  ] as const)("that finds nothing says in $lang that no data was found [OPS-22]", { timeout: 180_000 }, async ({ lang, none }) => {
    const [dus, logs, audit, access, tasks, owners, scheduling, common] = [
      "dus",
      "logs",
      "audit",
      "access",
      "tasks",
      "owners",
      "scheduling",
      "common",
    ].map((area) => textsOf(lang, area)) as [Texts, Texts, Texts, Texts, Texts, Texts, Texts, Texts];
    const page = await open(lang, "");
    for (const [path, role, name] of [
      ["/rollout-plan/sites", "textbox", dus("list.search")],
      ["/logs/plan", "searchbox", common("du")],
      ["/logs/templates", "searchbox", logs("template.name")],
      ["/logs/audit", "searchbox", audit("filter.object")],
      ["/access/members", "searchbox", access("members.search")],
      ["/tasks", "searchbox", tasks("filter.title")],
      ["/owners/responsible", "textbox", owners("dus.search")],
      ["/owners/responsible?tab=regions", "textbox", owners("regions.search")],
      ["/scheduling/freezes", "searchbox", scheduling("filter.search")],
      ["/scheduling/locks", "searchbox", scheduling("filter.search")],
    ] as const) {
      await page.goto(`${journey.base}/${number}${path}`);
      await alive(page);
      await page.getByRole(role, { name, exact: true }).fill("nowhere at all");
      await page.getByRole("heading", { name: none, exact: true }).waitFor();
    }
    await page.close();
  });
});

describe("a search box", () => {
  it("that is given more than 500 entries warns and is empty again; 500 it keeps [OPS-30]", { timeout: 240_000 }, async () => {
    const [ui, plan, dus, tabs, clusters, flows, owners, scheduling, outputs, common] = [
      "ui",
      "plan-grid",
      "dus",
      "du-tabs",
      "clusters",
      "activity-flows",
      "owners",
      "scheduling",
      "outputs",
      "common",
    ].map((area) => textsOf("en", area)) as [Texts, Texts, Texts, Texts, Texts, Texts, Texts, Texts, Texts, Texts];
    const page = await open("en", "");
    const warning = page.getByText(ui("search.tooMany", { max: 500, count: 501 }), { exact: true });
    const paste = async (box: Locator, count: number) => {
      const entries = Array.from({ length: count }, (_, at) => `e${at}`).join(count > 500 ? "," : "\n");
      await page.evaluate((text) => navigator.clipboard.writeText(text), entries);
      await box.click();
      await page.keyboard.press("Control+v");
    };
    for (const [path, role, name] of [
      ["", "textbox", plan("search.label")],
      ["/rollout-plan/sites", "textbox", dus("list.search")],
      ["/du-tabs", "textbox", tabs("list.search")],
      ["/du-tabs", "textbox", tabs("sheet.sn")],
      ["/logs/plan", "searchbox", common("du")],
      ["/activity-flows/bind", "searchbox", flows("du.search")],
      ["/dimension-views/clusters", "textbox", clusters("codes.codes")],
      ["/scheduling/freezes", "searchbox", scheduling("filter.search")],
      ["/scheduling/locks", "searchbox", scheduling("filter.search")],
      ["/owners/responsible", "textbox", owners("dus.search")],
      ["/rollout-plan/two-networks", "searchbox", common("search")],
      ["/planning-engine/output", "textbox", outputs("filter.search")],
    ] as const) {
      await page.goto(`${journey.base}/${number}${path}`);
      await alive(page);
      if (path === "/dimension-views/clusters") await page.getByRole("button", { name: clusters("codes.title") }).click();
      const box = page.getByRole(role, { name, exact: true });
      await paste(box, 501);
      await warning.waitFor();
      expect(await box.inputValue(), name).toBe("");
      await paste(box, 500);
      await expect.poll(async () => (await box.inputValue()).split(/[,\s]+/).length).toBe(500);
      // The plan is not to look for them any longer.
      await box.fill("");
      await box.press("Enter");
    }
    await page.close();
  });
});

describe("the dialog of a setting", () => {
  it.each(languageCases)("says in $lang that it was saved and closes two seconds later; a refusal stays with its reason [OPS-35]", {
    timeout: 90_000,
  }, async ({ lang, skin }) => {
    expect(savedStayMs).toBe(2_000);
    const t = textsOf(lang, "settings");
    const page = await open(lang, "/settings/data-control");
    await alive(page);
    const flip = async () => {
      const flag = page.getByRole("switch", { name: t("switch.customerDataControl.name") });
      await expect.poll(() => flag.isEnabled()).toBe(true);
      await flag.press("Space");
      const dialog = page.getByRole("dialog");
      await dialog.waitFor();
      return dialog;
    };
    const dialog = await flip();
    await dialog.getByRole("button", { name: t("switches.confirmVerb", { count: 1 }) }).click();
    await dialog
      .getByRole("status")
      .getByText(/\d\d:\d\d/)
      .waitFor();
    const stayed = page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const begin = performance.now();
          const look = () => (document.querySelector("[role=dialog]") ? requestAnimationFrame(look) : resolve(performance.now() - begin));
          look();
        }),
    );
    await expectAccessible(page);
    await picture(page, `setting-saved-${skin}-${lang}`);
    // Between the save and the first look passes a moment, and the dialog fades.
    expect(await stayed).toBeGreaterThan(1_000);
    expect(await stayed).toBeLessThan(3_500);

    await page.route("**/*", async (route) => {
      if (route.request().method() === "POST" && route.request().headers()["next-action"]) await route.abort();
      else await route.fallback();
    });
    const again = await flip();
    await again.getByRole("button", { name: t("switches.confirmVerb", { count: 1 }) }).click();
    await again.getByRole("alert").getByText(textsOf(lang, "errors")("SERVICE_ERROR"), { exact: true }).waitFor();
    await page.waitForTimeout(savedStayMs + 500);
    expect(await again.isVisible()).toBe(true);
    await page.close();
  });
});

describe("an action on many DUs", () => {
  it.each(languageCases)("states its own number in $lang, that of the plan and those of other areas [OPS-20]", { timeout: 60_000 }, async ({
    lang,
  }) => {
    const [t, lock] = [textsOf(lang, "plan-grid"), textsOf(lang, "scheduling")];
    const page = await open(lang, "/");
    await page.getByRole("grid").waitFor();
    const item = async (name: string) => {
      await page
        .getByRole("button", { name: t("batch.menu"), exact: true })
        .first()
        .click();
      const found = page.getByRole("menuitem", { name, exact: true });
      const [title, off] = [await found.getAttribute("title"), await found.isDisabled()];
      await page.keyboard.press("Escape");
      return [title, off];
    };
    await expect.poll(() => item(lock("lock.title.fix"))).toEqual([textsOf(lang, "errors")("NO_SELECTION", { object: "du" }), true]);
    await page.getByRole("checkbox", { name: textsOf(lang, "grid")("selectAllRows") }).click();
    await expect.poll(() => item(lock("lock.title.fix"))).toEqual([t("batch.tooMany", { max: lockDusMax }), true]);
    await expect.poll(() => item(t("batch.items.dates"))).toEqual([t("batch.tooMany", { max: 200 }), true]);
    await page.close();
  });
});
