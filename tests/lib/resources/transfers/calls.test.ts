import { beforeAll, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeRegion } from "../../../support/factories.ts";
import { planCalls, usePlanProject } from "../../../support/plan-project.ts";

const db = useDatabase();
const project = usePlanProject(db);
const { call } = planCalls(db, project);
let leaver: CtxUser;
let resourceId: number;

beforeAll(async () => {
  leaver = await makeMember(db.owner, project.id, "TD");
  resourceId = (await db.owner`select id from resource where user_id = ${leaver.id}`)[0]!.id;
  const region = await makeRegion(db.owner, project.id);
  await db.owner`insert into region_owner (region_id, user_id) values (${region}, ${leaver.id})`;
});

const transfer = (receiver: CtxUser, more: Record<string, unknown> = {}, user = project.pm) =>
  call(user, "resource/transfer", { resourceId, receiver: receiver.account, ...more });
const owners = async () =>
  (await db.owner`select user_id from region_owner o join delivery_region r on r.id = o.region_id where r.project_id = ${project.id}`).map(
    (row) => row.user_id,
  );

describe("resource/transfer [RES-41]", () => {
  it("hands over to a PM, TD or TL of the project alone", async () => {
    for (const role of ["PCM", "DQA", "PD"] as const)
      expect(await transfer(await makeMember(db.owner, project.id, role)), role).toMatchObject({
        code: "TRANSFER_ROLE",
        problems: [{ path: "receiver" }],
      });
    for (const role of ["PM", "TD", "TL"] as const)
      expect((await transfer(await makeMember(db.owner, project.id, role), { dryRun: true })).data, role).toMatchObject({
        count: 1,
        fields: { REGION_OWNER: 1 },
      });
    expect(await owners()).toEqual([leaver.id]);
  });

  it("writes what it has counted, and is for who may", async () => {
    const receiver = await makeMember(db.owner, project.id, "TL");
    expect((await transfer(receiver, {}, project.viewer)).status).toBe(403);
    expect((await transfer(receiver)).data).toMatchObject({ count: 1 });
    expect(await owners()).toEqual([receiver.id]);
    await db.owner`update resource set status = 'INACTIVE' where id = ${resourceId}`;
    expect((await transfer(receiver)).code).toBe("WRONG_STATUS");
  });
});
