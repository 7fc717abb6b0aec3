import { beforeAll, describe, expect, test } from "vitest";
import { searchCondition } from "#lib/activity-flows/binding/logic.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { searchEntriesMax } from "#lib/core/filter-limits.ts";
import { useDatabase } from "../../../support/database.ts";
import { grantRole, makeMember, makeUser } from "../../../support/factories.ts";
import { setSwitch } from "../../../support/plan-factories.ts";
import { done, problemsOf, useOwnerProject } from "../make-owners.ts";

const db = useDatabase();
const { at, call, makeDus } = useOwnerProject(db);

let dus: number[];
beforeAll(async () => {
  dus = await makeDus([
    { code: "N-1", regionId: at.north },
    { code: "N-2", regionId: at.north },
    { code: "W-1", regionId: at.west },
  ]);
});

const save = (rows: object[], user = at.pm) => call("duConfig/batchSave", { rows }, user);
const row = (place: number, ...people: (CtxUser | string)[]) => ({
  duId: dus[place]!,
  ownerKind: "DU_OWNER",
  accounts: people.map((person) => (typeof person === "string" ? person : person.account)),
});
const list = async (filters: object[] = [], user = at.pm) =>
  (await done(call(`duConfig/list/1/50/default/${encodeURIComponent(JSON.stringify(filters))}`, {}, user))).records;
const owners = async (filters: object[] = []) =>
  Object.fromEntries(
    (await list(filters)).map(({ code, owners: held }: { code: string; owners: Record<string, { account: string }[]> }) => [
      code,
      Object.values(held).map((people) => people.map(({ account }) => account).join(" ")),
    ]),
  );
const readSeq = async () => Number((await db.owner`select seq from plan_seq where project_id = ${at.id}`)[0]!.seq);

