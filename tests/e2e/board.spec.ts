import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import { dayNumber, isoDay, projectToday, weekday } from "#lib/core/clock.ts";
import { alive, expectAccessible, makeJourneyProject, picture, signIn, useJourney } from "../support/journey.ts";
import { type MadeDu, makeActivities, makeDus, makeFlow, makeOwnerSet } from "../support/plan-factories.ts";
import { textsOf } from "../support/texts.ts";

const journey = useJourney();
const today = dayNumber(projectToday(new Date(), 0)) as number;
/** Monday of the week after the present one, and days after it. */
const monday = today - weekday(today) + 8;
const day = (after: number) => isoDay(monday + after) as string;

/** Twelve DUs of five activities each, relations between them; those of the last DU are not planned. */
async function prepare(number: string) {
  const { owner } = journey;
  const projectId = await makeJourneyProject(owner, number);
  const [pm] = await owner<{ id: number }[]>`select id from app_user where account = 'pm'`;
  const [tl] = await owner<{ id: number }[]>`select id from app_user where account = 'tl'`;
  const activities = await makeActivities(owner, projectId, ["Survey", "Design", "MOS:mos", "Installation", "PAC:pac"]);
  const flow = { id: await makeFlow(owner, projectId, pm!.id, activities), activities };
  await owner`update flow_activity set lead_time_days = 0, is_milestone = true where flow_id = ${flow.id} and activity_id = any(${[activities[2]!.id, activities[4]!.id]}::bigint[])`;
  await owner`
    insert into flow_relation (flow_id, pre_node_id, node_id, type, offset_days)
    select ${flow.id}, x.id, y.id, 'FS', y.seq - 2 from flow_activity x join flow_activity y on y.flow_id = x.flow_id and y.seq = x.seq + 1 where x.flow_id = ${flow.id}`;
  const sets = [await makeOwnerSet(owner, projectId, [pm!.id]), await makeOwnerSet(owner, projectId, [pm!.id, tl!.id]), 0];
  const dus = await makeDus(
    owner,
    projectId,
    Array.from({ length: 12 }, (_, at): MadeDu => {
      const from = at - 4;
      const span = (start: number, end: number, done = false) => ({
        plan_start: day(start),
        plan_end: day(end),
        baseline_start: day(start - 2),
        baseline_end: day(end - 2),
        plan_owner: sets[at % 3] ?? 0,
        actual_owner: sets[at % 3] ?? 0,
        ...(done ? { actual_start: day(start), actual_end: day(end + 1) } : {}),
      });
      return {
        code: `GD-${1001 + at}`,
        name: `Meisha Bay ${at + 1}`,
        plan:
          at === 11
            ? {}
            : {
                1: span(from - 21, from - 17, true),
                2: span(from - 14, from - 8),
                3: span(from, from),
                4: span(from + 1, from + 4),
                5: span(from + 8, from + 8),
              },
      };
    }),
    flow,
  );
  return { dus };
}

const dates = async (duId: number, slot: number) => {
  const [row] = await journey.owner<{ start: number; end: number }[]>`
    select coalesce(plan_start[${slot}], 0)::int as start, coalesce(plan_end[${slot}], 0)::int as end from du_plan where du_id = ${duId}`;
  return [isoDay(row!.start), isoDay(row!.end)];
};

const drag = async (page: Page, from: { x: number; y: number }, to: { x: number; y: number }) => {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 8, from.y + 2);
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
};

