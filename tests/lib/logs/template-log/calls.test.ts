import { beforeEach, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { callAs } from "../../../support/call.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject } from "../../../support/factories.ts";
import { done } from "../../activity-flows/make-flow.ts";
import { importsOf, useFiles } from "../../imports/support.ts";

const db = useDatabase();
useFiles();
let project: { id: number; number: string };
let pm: CtxUser;

beforeEach(async () => {
  project = await makeProject(db.owner);
  pm = await makeMember(db.owner, project.id, "PM");
});

// biome-ignore lint/suspicious/noExplicitAny: tests read the data of many calls.
const call = (address: string, input: object = {}, user = pm): Promise<any> => callAs(user, address, input, { project: project.number });
const list = (filters: object[] = [], user = pm) =>
  call(`templateLog/list/1/50/default/${encodeURIComponent(JSON.stringify(filters))}`, {}, user);
const texts = async (filters: object[] = []) =>
  (await done(list(filters))).records.map((row: { act: string; name: string | null }) => `${row.act} ${row.name}`);

it("tells what became of every template, newest first, by act, name, person and time; of this project alone [LOG-02]", async () => {
  const tl = await makeMember(db.owner, project.id, "TL");
  const input = { kind: "grid", gridKey: "plan", isPublic: false, body: { columns: [] } };
  const { id } = await done(call("template/basic/save", { ...input, name: "Daily" }));
  await done(call("template/basic/save", { ...input, name: "Weekly", id, rowVersion: 1 }));
  await done(call("personal/savePosition", { gridKey: "plan", templateId: id, columns: [{ key: "code", width: 90 }] }));
  await done(call("personalized/defaultMapping/save", { gridKey: "plan", kind: "grid", templateId: id }));
  await done(call("template/basic/transferCreator", { ids: [id], toAccount: tl.account }));
  const other = await done(call("template/basic/save", { ...input, name: "Other" }, tl));
  await done(call("template/basic/delete", { ids: [other.id] }, tl));
  expect(await texts()).toEqual(["deleted Other", "made Other", "transferred Weekly", "widths Weekly", "changed Weekly", "made Daily"]);
  expect(await texts([{ field: "act", type: "in", values: ["made", "deleted"] }])).toEqual(["deleted Other", "made Other", "made Daily"]);
  expect(await texts([{ field: "name", type: "like", values: ["week"] }])).toEqual([
    "transferred Weekly",
    "widths Weekly",
    "changed Weekly",
  ]);
  expect(await texts([{ field: "actor", type: "eq", values: [tl.id] }])).toEqual(["deleted Other", "made Other"]);
  expect(await texts([{ field: "at", type: "range", values: ["2000-01-01", "2000-01-02"] }])).toEqual([]);
  const elsewhere = await makeProject(db.owner);
  const stranger = await makeMember(db.owner, elsewhere.id, "PM");
  const theirs = await done(callAs(stranger, "templateLog/list/1/50/default/[]", {}, { project: elsewhere.number }));
  expect(theirs.records).toEqual([]);
  expect(await list([], tl)).toMatchObject({ status: 403 });
  expect(await call("templateLog/list/201/50/default/[]")).toMatchObject({ status: 422, code: "NARROW_FILTER" });
});

it("is exported as filtered, and leads to the layouts the reader may open", async () => {
  const tasks = importsOf(db, () => ({ project, user: pm }));
  const tl = await makeMember(db.owner, project.id, "TL");
  const input = { kind: "grid", gridKey: "plan", isPublic: false, body: { columns: [] } };
  const mine = await done(call("template/basic/save", { ...input, name: "=Mine" }));
  await done(call("template/basic/save", { ...input, name: "Weekly", id: mine.id, rowVersion: 1 }));
  await done(call("template/basic/save", { ...input, name: "Theirs" }, tl));
  await done(call("template/basic/save", { kind: "filter", gridKey: "plan", isPublic: false, body: { filters: [] }, name: "Late" }));
  const { records } = await done(list());
  expect(records.map((row: { name: string; opens: boolean }) => `${row.name} ${row.opens}`)).toEqual([
    "Late false",
    "Theirs false",
    "Weekly true",
    "=Mine true",
  ]);
  const started = await tasks.call("templateLog/export", { filters: [{ field: "name", type: "like", values: ["e"] }] });
  const task = await tasks.run(started.data.taskId);
  expect(task).toMatchObject({ status: "succeeded", done_count: 4 });
  const moment = { d: expect.stringMatching(/^2026-10-14T/) };
  expect(await tasks.workbook(task.result_file_id)).toEqual([
    ["Time", "Person", "What happened", "Template", "Changes"],
    [moment, pm.name, "Made", "Late"],
    [moment, tl.name, "Made", "Theirs"],
    [moment, pm.name, "Changed", "Weekly", "name: =Mine → Weekly"],
    [moment, pm.name, "Made", "=Mine"],
  ]);
  expect(await tasks.call("templateLog/export", { filters: [{ field: "name", type: "like", values: ["nobody"] }] })).toMatchObject({
    code: "NO_DATA",
  });
  expect(await call("templateLog/export", { filters: [] }, tl)).toMatchObject({ status: 403 });
});
