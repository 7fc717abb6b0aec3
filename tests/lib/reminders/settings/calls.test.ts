import { beforeAll, beforeEach, expect, test } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { senderNameChars } from "#lib/reminders/settings/limits.ts";
import { callAs } from "../../../support/call.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject } from "../../../support/factories.ts";
import { meanwhile } from "../../../support/meanwhile.ts";

const database = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;
let td: CtxUser;
let attributes: number[];

beforeAll(async () => {
  project = await makeProject(database.owner);
  pm = await makeMember(database.owner, project.id, "PM");
  td = await makeMember(database.owner, project.id, "TD");
  const rows = await database.owner<{ id: number }[]>`
    insert into attribute (project_id, key, name, type) values (${project.id}, 'a1', 'Equipment account', 'TEXT'), (${project.id}, 'a2', 'Product', 'TEXT') returning id`;
  attributes = rows.map(({ id }) => id);
});
beforeEach(() => database.owner`delete from rem_setting`);

const find = (user = pm) => callAs(user, "remSetting/find", {}, { project: project.number });
const given = () => ({
  senderName: "Roll-out team",
  replyTo: "team@example.com",
  defaultSendTime: "07:30",
  equipmentAccountAttributeId: attributes[0] as number | null,
  productNameAttributeId: null as number | null,
  rowVersion: 0,
});
const save = (input: object = {}, user = pm) => callAs(user, "remSetting/save", { ...given(), ...input }, { project: project.number });

test("mails go out under the standard settings until others are saved", async () => {
  expect((await find(td)).data).toMatchObject({ senderName: null, replyTo: null, defaultSendTime: "08:00", rowVersion: 0 });
  expect((await find()).data.attributes.map(({ id }: { id: number }) => id)).toEqual(attributes);
  expect(await save()).toMatchObject({ status: 200, data: { ...given(), rowVersion: 1 } });
  expect((await find()).data).toMatchObject({ ...given(), rowVersion: 1 });
  expect(await save({ senderName: " ", replyTo: "", rowVersion: 1 })).toMatchObject({
    data: { senderName: null, replyTo: null, rowVersion: 2 },
  });
});

test("the project is waited for before attributes are kept, as by who deletes one", async () => {
  const answer = await meanwhile(
    database,
    (sql) => sql`select 1 from project where id = ${project.id} for no key update`,
    () => save(),
    (sql) => sql`select 1 from attribute where id = any(${attributes}::bigint[]) for update nowait`,
  );
  expect(answer).toMatchObject({ status: 200 });
});

test("an answer address has to be one [REM-20]", async () => {
  expect(await save({ replyTo: "team@" })).toMatchObject({
    status: 422,
    code: "EMAIL_INVALID",
    problems: [{ path: "replyTo", params: { address: "team@" } }],
  });
  expect(await database.owner`select 1 from rem_setting`).toHaveLength(0);
});

test.each([
  [{ senderName: "x".repeat(senderNameChars) }, 200],
  [{ senderName: "x".repeat(senderNameChars + 1) }, 400],
  [{ defaultSendTime: "23:59" }, 200],
  [{ defaultSendTime: "24:00" }, 400],
  [{ equipmentAccountAttributeId: 999_999_999 }, 404],
  [{ productNameAttributeId: null }, 200],
])("%j: %s", async (input, status) => {
  expect((await save(input)).status).toBe(status);
});

test("a mapped attribute that was deleted counts as none", async () => {
  await save();
  await database.owner`update attribute set deleted_at = now() where id = ${attributes[0]!}`;
  expect((await find()).data).toMatchObject({ equipmentAccountAttributeId: null });
  await database.owner`update attribute set deleted_at = null where id = ${attributes[0]!}`;
});

test("two who save at once do not undo each other, and saving needs notice.edit", async () => {
  const both = await Promise.all([save(), save({ senderName: "Other" })]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await save({ rowVersion: 1 }, td)).toMatchObject({ status: 403 });
});
