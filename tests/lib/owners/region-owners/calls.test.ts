import { describe, expect, test } from "vitest";
import { useDatabase } from "../../../support/database.ts";
import { grantRole, makeMember, makeUser } from "../../../support/factories.ts";
import { done, problemsOf, useOwnerProject } from "../make-owners.ts";

const db = useDatabase();
const { at, call, makeDus } = useOwnerProject(db);

const list = async (filters: object[] = []) => done(call(`regionConfig/list/1/50/default/${encodeURIComponent(JSON.stringify(filters))}`));
const save = (rows: object[], user = at.pm) => call("regionConfig/batchSave", { rows }, user);
const accounts = async () =>
  Object.fromEntries(
    (await list()).records.map(({ name, owners }: { name: string; owners: { account: string }[] }) => [
      name,
      owners.map(({ account }) => account),
    ]),
  );

describe("regionConfig/batchSave [OWN-11]", () => {
  test("stores the owners of regions and counts the regions without any", async () => {
    await makeDus([{ regionId: at.north }, { regionId: at.north }]);
    expect(await list()).toMatchObject({
      blank: 2,
      total: 2,
      records: [
        { name: "North", duCount: 2, owners: [] },
        { name: "West", duCount: 0 },
      ],
    });
    const { li, sun } = at.people;
    const seq = async () => Number((await db.owner`select seq from plan_seq where project_id = ${at.id}`)[0]!.seq);
    const before = await seq();
    expect(await done(save([{ regionId: at.north, accounts: [li.account, sun.account, li.account] }]))).toEqual({ saved: 1, failed: [] });
    expect(await accounts()).toEqual({ North: [li.account, sun.account], West: [] });
    expect(await seq()).toBe(before + 1);
    expect((await list()).blank).toBe(1);
    expect((await list([{ field: "blank", type: "eq", values: [true] }])).records).toMatchObject([{ name: "West" }]);
    await done(save([{ regionId: at.north, accounts: [sun.account], base: [sun.account, li.account] }]));
    expect(await accounts()).toEqual({ North: [sun.account], West: [] });
    // A region that takes part no more has no owner to miss.
    await db.owner`update delivery_region set status = 'INVALID' where id = ${at.west}`;
    expect((await list()).blank).toBe(0);
    await db.owner`update delivery_region set status = 'ACTIVE' where id = ${at.west}`;
  });

  test("takes 20 owners of a region and no more [OWN-09]", async () => {
    const people = await Promise.all(Array.from({ length: 21 }, () => makeMember(db.owner, at.id, "TL")));
    const all = people.map(({ account }) => account);
    expect(problemsOf(await save([{ regionId: at.west, accounts: all }]))).toEqual(["rows.0.accounts TOO_MANY"]);
    await done(save([{ regionId: at.west, accounts: all.slice(1) }]));
    expect((await accounts()).West).toHaveLength(20);
    await done(save([{ regionId: at.west, accounts: [] }]));
  });

  test("refuses people who are not in the pool, stale rows, and regions of others", async () => {
    const outside = await makeUser(db.owner);
    expect(await save([{ regionId: at.north, accounts: [outside.account] }])).toMatchObject({
      status: 422,
      code: "OWNER_NOT_RESOURCE",
      msg: `Cannot be owner: ${outside.account} (not in the resource pool)`,
    });
    expect(await save([{ regionId: at.west, accounts: [], base: ["nobody"] }])).toMatchObject({ status: 409, code: "STALE" });
    const owner = await makeUser(db.owner);
    await grantRole(db.owner, at.id, owner.id, "COMMON_VIEW");
    await db.owner`insert into region_owner (region_id, user_id) values (${at.west}, ${owner.id})`;
    expect(await save([{ regionId: at.north, accounts: [] }], owner)).toMatchObject({ status: 403, code: "NO_PERMISSION" });
    expect(await save([{ regionId: at.north + 99, accounts: [] }])).toMatchObject({ status: 404 });
    const both = await done(
      save(
        [
          { regionId: at.west, accounts: [at.people.li.account] },
          { regionId: at.north, accounts: [] },
        ],
        owner,
      ),
    );
    expect(both).toMatchObject({ saved: 1, failed: [{ regionId: at.north, code: "NO_PERMISSION" }] });
  });
});

describe("regionConfig/validate/resource [OWN-12]", () => {
  test("says of each account whether it exists as a resource, and why not", async () => {
    const outside = await makeUser(db.owner);
    const inactive = await makeMember(db.owner, at.id, "TL");
    await db.owner`update resource set status = 'INACTIVE' where user_id = ${inactive.id} and project_id = ${at.id}`;
    const { li } = at.people;
    const answer = await done(
      call("regionConfig/validate/resource", { accounts: [li.account.toUpperCase(), outside.account, "nobody", inactive.account] }),
    );
    expect(answer).toEqual({
      valid: [{ account: li.account, userId: li.id, name: li.name }],
      invalid: [
        { account: outside.account, reason: "MISSING" },
        { account: "nobody", reason: "MISSING" },
        { account: inactive.account, reason: "INACTIVE" },
      ],
    });
  });
});
