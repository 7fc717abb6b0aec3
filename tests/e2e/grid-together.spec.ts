import { isDeepStrictEqual } from "node:util";
import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import { addDays, dayNumber } from "#lib/core/clock.ts";
import { editsOfColumns } from "#lib/rollout-plan/edits/logic.ts";
import type { EditColumns } from "#lib/rollout-plan/edits/schema.ts";
import { GridPage } from "../support/grid-page.ts";
import { expectAccessible, makeJourneyProject, signIn, useJourney, type Visitor } from "../support/journey.ts";
import { makeActivities, makeDus, makeFlow } from "../support/plan-factories.ts";

const journey = useJourney();
const rows = 8;
/** Time for a change to come round by itself: the page asks every 20 seconds should the live line be down. */
const within = { timeout: 25_000 };
const fields = ["Plan start", "Plan end"] as const;
const fieldNames = { "Plan start": "planStart", "Plan end": "planEnd" } as const;
type Field = (typeof fields)[number];

/** A cell that a save was told to write. */
type Write = { duId: number; field: string; value: string | null; base: string | null };
type SaveAnswer = { data?: { batchId: number | null; rejected: { duId: number }[]; conflicts: Write[] } };

/** One person in a browser of their own, with a record of everything they typed and everything the server accepted from them. */
class Planner {
  readonly grid: GridPage;
  readonly page: Page;
  readonly visitor: Visitor;
  /** Values typed so far, by cell, oldest first. */
  readonly typed = new Map<string, string[]>();
  readonly accepted: (Write & { batchId: number })[] = [];
  /** Values given up in the conflict dialog. */
  readonly declined: { cell: string; value: string }[] = [];

  constructor(visitor: Visitor) {
    this.visitor = visitor;
    this.page = visitor.page;
    this.grid = new GridPage(visitor.page);
    this.page.on("response", async (response) => {
      if (!response.url().includes("/api/rolloutPlan/save")) return;
      const { columns } = response.request().postDataJSON() as { columns: EditColumns[] };
      const { data } = (await response.json()) as SaveAnswer;
      if (!data?.batchId) return;
      const stopped = new Set([...data.rejected, ...data.conflicts].map((cell) => cell.duId));
      for (const edit of editsOfColumns(columns) as Write[])
        if (!stopped.has(edit.duId)) this.accepted.push({ ...edit, batchId: data.batchId });
    });
  }

  async type(row: number, field: Field, value: string): Promise<void> {
    await this.grid.type(row, field, "Install", value);
    const key = `${row}|${field}`;
    this.typed.set(key, [...(this.typed.get(key) ?? []), value]);
  }

  /** Saves and waits for the answers of all calls it makes. */
  async save(): Promise<void> {
    if ((await this.grid.unsaved()) === 0) return;
    const answered = this.page.waitForResponse((response) => response.url().includes("/api/rolloutPlan/save"));
    await this.page.keyboard.press("Control+s");
    await (await answered).finished();
    await this.page
      .getByRole("button", { name: /^Save(?!d)/ })
      .and(this.page.locator(":not([data-loading])"))
      .waitFor();
  }

  /** Decides every conflict on the page by the keyboard, one after the other. */
  async decide(choice: "mine" | "theirs"): Promise<number> {
    let decided = 0;
    while ((await this.conflicts()) > 0) {
      await (await this.grid.cell(0, "Plan start", "Install")).click();
      await this.page.keyboard.press("F8");
      const at = await this.grid.active();
      const field = (await this.grid.column("Plan start", "Install")) === at.column ? "Plan start" : "Plan end";
      await this.page.keyboard.press("Enter");
      const dialog = this.page.getByRole("dialog");
      await dialog.getByRole("radio").first().waitFor();
      if (decided === 0) await expectAccessible(this.page);
      await this.page.keyboard.press(choice === "mine" ? "1" : "2");
      const before = await this.conflicts();
      await this.page.keyboard.press("Enter");
      await expect.poll(() => this.conflicts(), within).toBe(before - 1);
      if (choice === "theirs") this.declined.push({ cell: `${at.row}|${field}`, value: at.text });
      if ((await dialog.count()) > 0) {
        await this.page.keyboard.press("Escape");
        await dialog.waitFor({ state: "detached" });
      }
      decided++;
    }
    return decided;
  }

