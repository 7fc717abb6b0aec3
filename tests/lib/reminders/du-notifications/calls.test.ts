import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { notifiedDusMax } from "#lib/reminders/du-notifications/limits.ts";
import { callAs } from "../../../support/call.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject, makeRegion, makeSubcontractor, makeUser } from "../../../support/factories.ts";
import { unsaidDus } from "../../../support/mail-words.ts";
import { type MadeActivity, makeActivities, makeAttribute, makeDus, makeFlow } from "../../../support/plan-factories.ts";

const db = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;
let colleague: CtxUser;
let guest: CtxUser;
let activities: MadeActivity[];
let equipment: { id: number; key: string };
let product: { id: number; key: string };
let price: { id: number; key: string };
let dus: number[];

beforeAll(async () => {
  project = await makeProject(db.owner);
  pm = await makeMember(db.owner, project.id, "PM");
  colleague = await makeMember(db.owner, project.id, "TD");
  guest = await makeMember(db.owner, project.id, "SUBCON");
  await db.owner`update app_user set language = 'ja' where id = ${colleague.id}`;
  const company = await makeSubcontractor(db.owner, project.id, [guest.id]);
  const regionId = await makeRegion(db.owner, project.id, "North");
  activities = await makeActivities(db.owner, project.id, ["Survey", "Installation", "Acceptance"]);
  const flow = { id: await makeFlow(db.owner, project.id, pm.id, activities), activities };
  equipment = await makeAttribute(db.owner, project.id, { name: "Equipment account" });
  product = await makeAttribute(db.owner, project.id, { name: "Product name" });
  price = await makeAttribute(db.owner, project.id, { name: "Price" });
  const ext = { [equipment.key]: "E-1", [product.key]: "Radio", [price.key]: "1,200 <b>" };
  const plan = { 2: { plan_start: "2026-10-20", plan_end: "2026-10-22" } };
  dus = await makeDus(
    db.owner,
    project.id,
    [
      { code: "NJ-1", regionId, subcontractorId: company, ext, plan },
      { code: "NJ-2", ext, plan },
      { code: "NJ-3", ext: { ...ext, [product.key]: "" }, plan },
      { code: "NJ-4", ext: { [product.key]: "Radio" }, plan },
    ],
    flow,
  );
});
beforeEach(async () => {
  await db.owner`delete from mail_outbox`;
  await db.owner`delete from rem_setting`;
});

const mapBoth = () => db.owner`
  insert into rem_setting (project_id, default_send_time, equipment_account_attr_id, product_name_attr_id)
  values (${project.id}, '08:00', ${equipment.id}, ${product.id})`;
type Sent = { sent: number; excluded: number; excludedDuIds: number[]; message: string | null };
const send = (input: object = {}, user = pm) =>
  callAs<Sent>(
    user,
    "emailAuto/sendDuNotification",
    { duIds: dus, addresses: "a@x.com", subject: "DUs of {project}", content: "Please look:\n{table}", requestId: randomUUID(), ...input },
    { project: project.number },
  );
const mails = () => db.owner<{ to: string; cc: boolean; lang: string; subject: string; text: string; html: string }[]>`
  select m.to_address as to, m.cc, m.lang, b.subject, b.text, b.html from mail_outbox m join mail_body b on b.id = m.body_id order by m.to_address`;
const codes = (text: string) => [...text.matchAll(/NJ-\d/g)].map(([code]) => code);

describe("what is sent", () => {
  it("lists the DUs with the chosen attributes and activities, values escaped", async () => {
    await mapBoth();
    const answer = await send({ duIds: dus.slice(0, 2), attributeIds: [price.id], activityIds: [activities[1]!.id], lang: "en" });
    expect(answer).toMatchObject({ status: 200, data: { sent: 1, excluded: 0, excludedDuIds: [], message: null } });
    const [mail] = await mails();
    expect(mail).toMatchObject({ to: "a@x.com", cc: false, lang: "en" });
    expect(mail!.subject).toContain(project.number);
    const [head, first] = mail!.text.split("\n").filter((line) => line.includes(" | "));
    expect(head).toContain("Price");
    expect(head).toContain("Installation · ");
    expect(first).toMatch(/^NJ-1 \| Name of NJ-1 \| .*North.* \| 1,200 <b> \| 2026-10-20 \| 2026-10-22 \|/);
    expect(mail!.html).toContain("1,200 &lt;b&gt;");
    expect(mail!.text).toContain(pm.name);
  });

  it("goes to each address once, and once for each click", async () => {
    const input = { addresses: "a@x.com; A@X.com;\n b@y.com ;", requestId: randomUUID() };
    expect((await send(input)).data?.sent).toBe(2);
    expect((await send(input)).status).toBe(200);
    expect((await mails()).map(({ to }) => to)).toEqual(["a@x.com", "b@y.com"]);
    await send({ ...input, requestId: randomUUID() });
    expect(await mails()).toHaveLength(4);
  });

  it("reaches people in copy in their language, with the DUs and attributes they may see", async () => {
    await db.owner`update attribute set visible_subcon = false, editable_subcon = false where id = ${price.id}`;
    expect(await send({ attributeIds: [price.id], ccUserIds: [colleague.id, guest.id] })).toMatchObject({ status: 200, data: { sent: 3 } });
    const byAddress = new Map((await mails()).map((mail) => [mail.to, mail]));
    expect(byAddress.get(colleague.email)).toMatchObject({ cc: true, lang: "ja" });
    expect(new Set(codes(byAddress.get(colleague.email)!.text))).toEqual(new Set(["NJ-1", "NJ-2", "NJ-3", "NJ-4"]));
    const own = byAddress.get(guest.email)!;
    expect(new Set(codes(own.text))).toEqual(new Set(["NJ-1"]));
    expect(own.text).not.toContain("1,200");
    expect(byAddress.get("a@x.com")!.text).toContain("1,200");
    expect(await unsaidDus(db.owner, project.id)).toEqual({ told: expect.toSatisfy((count) => count > 4), unsaid: [] });
    await db.owner`update attribute set visible_subcon = true, editable_subcon = true where id = ${price.id}`;
  });
});

