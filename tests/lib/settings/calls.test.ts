import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Ctx, CtxUser } from "#lib/core/ctx.ts";
import { limitKeys, limitSettings } from "#lib/settings/limits.ts";
import { forgetSettings, readLimit, readSwitch } from "#lib/settings/queries.ts";
import { callAs } from "../../support/call.ts";
import { clock, useDatabase } from "../../support/database.ts";
import { makeMember, makeProject } from "../../support/factories.ts";

const database = useDatabase();
let project: { id: number; number: string };
let manager: CtxUser;
let admin: CtxUser;
let planner: CtxUser;

beforeAll(async () => {
  project = await makeProject(database.owner);
  manager = await makeMember(database.owner, project.id, "PM");
  admin = await makeMember(database.owner, project.id, "PROJECT_ADMIN");
  planner = await makeMember(database.owner, project.id, "TL");
});
beforeEach(async () => {
  await database.owner`delete from project_switch`;
  await database.owner`delete from limit_setting where project_id is not null`;
  forgetSettings();
});

const call = (user: CtxUser, address: string, input: object = {}, locale: "zh" | "en" | "ja" = "en") =>
  callAs(user, address, input, { project: project.number, locale });
const ctxAt = (seconds: number) => ({ project, sql: database.app, now: new Date(clock.getTime() + seconds * 1000) }) as unknown as Ctx;
const states = async () =>
  Object.fromEntries(
    Object.entries((await call(manager, "dataControl/find")).data.switches).map(([key, state]) => [key, (state as { on: boolean }).on]),
  );
const save = (switches: object, more: object = {}) => call(manager, "dataControl/save", { switches, ...more });

describe("switches", () => {
  test("[OPS-40] the Data Control Flag is off until somebody turns it on, like every other", async () => {
    expect(await states()).toEqual({ dataControl: false, planChangeControl: false, customerDataControl: false, "page.rows500": false });
    expect(await readSwitch(ctxAt(0), "dataControl")).toBe(false);
  });

  test("are saved with time and person, audited, and told by when everybody obeys", async () => {
    const { status, data } = await save({ dataControl: "Y", customerDataControl: "Y" });
    expect(status).toBe(200);
    expect(data.switches.dataControl).toMatchObject({
      on: true,
      effectiveAt: clock,
      obeyedBy: new Date(clock.getTime() + 60_000),
      updatedBy: manager.name,
      rowVersion: 1,
    });
    expect(await states()).toMatchObject({ dataControl: true, customerDataControl: true, planChangeControl: false });
    const [row] = await database.owner`select event, detail from audit_log where object = 'switches' order by id desc limit 1`;
    expect(row).toMatchObject({ event: "config_changed", detail: { before: { dataControl: false }, after: { dataControl: true } } });
  });

  test.each([
    ["dataControl", "planChangeControl", "Plan Change Control Flag"],
    ["planChangeControl", "dataControl", "Data Control Flag"],
  ])("[OPS-41] turning on %s is refused while %s is on, and names it", async (one, other, name) => {
    await save({ [other]: "Y" });
    const answer = await save({ [one]: "Y" });
    expect(answer).toMatchObject({ status: 422, code: "FLAGS_EXCLUSIVE" });
    expect(answer.msg).toContain(name);
    expect(await states()).toMatchObject({ [one]: false, [other]: true });
    expect((await save({ [one]: "Y", [other]: "N" })).status).toBe(200);
    expect(await states()).toMatchObject({ [one]: true, [other]: false });
  });

  test("[OPS-41] both turned on in one request are refused", async () => {
    expect((await save({ dataControl: "Y", planChangeControl: "Y" })).code).toBe("FLAGS_EXCLUSIVE");
  });

  test("[OPS-41] of two people who turn on one each at once, one is refused", async () => {
    const answers = await Promise.all([save({ dataControl: "Y" }), save({ planChangeControl: "Y" })]);
    expect(answers.map((answer) => answer.code).sort()).toEqual(["FLAGS_EXCLUSIVE", undefined].sort());
  });

  test("a save that changes nothing, an unknown switch and an unknown state are refused", async () => {
    expect((await save({ dataControl: "N" })).code).toBe("NOTHING_MODIFIED");
    expect((await save({ everything: "Y" })).code).toBe("INVALID_INPUT");
    expect((await save({ dataControl: "yes" })).code).toBe("INVALID_INPUT");
    expect((await save({})).code).toBe("INVALID_INPUT");
  });

  test("a stale revision answers with the present values", async () => {
    await save({ dataControl: "Y" }, { rowVersions: { dataControl: 0 } });
    const answer = await save({ dataControl: "N" }, { rowVersions: { dataControl: 0 } });
    expect(answer).toMatchObject({ status: 409, code: "STALE", data: { switches: { dataControl: { on: true, rowVersion: 1 } } } });
  });

  test("[OPS-42] a process that has read a switch obeys the change of another process within 60 seconds", async () => {
    expect(await readSwitch(ctxAt(0), "dataControl")).toBe(false);
    await database.owner`
      insert into project_switch (project_id, key, value, effective_at, updated_at) values (${project.id}, 'dataControl', 'Y', ${clock}, ${clock})`;
    expect(await readSwitch(ctxAt(59), "dataControl")).toBe(false);
    expect(await readSwitch(ctxAt(60), "dataControl")).toBe(true);
  });

  test("[OPS-42] the process that saves obeys at once", async () => {
    expect(await readSwitch(ctxAt(0), "dataControl")).toBe(false);
    await save({ dataControl: "Y" });
    expect(await readSwitch(ctxAt(0), "dataControl")).toBe(true);
  });

  test("count whom they concern", async () => {
    await makeMember(database.owner, project.id, "CUSTOMER");
    expect((await call(manager, "dataControl/find")).data.affected).toEqual({ owners: 0, editors: 1, dus: 0, customers: 1, members: 4 });
  });

  test("belong to dataControl.edit and to one project", async () => {
    expect((await call(planner, "dataControl/find")).status).toBe(403);
    expect((await call(planner, "dataControl/save", { switches: { dataControl: "Y" } })).status).toBe(403);
    const other = await makeProject(database.owner);
    await save({ dataControl: "Y" });
    expect(await readSwitch({ project: other, sql: database.app, now: clock } as never, "dataControl")).toBe(false);
  });
});

