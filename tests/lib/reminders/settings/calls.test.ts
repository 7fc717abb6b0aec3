import { readFile } from "node:fs/promises";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import type { Locale } from "#lib/core/locale.ts";
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
beforeEach(async () => {
  await database.owner`delete from rem_setting`;
  await database.owner`update attribute set deleted_at = null where project_id = ${project.id}`;
});

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

test("a mapped attribute is neither deleted nor given another type, and the refusal names the screen that maps it [ATT-12] [ATT-14]", async () => {
  const call = (address: string, input: object, locale: Locale = "en") => callAs(pm, address, input, { project: project.number, locale });
  const [account, product] = attributes as [number, number];
  await save({ productNameAttributeId: product });
  expect(await call("planAttr/delete", { ids: attributes })).toMatchObject({
    status: 422,
    code: "IN_USE",
    msg: "Referenced, cannot be deleted: Equipment account (E-mail Reminder Configuration); Product (E-mail Reminder Configuration)",
  });
  expect((await call("planAttr/delete", { ids: [account] }, "zh")).msg).toContain("Equipment account (邮件提醒配置)");
  const change = (id: number, name: string) =>
    call("planAttr/save", { id, rowVersion: 1, name, type: "DATE", level: "DU", clearValues: true });
  for (const [id, name] of [
    [account, "Equipment account"],
    [product, "Product"],
  ] as const)
    expect(await change(id, name)).toMatchObject({ status: 422, code: "TYPE_IN_USE" });
  expect((await call("planAttr/usage", { id: account })).data).toEqual([
    { kind: "REM_SETTING", id: project.id, name: "E-mail Reminder Configuration" },
  ]);
  // What is mapped no longer is free again.
  await save({ equipmentAccountAttributeId: null, productNameAttributeId: product, rowVersion: 1 });
  expect(await call("planAttr/delete", { ids: attributes })).toMatchObject({
    data: { deleted: 1, refused: [{ id: product, usedBy: "E-mail Reminder Configuration" }] },
  });
});

test("settings of before stand in the index of references too, without attributes that were deleted", async () => {
  const [account, product] = attributes as [number, number];
  const stored = async () => {
    const refs = await database.owner`
      select holder_id, target_id from config_ref where project_id = ${project.id} and holder_kind = 'REM_SETTING' and target_kind = 'ATTRIBUTE' order by target_id`;
    return refs.map(({ holder_id, target_id }) => [holder_id, target_id]);
  };
  await database.owner`delete from config_ref where project_id = ${project.id}`;
  await database.owner`
    insert into rem_setting (project_id, default_send_time, equipment_account_attr_id, product_name_attr_id)
    values (${project.id}, '08:00', ${account}, ${product})`;
  const migrate = async () => database.owner.unsafe(await readFile("db/migrations/0470_index_mapped_attributes.sql", "utf8"));
  await migrate();
  expect(await stored()).toEqual(attributes.map((id) => [project.id, id]));
  await database.owner`delete from config_ref where project_id = ${project.id}`;
  await database.owner`update attribute set deleted_at = now() where id = ${account}`;
  await migrate();
  expect(await stored()).toEqual([[project.id, product]]);
  expect((await find()).data).toMatchObject({ equipmentAccountAttributeId: null, productNameAttributeId: product, rowVersion: 1 });
});

test("two who save at once do not undo each other, and saving needs notice.edit", async () => {
  const both = await Promise.all([save(), save({ senderName: "Other" })]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await save({ rowVersion: 1 }, td)).toMatchObject({ status: 403 });
});
