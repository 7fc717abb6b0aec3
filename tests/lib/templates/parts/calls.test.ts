import { beforeEach, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { callAs } from "../../../support/call.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject } from "../../../support/factories.ts";
import { makeAttribute } from "../../../support/plan-factories.ts";
import { done, makeFlow } from "../../activity-flows/make-flow.ts";

const db = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;

beforeEach(async () => {
  project = await makeProject(db.owner);
  pm = await makeMember(db.owner, project.id, "PM");
});

// biome-ignore lint/suspicious/noExplicitAny: tests read the data of many calls.
const call = (address: string, input: object = {}, user = pm): Promise<any> => callAs(user, address, input, { project: project.number });
/** The answer under each address of a call; they are the same. */
const everywhere = async (name: string, input: object, user = pm) => {
  const answers = await Promise.all(["template/basic/", "template/", ""].map((prefix) => done(call(`${prefix}${name}`, input, user))));
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  return answers[0];
};

/** Hides an attribute from the team leads, and gives one of them. */
const hiddenFromLead = async (attributeId: number) => {
  await done(call("attrPermission/save", { subjectType: "ROLE", role: "TL", entries: [{ attributeId, mode: "HIDDEN" }] }));
  return makeMember(db.owner, project.id, "TL");
};

it("find/repOffice gives the representative offices of the project [TPL-21]", async () => {
  const save = (name: string, organisation: string) =>
    call("template/basic/save", {
      kind: "reverse",
      name,
      organisation,
      isPublic: false,
      body: { columns: [{ title: "Site", key: "du" }] },
    });
  await done(save("A", "North office"));
  await done(save("B", "South office"));
  await done(save("C", "North office"));
  expect(await everywhere("find/repOffice", {})).toEqual([
    { code: "North office", name: "North office" },
    { code: "South office", name: "South office" },
  ]);
  expect(await everywhere("find/repOffice", { searchKey: "SOUTH" })).toEqual([{ code: "South office", name: "South office" }]);
  const tl = await makeMember(db.owner, project.id, "TL");
  expect(await call("find/repOffice", {}, tl)).toMatchObject({ status: 403 });
});

it("find/attribute gives the attributes a template can use [TPL-22]", async () => {
  const a = await makeAttribute(db.owner, project.id, { name: "Height", type: "NUMBER" });
  const away = await makeAttribute(db.owner, project.id, { name: "Away" });
  await db.owner`update attribute set in_rollout_plan = false where id = ${away.id}`;
  const height = { id: a.id, key: `a${a.id}`, name: "Height", type: "NUMBER", level: "DU" };
  expect(await everywhere("find/attribute", { objectType: "site" })).toEqual([height]);
  const secret = await makeAttribute(db.owner, project.id, { name: "Secret" });
  const tl = await hiddenFromLead(secret.id);
  expect(await everywhere("find/attribute", { objectType: "site" })).toMatchObject([{ id: a.id }, { id: secret.id }]);
  expect(await everywhere("find/attribute", { objectType: "site" }, tl)).toEqual([height]);
});

it("find/activity/list gives the activities a template can use, of flows where asked [TPL-23]", async () => {
  const one = await makeFlow(pm, project.number, "One", "A* B", "A>B");
  await makeFlow(pm, project.number, "Two", "C*");
  const names = async (input: object) => (await everywhere("find/activity/list", input)).records.map(({ name }: { name: string }) => name);
  expect(await names({})).toEqual(["A", "B", "C"]);
  expect(await names({ page: 1, size: 2000, flowIds: [one.id] })).toEqual(["A", "B"]);
  await db.owner`update activity_library set disabled_at = now() where id = ${one.activityIds.get("B")!}`;
  expect(await names({ flowIds: [one.id] })).toEqual(["A"]);
});

it("validate/attribute tells which attributes can be used and why the others cannot [TPL-24]", async () => {
  const make = (name: string) => makeAttribute(db.owner, project.id, { name });
  const [fine, hidden, deleted, changed] = [await make("Fine"), await make("Hidden"), await make("Deleted"), await make("Changed")];
  await db.owner`update attribute set in_rollout_plan = false where id = ${hidden.id}`;
  await db.owner`update attribute set deleted_at = now() where id = ${deleted.id}`;
  const elsewhere = await makeProject(db.owner);
  const theirs = await makeAttribute(db.owner, elsewhere.id);
  const attributeIds = [fine.id, hidden.id, deleted.id, changed.id, theirs.id];
  expect(await everywhere("validate/attribute", { attributeIds, types: { [changed.id]: "NUMBER", [fine.id]: "TEXT" } })).toEqual({
    valid: [fine.id],
    invalid: [
      { id: hidden.id, reason: "notDisplayed" },
      { id: deleted.id, reason: "missing" },
      { id: changed.id, reason: "typeChanged" },
      { id: theirs.id, reason: "missing" },
    ],
  });
  const secret = await make("Secret");
  const tl = await hiddenFromLead(secret.id);
  const asked = { attributeIds: [fine.id, secret.id] };
  expect(await everywhere("validate/attribute", asked)).toEqual({ valid: asked.attributeIds, invalid: [] });
  expect(await everywhere("validate/attribute", asked, tl)).toEqual({ valid: [fine.id], invalid: [{ id: secret.id, reason: "missing" }] });
});