describe("limits", () => {
  const limit = async (key: string) => (await call(admin, "pageMax/find")).data.limits.find((row: { key: string }) => row.key === key);

  test("the installation's rows are those of the code", async () => {
    const rows = await database.owner`select key, value, min, max from limit_setting where project_id is null order by key`;
    expect(rows).toEqual(limitKeys.toSorted().map((key) => ({ key, ...limitSettings[key] })));
  });

  test("[OPS-43] valid rules and custom attributes (10) have a limit that a project sets for itself", async () => {
    expect(await limit("attribute.customMax")).toMatchObject({ globalValue: 10, projectValue: null, value: 10 });
    for (const [key, value] of [
      ["attribute.customMax", 12],
      ["rule.validMax", 80],
    ] as const) {
      expect((await call(admin, "pageMax/save", { key, value })).status).toBe(200);
      expect(await limit(key)).toMatchObject({ projectValue: value, value });
      expect(await readLimit(ctxAt(0), key)).toBe(value);
      expect(await readLimit({ project: await makeProject(database.owner), sql: database.app, now: clock } as never, key)).toBe(
        limitSettings[key].value,
      );
    }
  });

  test.each(limitKeys)("%s is taken at both ends of its range and refused beyond", async (key) => {
    const { min, max } = limitSettings[key];
    const codes: (string | undefined)[] = [];
    for (const value of [min - 1, min, max, max + 1]) codes.push((await call(admin, "pageMax/save", { key, value })).code);
    expect(codes).toEqual(["VALUE_RANGE", undefined, undefined, "VALUE_RANGE"]);
  });

  test("[OPS-44] a project's value is taken back, the installation's cannot be deleted", async () => {
    await call(admin, "pageMax/save", { key: "export.rows", value: 500 });
    expect((await call(admin, "pageMax/delete", { key: "export.rows" })).data.limits).toContainEqual(
      expect.objectContaining({ key: "export.rows", projectValue: null, value: 2000 }),
    );
    expect(await call(admin, "pageMax/delete", { key: "export.rows" })).toMatchObject({ status: 422, code: "GLOBAL_NOT_DELETABLE" });
    expect(await limit("export.rows")).toMatchObject({ globalValue: 2000 });
  });

  test("saving the same value again, an unknown key and a stale revision are refused", async () => {
    await call(admin, "pageMax/save", { key: "select.du", value: 100, rowVersion: 0 });
    expect((await call(admin, "pageMax/save", { key: "select.du", value: 100 })).code).toBe("NOTHING_MODIFIED");
    expect((await call(admin, "pageMax/save", { key: "anything", value: 100 })).code).toBe("INVALID_INPUT");
    expect(await call(admin, "pageMax/save", { key: "select.du", value: 101, rowVersion: 0 })).toMatchObject({
      status: 409,
      code: "STALE",
    });
    expect(await call(admin, "pageMax/delete", { key: "select.du", rowVersion: 7 })).toMatchObject({ status: 409, code: "STALE" });
  });

  test("belong to limit.edit", async () => {
    expect((await call(manager, "pageMax/find")).status).toBe(403);
    expect((await call(manager, "pageMax/save", { key: "select.du", value: 100 })).status).toBe(403);
    expect((await call(manager, "pageMax/delete", { key: "select.du" })).status).toBe(403);
  });
});

describe("error/report", () => {
  test("keeps the report and answers the number to ask by", async () => {
    const { status, data } = await call(planner, "error/report", {
      code: "SYSTEM_FAILURE",
      requestId: "r-1",
      text: "It broke",
      screen: "tasks",
    });
    expect(status).toBe(200);
    const [row] =
      await database.owner`select project_id, user_id, code, request_id, text, screen from error_report where id = ${data.ticket}`;
    expect(row).toEqual({
      project_id: project.id,
      user_id: planner.id,
      code: "SYSTEM_FAILURE",
      request_id: "r-1",
      text: "It broke",
      screen: "tasks",
    });
  });

  test("a text of 2000 characters passes, one more is refused", async () => {
    const report = (text: string) => call(planner, "error/report", { code: "X", requestId: "r", text });
    expect((await report("x".repeat(2000))).status).toBe(200);
    expect((await report("x".repeat(2001))).status).toBe(400);
  });
});