  async conflicts(): Promise<number> {
    const found = this.page.getByRole("button", { name: /^\d+ conflicts?$/ });
    return (await found.count()) === 0 ? 0 : Number.parseInt(await found.first().innerText(), 10);
  }
}

/** A repeatable stream of numbers below 1. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

async function makePlan(number: string): Promise<{ duIds: number[]; projectId: number }> {
  const projectId = await makeJourneyProject(journey.owner, number);
  const [pm] = await journey.owner<{ id: number }[]>`select id from app_user where account = 'pm'`;
  const activities = await makeActivities(journey.owner, projectId, ["Survey", "Install"]);
  const id = await makeFlow(journey.owner, projectId, pm!.id, activities, "Rollout");
  const dus = Array.from({ length: rows }, (_, at) => ({ code: `${number}-${String(at + 1).padStart(3, "0")}` }));
  return { projectId, duIds: await makeDus(journey.owner, projectId, dus, { id, activities }) };
}

/** Every accepted write stands in the log under its batch, from the value it was read with to the value typed, and the last one is what is stored. */
async function expectLogged(projectId: number, planners: readonly Planner[]): Promise<void> {
  const logged = await journey.owner<
    { batchId: number; seq: number; duId: number; field: string; old: string | null; new: string | null }[]
  >`
    select c.batch_id as "batchId", c.seq, c.du_id as "duId", c.field, c.old_value as old, c.new_value as new
    from plan_log_cell c where c.project_id = ${projectId} order by c.seq`;
  const lines = new Set(logged.map((cell) => `${cell.batchId} ${cell.duId} ${cell.field} ${cell.old ?? ""} ${cell.new ?? ""}`));
  const accepted = planners.flatMap((planner) => planner.accepted).filter(({ value, base }) => value !== base);
  expect(accepted.length).toBeGreaterThan(0);
  const missing = accepted
    .map((cell) => `${cell.batchId} ${cell.duId} ${cell.field} ${cell.base ?? ""} ${cell.value ?? ""}`)
    .filter((line) => !lines.has(line));
  expect(missing).toEqual([]);
  const last = new Map(logged.map((cell) => [`${cell.duId} ${cell.field}`, cell.new ?? ""]));
  const stored = await journey.owner<{ duId: number; start: number; end: number }[]>`
    select du_id as "duId", coalesce(plan_start[2], 0)::int as start, coalesce(plan_end[2], 0)::int as end from du_plan where project_id = ${projectId}`;
  for (const row of stored) {
    expect(row.start).toBe(dayNumber(last.get(`${row.duId} planStart`) || "2000-01-01"));
    expect(row.end).toBe(dayNumber(last.get(`${row.duId} planEnd`) || "2000-01-01"));
  }
}

/** Whatever somebody typed last in a cell was accepted, or given up by their own decision. */
function expectNothingLost(planner: Planner, duIds: readonly number[]): void {
  for (const [cell, values] of planner.typed) {
    const [row, field] = cell.split("|") as [string, Field];
    const value = values.at(-1);
    const isSaved = planner.accepted.some(
      (write) => write.duId === duIds[Number(row)] && write.field === fieldNames[field] && write.value === value,
    );
    const isDeclined = planner.declined.some((given) => given.cell === cell && given.value === value);
    expect({ cell, value, kept: isSaved || isDeclined }).toEqual({ cell, value, kept: true });
  }
}

