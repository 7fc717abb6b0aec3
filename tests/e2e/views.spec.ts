import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { alive, expectAccessible, makeJourneyProject, picture, signIn, useJourney } from "../support/journey.ts";
import { type MadeDu, makeActivities, makeDus, makeFlow, makeOwnerSet } from "../support/plan-factories.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();
const number = "VIEWS";
let projectId: number;

const day = (from: number) => new Date(Date.now() + from * 86_400_000).toISOString().slice(0, 10);
const late = day(-9);

beforeAll(async () => {
  const { owner } = journey;
  projectId = await makeJourneyProject(owner, number);
  const people = await owner<{ id: number }[]>`select id from app_user where account in ('pm', 'tl') order by account`;
  const [region] = await owner<
    { id: number }[]
  >`insert into delivery_region (project_id, name) values (${projectId}, 'North') returning id`;
  const activities = await makeActivities(owner, projectId, ["Survey", "Design", "Installation of the antennas"]);
  const flow = { id: await makeFlow(owner, projectId, people[0]!.id, activities), activities };
  const set = await makeOwnerSet(
    owner,
    projectId,
    people.map(({ id }) => id),
  );
  const dus = Array.from({ length: 30 }, (_, at): MadeDu => {
    const first = { plan_start: day(-20), plan_end: late, plan_owner: set };
    return {
      code: `V-${at + 1}`,
      regionId: at < 20 ? region!.id : null,
      plan: {
        1: at === 0 ? { ...first, actual_end: late } : { plan_end: day(at + 2), plan_owner: set },
        2: at === 0 ? first : { plan_end: day(at + 12), plan_owner: set },
        3: { plan_end: day(at + 30), plan_owner: set },
      },
    };
  });
  const ids = await makeDus(owner, projectId, dus, flow);
  await owner`update customer_site set address = '12 Harbour Road' where project_id = ${projectId} and code = 'S-V-2'`;
  await owner`insert into du_relation (project_id, du_id, related_du_id, kind) values (${projectId}, ${ids[1]!}, ${ids[0]!}, 'parent')`;
});

const cardOf = (page: Page, code: string) =>
  page.getByRole("listitem").filter({ has: page.getByRole("button", { name: code, exact: true }) });

