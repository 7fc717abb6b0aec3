import { describe, expect, it } from "vitest";
import { dayNumber, isoDay, projectToday } from "#lib/core/clock.ts";
import { makeJourneyProject, signIn, useJourney } from "../support/journey.ts";
import { PassingArea } from "../support/passing.ts";
import { type MadeDu, makeActivities, makeDus, makeFlow } from "../support/plan-factories.ts";

const journey = useJourney();
const today = dayNumber(projectToday(new Date(), 0)) as number;
const gantt = "[role=treegrid]";

describe("a Gantt that is scrolled", () => {
  it("draws what passes quickly as it stands there afterwards, in both skins and on a finer screen", { timeout: 120_000 }, async () => {
    const { owner } = journey;
    const projectId = await makeJourneyProject(owner, "GANTTPASS");
    const [pm] = await owner<{ id: number }[]>`select id from app_user where account = 'pm'`;
    const names = ["Survey", "Design and approval of everything", "MOS:mos", "安装".repeat(12), "PAC:pac"];
    const activities = await makeActivities(owner, projectId, names);
    const flow = { id: await makeFlow(owner, projectId, pm!.id, activities), activities };
    await owner`update flow_activity set is_milestone = true where flow_id = ${flow.id} and activity_id = any(${[activities[2]!.id, activities[4]!.id]}::bigint[])`;
    await owner`
      insert into flow_relation (flow_id, pre_node_id, node_id, type, offset_days)
      select ${flow.id}, x.id, y.id, 'FS', y.seq - 2 from flow_activity x join flow_activity y on y.flow_id = x.flow_id and y.seq = x.seq + 1 where x.flow_id = ${flow.id}`;
    // Done, late, ahead of and behind the baseline, not planned.
    await makeDus(
      owner,
      projectId,
      Array.from({ length: 60 }, (_, at): MadeDu => {
        const from = (at % 5) * 3;
        const day = (after: number) => isoDay(today + after) as string;
        const span = (start: number, end: number, slip: number, isDone = false) => ({
          plan_start: day(start),
          plan_end: day(end),
          baseline_start: day(start - slip),
          baseline_end: day(end - slip),
          ...(isDone && { actual_start: day(start), actual_end: day(end + 1) }),
        });
        const plan = {
          1: span(from - 21, from - 17, 2, true),
          2: span(from - 14, from - 4, 0),
          3: span(from, from, -3, at % 4 === 0),
          4: span(from + 1, from + 9, 4),
          5: span(from + 12, from + 12, 0),
        };
        return { code: `GD-${1001 + at}`, name: at % 3 === 0 ? "Meisha Bay of the long name" : "梅沙湾", plan: at % 7 === 6 ? {} : plan };
      }),
      flow,
    );
    const { page, context, complaints } = await signIn(journey, "pm", { lang: "en", skin: "dark", to: "/GANTTPASS?view=gantt" });
    await page.locator(`${gantt} [role=row][aria-level]`).first().waitFor();
    await page.waitForLoadState("networkidle");
    // The relations of the DU whose activity is chosen.
    await page.locator(`${gantt} [role=row][aria-rowindex="18"]`).click({ position: { x: 60, y: 14 } });
    await page.locator(`${gantt} svg path`).first().waitFor({ state: "attached" });
    const screen = await context.newCDPSession(page);
    const area = new PassingArea(page, gantt, 48);
    for (const skin of ["dark", "light"]) {
      await page.evaluate((scheme) => document.documentElement.setAttribute("data-mantine-color-scheme", scheme), skin);
      await area.expectAlike(screen, "y");
    }
    await screen.send("Emulation.setDeviceMetricsOverride", { width: 1_440, height: 900, deviceScaleFactor: 2, mobile: false });
    // The finer screen is emulated: elements still stand on whole CSS pixels there, diamonds and the line of today up to half a pixel beside.
    await area.expectAlike(screen, "y", 1 / 1_000);
    await screen.send("Emulation.clearDeviceMetricsOverride");

    // What passed a little further is another picture: the comparison would tell.
    const [here, further] = [await area.picture({ axis: "y", steps: [160, 160] }), await area.picture({ axis: "y", steps: [160, 188] })];
    expect((await area.differing(here, further)).differing).toBeGreaterThan(10_000);
    // What moves slowly or sideways is drawn with elements, and so is what goes to a line that is to be read.
    expect(await area.passed({ axis: "x", steps: [160, 160] })).toBeNull();
    expect(await area.passed({ axis: "y", steps: [149, 149] })).toBeNull();
    await page.mouse.move(900, 450);
    expect(await area.drawnBy(() => page.mouse.wheel(0, 2_000))).toBe(true);
    await page.locator(gantt).focus();
    expect(await area.drawnBy(() => page.keyboard.press("PageUp"))).toBe(false);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
