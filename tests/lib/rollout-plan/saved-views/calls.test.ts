import { beforeEach, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { viewNameChars, viewsMax } from "#lib/rollout-plan/saved-views/limits.ts";
import { callAs } from "../../../support/call.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject } from "../../../support/factories.ts";
import { makeActivities, makeAttribute, makeFlow } from "../../../support/plan-factories.ts";
import { done } from "../../activity-flows/make-flow.ts";

const db = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;
let tl: CtxUser;

beforeEach(async () => {
  project = await makeProject(db.owner);
  pm = await makeMember(db.owner, project.id, "PM");
  tl = await makeMember(db.owner, project.id, "TL");
});

// biome-ignore lint/suspicious/noExplicitAny: tests read the data of many calls.
const call = (address: string, input: object = {}, user = pm): Promise<any> => callAs(user, address, input, { project: project.number });
const save = (name: string, more: object = {}, user = pm) =>
  call("savedView/save", { name, state: { view: "card" }, shared: false, ...more }, user);
const listed = async (user = pm) =>
  (await done(call("savedView/list", {}, user))).records.map(
    ({ name, mine }: { name: string; mine: boolean }) => `${name}${mine ? "" : "*"}`,
  );

describe("saved views", () => {
  it("keeps a view as it is, for oneself until it is shared, and logs it", async () => {
    const state = {
      view: "board",
      options: { board: { groupBy: "region" } },
      search: { field: "code", text: "A" },
      period: { preset: "thisWeek" },
    };
    const { id, rowVersion } = await done(save(" Morning ", { state }));
    expect(rowVersion).toBe(1);
    expect(await done(call(`savedView/find/${id}`))).toMatchObject({ id, name: "Morning", mine: true, shared: false, state, dropped: 0 });
    expect(await call(`savedView/find/${id}`, {}, tl)).toMatchObject({ status: 404, code: "NOT_FOUND" });
    expect(await done(save("Morning", { id, rowVersion: 1, shared: true, state }))).toEqual({ id, rowVersion: 2 });
    expect(await done(call(`savedView/find/${id}`, {}, tl))).toMatchObject({
      name: "Morning",
      mine: false,
      owner: pm.name,
      rowVersion: 2,
      state,
    });
    await done(save("Own", {}, tl));
    expect(await listed(tl)).toEqual(["Own", "Morning*"]);
    expect(await listed()).toEqual(["Morning"]);
    const lines = await db.owner<{ detail: { before: object | null; after: object } }[]>`
      select detail from audit_log where project_id = ${project.id} and object = ${`saved view ${id}`} order by id`;
    expect(lines.map(({ detail }) => detail.after)).toEqual([
      { name: "Morning", shared: false },
      { name: "Morning", shared: true },
    ]);
  });

  it("opens another's view without conditions, orders and columns on what this person does not see, and says how many", async () => {
    const activities = await makeActivities(db.owner, project.id, ["Survey", "Unused"]);
    const flow = await makeFlow(db.owner, project.id, pm.id, activities.slice(0, 1));
    const shown = await makeAttribute(db.owner, project.id);
    const each = await makeAttribute(db.owner, project.id, { level: "ACTIVITY" });
    const secret = await makeAttribute(db.owner, project.id, { name: "Price" });
    const survey = activities[0]!.id;
    const unused = activities[1]!.id;
    const like = (key: string) => ({ key, type: "like", values: ["9"] });
    const state = {
      view: "grid",
      filters: [
        like("code"),
        like(secret.key),
        like(shown.key),
        like(`${survey}:planEnd`),
        like(`${unused}:planEnd`),
        like(`${survey}:${each.key}`),
      ],
      sort: [
        { key: secret.key, dir: "asc" },
        { key: "name", dir: "desc" },
      ],
      locked: ["code", secret.key, "noSuchColumn"],
      hidden: ["*:baselineEnd", `*:${each.key}`, secret.key],
      order: ["name", secret.key],
      folded: [`activity:${survey}`, `activity:${unused}`],
      widths: { code: 100, [secret.key]: 90 },
      flowIds: [flow, 999_999_999],
    };
    const { id } = await done(save("With price", { state, shared: true }));
    expect((await done(call(`savedView/find/${id}`, {}, tl))).dropped).toBe(3);
    await db.owner`update attribute set in_rollout_plan = false where id = ${secret.id}`;
    const found = await done(call(`savedView/find/${id}`, {}, tl));
    expect(found.state).toEqual({
      view: "grid",
      filters: [like("code"), like(shown.key), like(`${survey}:planEnd`), like(`${survey}:${each.key}`)],
      sort: [{ key: "name", dir: "desc" }],
      locked: ["code"],
      hidden: ["*:baselineEnd", `*:${each.key}`],
      order: ["name"],
      folded: [`activity:${survey}`],
      widths: { code: 100 },
      flowIds: [flow],
    });
    // The attribute, the activity of no flow, the unknown column and the unknown flow, each once.
    expect(found.dropped).toBe(4);
    expect(JSON.stringify({ ...found, id: null })).not.toContain(secret.key);
    // What is kept stays whole, and the opener's home page is his own.
    expect((await db.owner`select state from saved_view where id = ${id}`)[0]!.state).toEqual(state);
    expect(await done(call("wbs/findHomePage", {}, tl))).toMatchObject({ filters: [] });
  });

  it("changes and deletes one's own views only, at the revision that was read", async () => {
    const { id } = await done(save("Mine", { shared: true }));
    expect(await save("Taken over", { id, rowVersion: 1 }, tl)).toMatchObject({ status: 404, code: "NOT_FOUND" });
    expect(await call("savedView/delete", { ids: [id] }, tl)).toMatchObject({ status: 404, code: "NOT_FOUND" });
    await done(save("Mine 2", { id, rowVersion: 1 }));
    expect(await save("Mine 3", { id, rowVersion: 1 })).toMatchObject({
      status: 409,
      code: "STALE",
      data: { name: "Mine 2", rowVersion: 2 },
    });
    expect(await save("Mine 3", { id })).toMatchObject({ status: 400, code: "INVALID_INPUT" });
    const other = await done(save("Other"));
    expect(await call("savedView/delete", { ids: [id, crypto.randomUUID()] })).toMatchObject({ code: "NOT_FOUND" });
    expect(await listed()).toEqual(["Mine 2", "Other"]);
    expect(await done(call("savedView/delete", { ids: [id, other.id] }))).toEqual({ deleted: 2 });
    expect(await listed()).toEqual([]);
  });

  it("refuses a name one has already whatever its case, an empty one and one over 100 characters", async () => {
    const { id } = await done(save("North"));
    expect(await save(" NORTH ")).toMatchObject({ status: 422, code: "NAME_EXISTS", problems: [{ path: "name" }] });
    await done(save("north", { id, rowVersion: 1 }));
    await done(save("North", {}, tl));
    expect(await save("  ")).toMatchObject({ status: 400, problems: [{ code: "NAME_REQUIRED" }] });
    await done(save("界".repeat(viewNameChars)));
    expect(await save("界".repeat(viewNameChars + 1))).toMatchObject({
      status: 400,
      problems: [{ code: "NAME_TOO_LONG", params: { max: 100 } }],
    });
  });

  it("keeps 50 views of a person in a project, also when two are saved at once", async () => {
    await db.owner`
      insert into saved_view (id, project_id, owner_id, name, state, shared)
      select gen_random_uuid(), ${project.id}, ${pm.id}, 'V' || n, '{}', false from generate_series(1, ${viewsMax - 1}) n`;
    const answers = await Promise.all([save("Fiftieth"), save("Fifty-first")]);
    expect(answers.map(({ code }) => code ?? "saved").sort()).toEqual(["TOO_MANY", "saved"]);
    const [one] = (await done(call("savedView/list"))).records;
    await done(save("Renamed", { id: one.id, rowVersion: 1 }));
    await done(save("Of somebody else", {}, tl));
  });

  it("keeps 64 KB of a state, and nothing the database cannot hold", async () => {
    const state = (bytes: number) => ({ state: { text: "x".repeat(bytes - JSON.stringify({ text: "" }).length) } });
    await done(save("Full", state(65_536)));
    expect(await save("Too full", state(65_537))).toMatchObject({ status: 400, problems: [{ path: "state", code: "VALUE_TOO_LONG" }] });
    for (const text of ["a\0b", "a\ud800b"])
      expect(await save("Odd", { state: { text } })).toMatchObject({ status: 400, code: "INVALID_INPUT" });
    const { id } = await done(save("Back", { state: { text: "C:\\u0000" } }));
    expect((await done(call(`savedView/find/${id}`))).state).toEqual({ text: "C:\\u0000" });
  });
});