describe("views of the plan", () => {
  it("share one question and selection; a saved one opens for others by its address and leaves their own as it was [RPL-02] [RPL-06]", {
    timeout: 120_000,
  }, async () => {
    const [t, plan, common] = [textsOf("en", "plan-views"), textsOf("en", "plan-grid"), textsOf("en", "common")] as const;
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", skin: "light", to: `/${number}`, width: 1280 });
    await page.locator("[role=gridcell]").first().waitFor();
    await picture(page, "plan-views-light-en");
    await page.getByRole("button", { name: plan("views.card"), exact: true }).click();
    await page.waitForURL((url) => url.searchParams.get("view") === "card");

    const first = cardOf(page, "V-1");
    await first.getByRole("img", { name: t("cards.progress", { done: 1, total: 3 }) }).waitFor();
    const said = (await first.innerText()).split("\n").map((line) => line.trim());
    expect(said).toEqual(expect.arrayContaining(["Site V-1", "North", "Design", late, t("cards.delayed", { count: 1 })]));
    expect(await first.getByRole("list", { name: t("cards.owners") }).innerText()).toContain("晓岚");

    // The keyboard goes from card to card and chooses; the choice is that of the grid.
    await first.getByRole("checkbox").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Space");
    await page.getByText(plan("selection.count", { count: 1 })).waitFor();
    await expectAccessible(page);
    await picture(page, "cards-light-en");
    await page.getByRole("button", { name: textsOf("en", "ui")("table.next") }).click();
    await cardOf(page, "V-30").waitFor();
    expect(await page.getByRole("checkbox", { checked: true }).count()).toBe(0);

    // One search for all views.
    await page.getByRole("textbox", { name: plan("search.label") }).fill("V-2");
    await page.keyboard.press("Enter");
    await cardOf(page, "V-1").waitFor({ state: "detached" });
    expect(await cardOf(page, "V-2").getByRole("checkbox").isChecked()).toBe(true);
    await cardOf(page, "V-2").getByRole("button", { name: "Site V-2" }).click();
    const site = page.getByRole("dialog");
    await site.getByText("S-V-2").waitFor();
    for (const fact of ["12 Harbour Road", "31.23", "121.47", textsOf("en", "dus")("values.status.active")])
      await site.getByText(fact, { exact: true }).waitFor();
    await site.getByRole("link", { name: "V-2" }).waitFor();
    await expectAccessible(page);
    await site.getByRole("button", { name: common("close") }).click();
    await site.waitFor({ state: "detached" });

    // Kept under a name and shared.
    await page.getByRole("button", { name: plan("saved.button") }).click();
    const menu = page.getByRole("dialog");
    await menu.getByRole("textbox", { name: new RegExp(t("saved.newName")) }).fill("The twenties");
    await menu.getByRole("checkbox", { name: t("saved.share") }).check();
    await expectAccessible(page);
    await picture(page, "saved-views-light-en");
    await menu.getByRole("button", { name: t("saved.keep") }).click();
    await page.waitForURL((url) => url.searchParams.has("saved"));
    const link = page.url();

    // Opened in the grid: the DU is there and still chosen. The command box leads to the views too.
    await cardOf(page, "V-2").getByRole("button", { name: "V-2", exact: true }).click();
    await page.locator("[role=gridcell]").first().waitFor();
    await page.getByText(plan("selection.count", { count: 1 })).waitFor();
    await page.getByRole("button", { name: plan("selection.clear"), exact: true }).click();
    await page.locator("[role=gridcell]", { hasText: "V-20" }).first().click({ button: "right" });
    await page.getByRole("menuitem", { name: plan("cell.site") }).click();
    await page.getByRole("dialog").getByText("S-V-20").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    // With a chosen row its batches are commands too.
    await page.locator("[role=gridcell]", { hasText: "V-20" }).first().click();
    await page.keyboard.press("Space");
    await page.getByText(plan("selection.count", { count: 1 })).waitFor();
    await page.keyboard.press("Control+k");
    const box = page.getByRole("combobox", { name: textsOf("en", "shell")("command.open") });
    await box.fill(`>${plan("batch.items.dates")}`);
    await page.getByRole("option", { name: plan("batch.items.dates") }).waitFor();
    await box.fill(`>${plan("commands.view", { view: plan("views.card") })}`);
    await page.getByRole("option", { name: plan("commands.view", { view: plan("views.card") }) }).click();
    await cardOf(page, "V-20").waitFor();

    // The exceptions: how many of each kind, and the plan narrowed to one.
    await page.getByRole("button", { name: plan("selection.clear"), exact: true }).click();
    await page.getByRole("button", { name: plan("search.clear") }).click();
    await page.getByRole("button", { name: plan("exception.button") }).click();
    const drawer = page.getByRole("dialog");
    await drawer.getByRole("button", { name: new RegExp(`${plan("exception.no_region")}.*10$`, "s") }).waitFor();
    await drawer.getByRole("button", { name: new RegExp(`^${plan("exception.delayed")}.*1$`, "s") }).click();
    await drawer.getByRole("button", { name: "V-1", exact: true }).waitFor();
    await expectAccessible(page);
    await picture(page, "exceptions-light-en");
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
    await cardOf(page, "V-30").waitFor({ state: "detached" });
    await cardOf(page, "V-1").waitFor();
    expect(complaints).toEqual([]);
    await context.close();

    // Somebody else follows the address: the same cards; what he changes is not his home page.
    const other = await signIn(journey, "tl", { lang: "zh", skin: "dark", to: `${new URL(link).pathname}${new URL(link).search}` });
    await cardOf(other.page, "V-29").waitFor();
    expect(await cardOf(other.page, "V-1").count()).toBe(0);
    await other.page.getByRole("button", { name: "The twenties" }).waitFor();
    await picture(other.page, "cards-dark-zh");
    // The figures of every activity over all DUs are counted for who sees them: the grid alone shows them.
    const counted: string[] = [];
    other.page.on("request", (request) => {
      if (request.url().includes("/rolloutPlan/summary")) counted.push(request.url());
    });
    await other.page.reload({ waitUntil: "networkidle" });
    await cardOf(other.page, "V-29").waitFor();
    expect(counted).toEqual([]);
    await other.page.getByRole("button", { name: textsOf("zh", "plan-grid")("views.grid"), exact: true }).click();
    await expect.poll(() => counted.length).toBeGreaterThan(0);
    await other.page.locator("[role=gridcell]", { hasText: "V-29" }).first().waitFor();
    await other.page.goto(`${journey.base}/${number}/rollout-plan/du-tree`);
    await other.page.getByRole("tree").waitFor();
    // What somebody may not see of a view is left out, and he is told so.
    const [kept] = await journey.owner<{ id: string }[]>`
      insert into saved_view (id, project_id, owner_id, name, state, shared)
      select gen_random_uuid(), ${projectId}, id, 'By price', '{"view":"card","sort":[{"key":"a999999999","dir":"asc"}]}', true
      from app_user where account = 'pm' returning id`;
    await other.page.goto(`${journey.base}/${number}?saved=${kept!.id}`);
    await other.page.getByText(textsOf("zh", "plan-grid")("saved.dropped", { count: 1 })).waitFor();
    await cardOf(other.page, "V-1").waitFor();
    const [tl] = await journey.owner<{ id: number }[]>`select id from app_user where account = 'tl'`;
    expect(await journey.owner`select 1 from home_page_state where project_id = ${projectId} and user_id = ${tl!.id}`).toHaveLength(0);
    expect(other.complaints).toEqual([]);
    await other.context.close();
  });

  it("the tree leads by keyboard from a region to a DU, its child and its activities, and from there into the plan [RPL-05]", {
    timeout: 90_000,
  }, async () => {
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "zh", skin: "dark", to: `/${number}#/duview` });
    await page.waitForURL(`**/${number}/rollout-plan/du-tree`);
    await alive(page);
    const item = (name: string) => page.getByRole("treeitem", { name: new RegExp(name) });
    await item("North").focus();
    for (const key of ["ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "");
    await item("S-V-1").first().waitFor();
    await page.keyboard.press("ArrowRight");
    await expect.poll(focused).toContain("S-V-1");
    await page.keyboard.press("ArrowRight");
    await item("^V-1").waitFor();
    await page.keyboard.press("ArrowRight");
    await expect.poll(focused).toMatch(/^V-1/);
    await page.keyboard.press("ArrowRight");
    await item("^V-2").waitFor();
    await item("Survey").waitFor();
    expect(await item("^V-2").getAttribute("aria-level")).toBe("4");
    // The child stands under its parent only; letters lead on.
    expect(await item("S-V-2 ").count()).toBe(0);
    await page.keyboard.type("des");
    await expect.poll(focused).toContain("Design");
    await expectAccessible(page);
    await picture(page, "duTree-dark-zh");
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname === `/${number}` && url.searchParams.get("du") === "V-1");

    // A screen without verbs of its own offers the buttons of its page bar.
    await page.goto(`${journey.base}/${number}/access/members`);
    await alive(page);
    const grant = textsOf("zh", "access")("members.grant");
    await page.getByRole("button", { name: grant }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: textsOf("zh", "shell")("command.open") }).fill(`>${grant}`);
    await page.getByRole("option", { name: grant }).click();
    await page.getByRole("option", { name: grant }).waitFor({ state: "detached" });
    await page.getByRole("dialog").waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
});