describe("duConfig/batchSave [OWN-10]", () => {
  test("stores the owners of several DUs, kind by kind, and tells open plans", async () => {
    const { li, sun, wang } = at.people;
    const seq = await readSeq();
    const rows = [row(0, li, sun), { ...row(1, wang), ownerKind: "SITE_OWNER" }, { ...row(2, sun), ownerKind: "INVENTORY_OWNER" }];
    expect(await done(save(rows))).toEqual({ saved: 3, failed: [] });
    expect(await owners()).toEqual({
      "N-1": [`${li.account} ${sun.account}`, "", ""],
      "N-2": ["", wang.account, ""],
      "W-1": ["", "", sun.account],
    });
    expect(await readSeq()).toBe(seq + 1);
    expect(await done(call("rolloutPlan/changes", { sinceSeq: seq }))).toEqual({ seq: seq + 1, reload: true });
    expect(await done(save([row(0, wang), { ...row(1), ownerKind: "SITE_OWNER" }]))).toEqual({ saved: 2, failed: [] });
    expect(await owners([{ field: "search", type: "like", values: ["n-"] }])).toEqual({
      "N-1": [wang.account, "", ""],
      "N-2": ["", "", ""],
    });
    // What is as it was raises nothing.
    await done(save([row(0, wang)]));
    expect(await readSeq()).toBe(seq + 2);
  });

  test("finds DUs without an owner of a kind, and those of a person", async () => {
    const blank = [{ field: "blank", type: "in", values: ["DU_OWNER"] }];
    expect(Object.keys(await owners(blank))).toEqual(["N-2", "W-1"]);
    expect(Object.keys(await owners([{ field: "owner", type: "like", values: [at.people.sun.name] }]))).toEqual(["W-1"]);
    expect(Object.keys(await owners([{ field: "regionId", type: "in", values: [at.north] }]))).toEqual(["N-1", "N-2"]);
  });

  test("searches one entry in codes and names, several as codes, at most 500 [OPS-30]", async () => {
    const search = async (text: string) => Object.keys(await owners([searchCondition(text)!]));
    expect(await search("n-")).toEqual(["N-1", "N-2"]);
    expect(await search("name of w")).toEqual(["W-1"]);
    expect(await search("W-1, N-1\nN-, nowhere")).toEqual(["N-1", "W-1"]);
    const entries = (count: number) => searchCondition(Array.from({ length: count }, (_, n) => `entry-${n}`).join(", "))!;
    expect(await list([entries(searchEntriesMax)])).toEqual([]);
    const many = encodeURIComponent(JSON.stringify([entries(searchEntriesMax + 1)]));
    expect(await call(`duConfig/list/1/50/default/${many}`)).toMatchObject({ status: 422, code: "SEARCH_TOO_MANY" });
  });

  test("takes 20 owners of a DU and kind and no more [OWN-09]", async () => {
    const people = await Promise.all(Array.from({ length: 21 }, () => makeMember(db.owner, at.id, "TL")));
    const many = await save([row(0, ...people)]);
    expect(many).toMatchObject({ status: 400, problems: [{ path: "rows.0.accounts", code: "TOO_MANY", msg: "At most 20 records" }] });
    expect(await done(save([row(0, ...people.slice(0, 20))]))).toEqual({ saved: 1, failed: [] });
    await done(save([row(0, at.people.wang)]));
  });

  test("takes 200 DUs and no more", async () => {
    const ids = Array.from({ length: 201 }, (_, n) => ({ duId: 1_000_000 + n, ownerKind: "DU_OWNER", accounts: [] }));
    expect(problemsOf(await save(ids))).toEqual(["rows TOO_MANY_DU"]);
    // 200 are looked for, and not found.
    expect(await save(ids.slice(1))).toMatchObject({ code: "DU_NOT_FOUND" });
  });

  test("refuses people who are not valid resources with the reason, one row for itself", async () => {
    const outside = await makeUser(db.owner);
    const expired = await makeMember(db.owner, at.id, "TL");
    await db.owner`update resource set auth_start = '2025-10-01', auth_end = '2026-09-30' where user_id = ${expired.id} and project_id = ${at.id}`;
    const answer = await done(save([row(0, at.people.li), row(1, outside), row(2, expired, at.people.li)]));
    expect(answer).toMatchObject({
      saved: 1,
      failed: [
        {
          duId: dus[1],
          ownerKind: "DU_OWNER",
          code: "OWNER_NOT_RESOURCE",
          params: { accounts: `${outside.account} (not in the resource pool)` },
        },
        {
          duId: dus[2],
          ownerKind: "DU_OWNER",
          code: "OWNER_NOT_RESOURCE",
          params: { accounts: `${expired.account} (authorisation not valid today)` },
        },
      ],
    });
    const refused = await save([row(1, outside, at.people.sun)]);
    expect(refused).toMatchObject({
      status: 422,
      code: "OWNER_NOT_RESOURCE",
      msg: `Cannot be owner: ${outside.account} (not in the resource pool)`,
    });
    // Who was owner before his authorisation ended does not stand in the way of another.
    await db.owner`insert into du_owner (du_id, owner_kind, user_id) values (${dus[2]!}, 'DU_OWNER', ${expired.id})`;
    await done(save([row(2, expired, at.people.li)]));
    const [west] = await list([{ field: "search", type: "like", values: ["W-1"] }]);
    expect(
      west.owners.DU_OWNER.map(({ account, invalid }: { account: string; invalid: string | null }) => [account, invalid]).sort(),
    ).toEqual(
      [
        [at.people.li.account, null],
        [expired.account, "AUTH_EXPIRED"],
      ].sort(),
    );
  });

  test("refuses what others changed since it was read", async () => {
    await done(save([row(0, at.people.li)]));
    const stale = { ...row(0, at.people.wang), base: [at.people.sun.account] };
    expect(await save([stale])).toMatchObject({ status: 409, code: "STALE" });
    await done(save([{ ...stale, base: [at.people.li.account.toUpperCase()] }]));
  });

  test("reaches for the owner of a region the DUs of his regions only", async () => {
    const owner = await makeUser(db.owner);
    await db.owner`insert into region_owner (region_id, user_id) values (${at.north}, ${owner.id})`;
    await grantRole(db.owner, at.id, owner.id, "COMMON_VIEW");
    const answer = await done(save([row(1, at.people.li), row(2, at.people.li)], owner));
    expect(answer).toMatchObject({ saved: 1, failed: [{ duId: dus[2], code: "DU_NOT_FOUND" }] });
    expect(await save([row(1, at.people.li)], at.viewer)).toMatchObject({ status: 403 });
    await db.owner`delete from region_owner where user_id = ${owner.id}`;
  });

  test("decides who may edit the plan while the data control flag is on [PRM-23]", async () => {
    await setSwitch(db.owner, at.id, "dataControl", "Y");
    await done(save([row(0, at.people.li), row(1)]));
    const edit = (user: CtxUser, place: number) =>
      call(
        "rolloutPlan/save",
        { edits: [{ duId: dus[place], activityId: at.activities[0]!.id, field: "planEnd", value: "2026-11-02", base: null }] },
        user,
      );
    expect((await edit(at.pm, 0)).data?.rejected ?? []).not.toEqual([]);
    expect((await edit(at.pm, 1)).data?.rejected ?? []).toEqual([]);
    await setSwitch(db.owner, at.id, "dataControl", "N");
  });
});
