import { describe, expect, it } from "vitest";
import { businessApprovals, keptByManager } from "#lib/access/limits.ts";
import { currentRole, givenByDelegation, grantsFor, isViewing, overrideKey, roleCode, validityOf } from "#lib/access/logic.ts";
import { roleFingerprint } from "#lib/access/queries.ts";
import { type PermissionCode, permissions, type Role } from "#lib/permissions.ts";

describe("currentRole", () => {
  it.each([
    [["TL", "PCM"], "PCM"],
    [["TD", "TL", "PM"], "PM"],
    [["TL", "TD"], "TD"],
    [["PCM", "PM"], "PM"],
    [["TD", "PCM"], "PCM"],
    [["COMMON VIEW", "TL"], "TL"],
    [["PD", "COMMON VIEW"], "COMMON_VIEW"],
    [["dqa", "cm"], "DQA"],
    [["cm"], "CM"],
    [[], null],
  ])("of %j is %s: the first of PM, PCM, TD, TL, else COMMON VIEW, else the first valid role in upper case [PRM-05]", (valid, role) => {
    expect(currentRole(valid)).toBe(role);
  });
});

describe("roleCode", () => {
  it.each([
    ["common view", "COMMON_VIEW"],
    ["SUBCON PM", "SUBCON_PM"],
    [" pm ", "PM"],
    ["BOSS", null],
  ])("of %s is %s", (name, code) => expect(roleCode(name)).toBe(code));
});

describe("grantsFor", () => {
  const none = new Map();
  it("is the union over all roles: one role for every row beats another for own rows", () => {
    expect(grantsFor(["SUBCON", "PM"], "rollout.view", none)).toMatchObject({ all: true });
    expect(grantsFor(["SUBCON"], "rollout.view", none)).toEqual({ all: false, own: ["SUBCON"] });
    expect(grantsFor(["COMMON_VIEW"], "rollout.edit", none)).toEqual({ all: false, own: [] });
  });
  it("takes a project's override before the default, an empty one as taken away", () => {
    expect(grantsFor(["PM"], "flow.edit", new Map([[overrideKey("PM", "flow.edit"), ""]])).all).toBe(false);
    expect(grantsFor(["TL"], "flow.edit", new Map([[overrideKey("TL", "flow.edit"), "Y"]])).all).toBe(true);
  });
  it("counts the restricting code only when every role holds it", () => {
    expect(grantsFor(["SUBCON"], "rollout.duCountHide", none).all).toBe(true);
    expect(grantsFor(["SUBCON", "PM"], "rollout.duCountHide", none).all).toBe(false);
    expect(grantsFor([], "rollout.duCountHide", none).all).toBe(false);
  });
  it("gives nobody the redo after revenue by default", () => {
    expect(grantsFor(["PM", "PCM", "TD", "TL", "PD", "SYS_ADMIN"], "workOrder.redoAfterRevenue", none)).toEqual({ all: false, own: [] });
  });
});

describe("roleFingerprint", () => {
  it("depends on the set of roles, not on their order", () => {
    expect(roleFingerprint(["PM", "TL"])).toBe(roleFingerprint(["TL", "PM"]));
    expect(roleFingerprint(["PM"])).not.toBe(roleFingerprint(["PM", "TL"]));
    expect(roleFingerprint([])).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe("validityOf", () => {
  it.each([
    ["2026-10-15", null, "future"],
    ["2026-10-14", null, "valid"],
    ["2026-01-01", "2026-10-13", "ended"],
    ["2026-01-01", "2026-10-14", "ending"],
    ["2026-01-01", "2026-11-13", "ending"],
    ["2026-01-01", "2026-11-14", "valid"],
  ])("of %s to %s on 2026-10-14 is %s", (validFrom, validTo, validity) => {
    expect(validityOf({ validFrom, validTo }, "2026-10-14")).toBe(validity);
  });
});

describe("the default matrix", () => {
  const codes = Object.keys(permissions) as PermissionCode[];
  it("gives COMMON VIEW rights that show something, and its personal templates [PRM-03]", () => {
    expect(codes.filter((code) => permissions[code].roles.COMMON_VIEW && !isViewing(code))).toEqual(["template.edit"]);
    expect(["rollout.edit", "flow.release", "du.delete", "template.share", "rule.run", "document.upload"].filter(isViewing)).toEqual([]);
  });
  it("gives the administrator of the system no approval of the business, and the manager all he keeps", () => {
    expect(businessApprovals.filter((code) => permissions[code].roles.SYS_ADMIN)).toEqual([]);
    expect(keptByManager.filter((code) => permissions[code].roles.PM !== "Y")).toEqual([]);
  });

  // Each kind of user with roles that stand for it, and something only such a user does.
  const kinds: [kind: string, role: Role, code: PermissionCode][] = [
    ["project planners", "PCM", "plan.schedule"],
    ["rollout managers", "PM", "plan.release"],
    ["delivery engineers", "TL", "rollout.actualEdit"],
    ["site engineers", "SITE_OWNER", "rollout.actualEdit"],
    ["subcontractor owners", "SUBCON_PM", "workOrder.dispatch"],
    ["subcontractors", "SUBCON", "workOrder.execute"],
    ["ETM staff", "CS_MANAGER", "etm.accept"],
    ["customer-service managers", "CS_MANAGER", "etm.approverConfig"],
    ["scheduling managers", "SCHEDULING_MANAGER", "plan.schedule"],
    ["approvers", "PD", "duChange.approve"],
    ["customer-facing staff", "CUSTOMER_PM", "rollout.view"],
    ["the PR requestor", "PR_REQUESTOR", "pr.issue"],
    ["administrators", "SYS_ADMIN", "limit.edit"],
    ["administrators of the project", "PROJECT_ADMIN", "role.assign"],
  ];
  it.each(kinds)("knows %s: %s may enter and hold %s [PRM-01]", (_kind, role, code) => {
    expect(permissions["project.enter"].roles[role]).toBeTruthy();
    expect(permissions[code].roles[role]).toBeTruthy();
  });

  it("lets PM, PCM, the region owner and the site owner edit plan data, and no other role [PRM-22]", () => {
    const editors: Partial<Record<Role, string>> = { PM: "Y", PCM: "Y", REGION_OWNER: "O", SITE_OWNER: "O" };
    for (const code of ["rollout.edit", "rollout.batchUpdate", "rollout.import"] as const) expect(permissions[code].roles).toEqual(editors);
  });
});

describe("givenByDelegation", () => {
  it("gives PD's delegate the frozen plan, no other role's delegate anything, and nothing PD has lost in the project", () => {
    const none = new Map();
    expect(givenByDelegation(["PD"], "plan.frozenChange", none)).toBe(true);
    expect(givenByDelegation(["PD"], "duChange.approve", none)).toBe(false);
    expect(givenByDelegation(["PM", "DPD"], "plan.frozenChange", none)).toBe(false);
    expect(givenByDelegation(["PD"], "plan.frozenChange", new Map([[overrideKey("PD", "plan.frozenChange"), ""]]))).toBe(false);
  });
});
