import { beforeAll, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { callAs } from "../../../support/call.ts";
import { useDatabase } from "../../../support/database.ts";
import { grantRole, makeMember, makeProject, makeRegion, makeUser } from "../../../support/factories.ts";

const db = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;
let tl: CtxUser;

beforeAll(async () => {
  project = await makeProject(db.app);
  pm = await makeMember(db.app, project.id, "PM");
  tl = await makeMember(db.app, project.id, "TL");
});

const call = (user: CtxUser, address: string, input: unknown = {}) => callAs(user, address, input, { project: project.number });
const save = (role: string, code: string, scope: string | null, more: object = {}) =>
  call(pm, "rolePermission/save", { role, code, scope, ...more });
const overrides = async () => (await call(pm, "rolePermission/find")).data.overrides;
const holdsCode = async (user: CtxUser, code: string) => (await call(user, "portal/userPermission/checkUserPermission", [code])).data[code];
const why = async (user: CtxUser, asked: object) => (await call(pm, "rolePermission/why", { userId: user.id, ...asked })).data;

describe("rolePermission/save", () => {
  it("puts the project's word above the default at once, and takes it back", async () => {
    expect(await holdsCode(tl, "rollout.edit")).toBe(false);
    expect((await save("TL", "rollout.edit", "Y")).status).toBe(200);
    expect(await holdsCode(tl, "rollout.edit")).toBe(true);
    expect(await overrides()).toEqual([{ role: "TL", code: "rollout.edit", scope: "Y" }]);
    expect((await save("TL", "rollout.edit", null)).data).toEqual({ scope: null });
    expect(await holdsCode(tl, "rollout.edit")).toBe(false);
    expect((await save("TL", "rollout.view", "")).status).toBe(200);
    expect(await holdsCode(tl, "rollout.view")).toBe(false);
    // What the default says anyway is no word of the project's own.
    expect((await save("TL", "rollout.view", "Y")).data).toEqual({ scope: null });
    expect(await overrides()).toEqual([]);
    const audits = await db.owner`select detail from audit_log where object = 'permission TL rollout.view' order by id`;
    expect(audits.map(({ detail }) => detail)).toEqual([
      { before: { scope: null }, after: { scope: "" } },
      { before: { scope: "" }, after: { scope: null } },
    ]);
  });

  it("does not reach another project", async () => {
    const other = await makeProject(db.app);
    const there = await makeMember(db.app, other.id, "TL");
    await save("TL", "flow.edit", "Y");
    expect((await callAs(there, "portal/userPermission/checkUserPermission", ["flow.edit"], { project: other.number })).data).toEqual({
      "flow.edit": false,
    });
    await save("TL", "flow.edit", null);
  });

  it("refuses when the word was changed meanwhile, and when nothing would change", async () => {
    await save("CM", "rollout.edit", "O");
    expect(await save("CM", "rollout.edit", "Y", { was: null })).toMatchObject({ status: 409, code: "STALE", data: { scope: "O" } });
    expect(await save("CM", "rollout.edit", "O")).toMatchObject({ code: "NOTHING_MODIFIED" });
    expect((await save("CM", "rollout.edit", null, { was: "O" })).status).toBe(200);
  });

  it.each([
    ["the administrator of the system an approval", "SYS_ADMIN", "duChange.approve", "O", "ADMIN_APPROVES_NOTHING"],
    ["the administrator of the system an approval of NA", "SYS_ADMIN", "activity.naApprove", "Y", "ADMIN_APPROVES_NOTHING"],
    ["COMMON VIEW a right that changes something", "COMMON_VIEW", "rollout.edit", "Y", "VIEW_ROLE"],
    ["the manager without the way to give rights back", "PM", "role.permissionEdit", "", "MANAGER_KEEPS"],
    ["a right nobody knows", "TL", "no.such", "Y", "INVALID_INPUT"],
  ])("refuses to give or leave %s", async (_what, role, code, scope, error) => {
    expect(await save(role, code, scope)).toMatchObject({ code: error });
  });

  it("needs its own right: who gives roles may not change what they mean", async () => {
    const admin = await makeMember(db.app, project.id, "PROJECT_ADMIN");
    expect(await call(admin, "rolePermission/save", { role: "TL", code: "rollout.edit", scope: "Y" })).toMatchObject({
      status: 403,
      code: "NO_PERMISSION",
    });
  });
});

describe("rolePermission/why", () => {
  it("names the role that gives a right, and whether default or project decided", async () => {
    expect(await why(pm, { code: "rollout.edit" })).toMatchObject({
      person: { account: pm.account },
      verdicts: [
        { code: "rollout.edit", held: true, all: true, reasons: [{ role: "PM", grant: "Y", fromProject: false, byDefault: "Y" }] },
      ],
    });
    await save("TL", "rollout.edit", "Y");
    const { verdicts } = await why(tl, { code: "rollout.edit" });
    expect(verdicts[0]).toMatchObject({ held: true, reasons: [{ role: "TL", grant: "Y", fromProject: true, byDefault: "" }] });
    await save("TL", "rollout.edit", null);
  });

  it("names what is missing, which roles would give it, and whom to ask", async () => {
    const { verdicts, ask } = await why(tl, { code: "limit.edit" });
    expect(verdicts[0]).toMatchObject({ held: false, reasons: [{ role: "TL", grant: "" }] });
    expect(verdicts[0].givers.map(({ role }: { role: string }) => role)).toEqual(["PROJECT_ADMIN", "SYS_ADMIN"]);
    expect(ask[0]).toMatchObject({ account: pm.account, roles: ["PM"] });
  });

  it("tells of roles that have ended, follow from ownership, or were delegated", async () => {
    const owner = await makeUser(db.app);
    await grantRole(db.app, project.id, owner.id, "PM", "2026-10-13");
    const region = await makeRegion(db.app, project.id);
    await db.app`insert into region_owner (region_id, user_id) values (${region}, ${owner.id})`;
    const found = await why(owner, { code: "rollout.edit" });
    expect(found.roles).toMatchObject([
      { role: "PM", state: "ended", derived: false },
      { role: "REGION_OWNER", state: "valid", derived: true },
    ]);
    expect(found.verdicts[0]).toMatchObject({ held: true, all: false, reasons: [{ role: "REGION_OWNER", grant: "O" }] });
    const pd = await makeMember(db.app, project.id, "PD");
    await db.app`insert into role_delegation (project_id, role, delegator_id, delegate_id, valid_from, valid_to)
      values (${project.id}, 'PD', ${pd.id}, ${owner.id}, '2026-10-01', '2026-10-20')`;
    const delegated = await why(owner, { code: "plan.frozenChange" });
    expect(delegated).toMatchObject({
      delegations: [{ role: "PD", from: pd.name, validTo: "2026-10-20" }],
      verdicts: [{ held: true, byDelegation: true }],
    });
  });

  it("explains a screen by its rights; one for all members opens to every member and to nobody else", async () => {
    expect(await why(tl, { screen: "limits" })).toMatchObject({
      screen: { opens: false, forMembers: false },
      verdicts: [{ code: "limit.edit", held: false }],
    });
    expect(await why(tl, { screen: "preferences" })).toMatchObject({ screen: { opens: true, forMembers: true }, verdicts: [] });
    const stranger = await makeUser(db.app);
    expect(await why(stranger, { screen: "preferences" })).toMatchObject({ screen: { opens: false }, roles: [] });
  });

  it("agrees with the check of every right for people of every kind", async () => {
    const people = [
      tl,
      pm,
      await makeMember(db.app, project.id, "SUBCON", "CUSTOMER"),
      await makeMember(db.app, project.id, "SUBCON", "TL"),
    ];
    const { permissions } = await import("#lib/permissions.ts");
    const codes = Object.keys(permissions);
    for (const person of people) {
      const checked = (await call(person, "portal/userPermission/checkUserPermission", codes)).data;
      const explained = Object.fromEntries(
        await Promise.all(codes.map(async (code) => [code, (await why(person, { code })).verdicts[0].held])),
      );
      expect(explained).toEqual(checked);
    }
  });
});