describe("DUs without an equipment account or a product name", () => {
  it("are left out of the mail [REM-23]", async () => {
    await mapBoth();
    const answer = await send();
    expect(answer.data).toMatchObject({ sent: 1, excluded: 2, excludedDuIds: dus.slice(2) });
    expect(new Set(codes((await mails())[0]!.text))).toEqual(new Set(["NJ-1", "NJ-2"]));
  });

  it("are counted, with what to do about them [REM-24]", async () => {
    await mapBoth();
    const { message } = (await send()).data!;
    expect(message?.toLowerCase()).toContain("equipment account or product name is empty for 2 dus");
    expect(message).toContain("rollout plan");
    expect(message).toContain("excludes those DUs");
  });

  it("leave nothing to send when they are all: it is refused [REM-25]", async () => {
    await mapBoth();
    const answer = await send({ duIds: dus.slice(2) });
    expect(answer).toMatchObject({ status: 422, code: "NO_DU_MEETS", msg: "No DU meets the sending conditions" });
    expect(await mails()).toEqual([]);
    expect(await send({ duIds: [] })).toMatchObject({ status: 422, code: "NO_DU_MEETS" });
  });

  it("stay where the project does not say which attributes these are, and the sender hears of it", async () => {
    expect((await send()).data).toMatchObject({ excluded: 0, message: expect.stringContaining("not checked") });
    await db.owner`insert into rem_setting (project_id, default_send_time, product_name_attr_id) values (${project.id}, '08:00', ${product.id})`;
    expect((await send()).data).toMatchObject({ excluded: 1, excludedDuIds: [dus[2]] });
  });
});

describe("refused", () => {
  it("without a recipient [REM-26]", async () => {
    for (const addresses of ["", " ; \n", []])
      expect(await send({ addresses, ccUserIds: [colleague.id] })).toMatchObject({
        status: 422,
        code: "RECIPIENT_EMPTY",
        msg: "Recipient empty, cannot distribute",
      });
  });

  it("with wrong addresses, which are all named [REM-20]", async () => {
    const answer = await send({ addresses: "a@x.com;b@;no address;c@y.com" });
    expect(answer).toMatchObject({ status: 422, code: "EMAIL_INVALID", data: { wrong: ["b@", "no address"] } });
    expect(answer.msg).toContain("b@; no address");
    expect(await mails()).toEqual([]);
  });

  it.each([
    [200, 200],
    [201, 422],
  ])("with %s addresses: %s [REM-21]", async (count, status) => {
    const answer = await send({ addresses: Array.from({ length: count }, (_, at) => `p${at}@x.com`) });
    expect(answer).toMatchObject(status === 200 ? { status, data: { sent: count } } : { status, code: "TOO_MANY_RECIPIENTS" });
  });

  it.each([
    [2, 2, 200],
    [3, 2, 422],
    [2, 3, 422],
  ])("with %s attributes and %s activities: %s [REM-22]", async (attributes, asked, status) => {
    const answer = await send({
      attributeIds: [equipment.id, product.id, price.id].slice(0, attributes),
      activityIds: activities.map(({ id }) => id).slice(0, asked),
    });
    expect(answer).toMatchObject(status === 200 ? { status } : { status, code: "TOO_MANY_COLUMNS", problems: [{ params: { max: 2 } }] });
  });

  it("with an unknown person in copy [REM-27]", async () => {
    const stranger = await makeUser(db.owner);
    for (const id of [stranger.id, 999_999_999])
      expect(await send({ ccUserIds: [id] })).toMatchObject({ status: 422, code: "CC_UNKNOWN", problems: [{ path: "ccUserIds" }] });
  });

  it.each([
    [notifiedDusMax, "DU_NOT_FOUND"],
    [notifiedDusMax + 1, "TOO_MANY_DU"],
  ])("for %s DUs of which some do not exist: %s", async (count, code) => {
    expect(await send({ duIds: Array.from({ length: count }, (_, at) => 900_000_000 + at) })).toMatchObject({ code });
  });

  it("for DUs, activities and attributes of another project, and without notice.edit", async () => {
    const other = await makeProject(db.owner);
    const [foreign] = await makeDus(db.owner, other.id, [{}]);
    const [activity] = await makeActivities(db.owner, other.id, ["Survey"]);
    const attribute = await makeAttribute(db.owner, other.id);
    expect(await send({ duIds: [dus[0], foreign] })).toMatchObject({ code: "DU_NOT_FOUND" });
    expect(await send({ activityIds: [activity!.id] })).toMatchObject({ status: 404 });
    expect(await send({ attributeIds: [attribute.id] })).toMatchObject({ status: 404 });
    expect(await send({}, colleague)).toMatchObject({ status: 403, code: "NO_PERMISSION" });
    expect(await mails()).toEqual([]);
  });
});