describe("the plan along time", () => {
  it("is planned anew on the board and in the Gantt, by pointer and by key, and saved as the grid is [RPL-03]", {
    timeout: 120_000,
  }, async () => {
    const number = "BOARDS";
    const { dus } = await prepare(number);
    const t = textsOf("en", "plan-timeline");
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", skin: "light", to: `/${number}` });
    await alive(page);
    await page.locator("[role=gridcell]").first().waitFor();
    await page.getByRole("button", { name: textsOf("en", "plan-grid")("views.board"), exact: true }).click();
    await page.waitForURL((url) => url.searchParams.get("view") === "board");
    const board = page.getByRole("grid", { name: t("board") });
    const column = async (after: number) => {
      const box = await board
        .getByRole("columnheader", { name: day(after) })
        .first()
        .boundingBox();
      return box!.x + box!.width / 2;
    };
    const save = async () => {
      await page.keyboard.press("Control+s");
      await page.getByText(/saved/).first().waitFor();
    };

    const cell = (lane: string, after: number) => board.getByRole("gridcell", { name: new RegExp(`^${lane}, ${day(after)}`) });
    // A card is dragged two days on: its end passes the weekend.
    await page.getByRole("button", { name: t("toToday") }).click();
    // The week in which everything happens is brought into sight: the board begins today.
    await board.getByRole("rowheader").first().waitFor();
    await board.evaluate((element, days) => element.scrollTo({ left: days * 132 }), monday - today);
    // What has been scrolled to is drawn on a canvas first: there is no card to be taken hold of yet.
    await page.evaluate(() => new Promise((done) => setTimeout(done, 100)));
    await board.locator("canvas").waitFor({ state: "hidden" });
    const installation = (after: number) => cell("林晓岚 Lin Xiaolan", after).getByRole("button", { name: /^GD-1005 Installation/ });
    await installation(1).waitFor();
    const box = (await installation(1).boundingBox())!;
    await drag(page, { x: box.x + 30, y: box.y + 12 }, { x: await column(3), y: box.y + 12 });
    await installation(3).waitFor();
    await expect.poll(() => installation(1).count()).toBe(0);
    expect(await dates(dus[4]!, 4)).toEqual([day(1), day(4)]);
    await save();
    await expect.poll(() => dates(dus[4]!, 4)).toEqual([day(3), day(8)]);

    // By key: Alt and an arrow is a working day.
    await installation(3).click();
    await page.keyboard.press("Alt+ArrowRight");
    await expect.poll(() => installation(3).count()).toBe(0);
    await page.keyboard.press("Control+z");
    await installation(3).waitFor();

    // What is not planned is dragged from the drawer to a day, and takes its lead time.
    await page.getByRole("button", { name: /^Not planned/ }).click();
    const wait = page.getByRole("complementary", { name: t("unscheduled.title") }).getByRole("button", { name: /GD-1012\s*Survey/ });
    const from = (await wait.boundingBox())!;
    await drag(page, { x: from.x + 20, y: from.y + 12 }, { x: await column(2), y: box.y });
    await wait.waitFor({ state: "detached" });
    await save();
    await expect.poll(() => dates(dus[11]!, 1)).toEqual([day(2), day(2)]);

    // A number for the lanes marks those that hold more.
    await page.getByLabel(t("capacity.label")).fill("2");
    await page.keyboard.press("Enter");
    await board
      .getByRole("gridcell", { name: /too much/ })
      .first()
      .waitFor();
    await picture(page, "board-light-en");
    await expectAccessible(page);
    await context.close();

    // In the Gantt an arrow moves the bar by a working day, and the same save writes it.
    const second = await signIn(journey, "pm", { lang: "zh", skin: "dark", to: `/${number}?view=gantt` });
    await alive(second.page);
    const gantt = second.page.getByRole("treegrid");
    await gantt.getByRole("row", { name: /^GD-1001/ }).waitFor();
    await gantt.focus();
    for (let turn = 0; turn < 4; turn++) await second.page.keyboard.press("ArrowDown");
    const arrows = () => gantt.locator("svg path").evaluateAll((paths) => paths.map((path) => path.getAttribute("d")).join(" "));
    const before = await arrows();
    expect(before).not.toBe("");
    await second.page.keyboard.press("ArrowRight");
    // Its relations go with it.
    await expect.poll(arrows).not.toBe(before);
    await picture(second.page, "gantt-dark-zh");
    await expectAccessible(second.page);
    expect(await dates(dus[0]!, 4)).toEqual([day(-3), day(0)]);
    await second.page.keyboard.press("Control+s");
    await expect.poll(() => dates(dus[0]!, 4)).toEqual([day(0), day(1)]);
    expect([...complaints, ...second.complaints]).toEqual([]);
    await second.context.close();
  });
});