describe("two people on the same cells", () => {
  it("lose nothing: interleaved saves, a reload, a lost connection, conflicts decided both ways", { timeout: 300_000 }, async () => {
    const { projectId, duIds } = await makePlan("TOGETHER");
    const [ann, ben] = [
      new Planner(await signIn(journey, "pm", { lang: "en", to: "/TOGETHER" })),
      new Planner(await signIn(journey, "pcm", { lang: "en", to: "/TOGETHER" })),
    ];
    await Promise.all([ann.grid.ready(), ben.grid.ready()]);
    for (const planner of [ann, ben]) {
      const fold = planner.page.getByRole("button", { name: /^Install/ });
      if ((await fold.getAttribute("aria-expanded")) === "false") await fold.click();
    }

    // A cell Ann saves appears at Ben by itself; where he is typing himself, his value stays and is marked.
    await ben.type(0, "Plan end", "2026-12-24");
    await ann.type(0, "Plan end", "2026-12-20");
    await ann.type(1, "Plan end", "2026-12-21");
    await ann.save();
    await expect.poll(() => ben.grid.text(1, "Plan end", "Install"), within).toBe("2026-12-21");
    await expect.poll(() => ben.conflicts(), within).toBe(1);
    await expect.poll(() => ben.grid.text(0, "Plan end", "Install")).toBe("2026-12-24");
    await expect
      .poll(async () => (await ben.grid.cell(0, "Plan end", "Install")).getAttribute("aria-label"))
      .toContain("conflict with another change");
    await ben.decide("mine");
    await ben.save();
    await expect.poll(() => ann.grid.text(0, "Plan end", "Install"), within).toBe("2026-12-24");

    // Fast and overlapping, both at once, each saving whenever they like.
    const roll = dice(20261120);
    // Every value is typed once only, so that its way can be followed; a start is never after an end, so that only the conflicts are at stake.
    let count = 0;
    const next = (field: Field) => addDays(field === "Plan start" ? "2026-06-01" : "2027-01-01", count++);
    const step = async (planner: Planner) => {
      const row = Math.floor(roll() * rows);
      const field = fields[Math.floor(roll() * 2)] as Field;
      await planner.type(row, field, next(field));
      if (roll() < 0.4) await planner.save();
    };
    const round = async (planner: Planner) => {
      for (let at = 0; at < 6; at++) await step(planner);
      await planner.save();
    };
    for (let turn = 0; turn < 3; turn++) {
      await Promise.all([round(ann), round(ben)]);
      await ann.decide(turn % 2 === 0 ? "mine" : "theirs");
      if ((await ann.grid.unsaved()) > 0) await ann.save();
      await ben.decide(turn % 2 === 0 ? "theirs" : "mine");
      if ((await ben.grid.unsaved()) > 0) await ben.save();
    }

    // What they have saved last is known to both: only what follows is at stake.
    const shown = (planner: Planner) => Promise.all([2, 3].map((row) => planner.grid.text(row, "Plan end", "Install")));
    await expect.poll(async () => isDeepStrictEqual(await shown(ann), await shown(ben)), within).toBe(true);

    // Ben's line is down: his save fails, his edits stay; Ann goes on in the same cells.
    await ben.visitor.context.setOffline(true);
    await ben.type(2, "Plan end", "2027-11-02");
    await ben.type(3, "Plan end", "2027-11-03");
    await ben.page.keyboard.press("Control+s");
    await ben.page.getByText("They stay on this page").first().waitFor();
    await expect.poll(() => ben.grid.unsaved()).toBe(2);
    await ann.type(3, "Plan end", "2027-11-13");
    await ann.save();
    await ben.visitor.context.setOffline(false);
    await ben.save();
    await expect.poll(() => ben.conflicts(), within).toBe(1);
    await ben.decide("theirs");
    await expect.poll(() => ben.grid.unsaved()).toBe(0);
    await expect.poll(() => ben.grid.text(3, "Plan end", "Install")).toBe("2027-11-13");

    // Ann reloads with an edit on the page that Ben overtakes meanwhile.
    await ann.type(4, "Plan end", "2027-12-04");
    await ann.type(5, "Plan end", "2027-12-05");
    await ann.page.reload();
    await ann.page.getByText("2 unsaved cells are back").first().waitFor();
    await ann.grid.ready();
    await ben.type(5, "Plan end", "2027-12-15");
    await ben.save();
    await expect.poll(() => ann.conflicts(), within).toBe(1);
    await ann.decide("mine");
    await ann.save();
    await expect.poll(() => ann.grid.unsaved(), within).toBe(0);

    // In the end both see the same, everything accepted is logged, everything typed is accounted for.
    for (let row = 0; row < rows; row++)
      for (const field of fields)
        await expect.poll(() => ben.grid.text(row, field, "Install"), within).toBe(await ann.grid.text(row, field, "Install"));
    await expectLogged(projectId, [ann, ben]);
    expectNothingLost(ann, duIds);
    expectNothingLost(ben, duIds);
    for (const { visitor } of [ann, ben]) {
      expect(visitor.complaints).toEqual([]);
      await visitor.context.close();
    }
  });
});
