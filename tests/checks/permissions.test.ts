import { describe, expect, test } from "vitest";
import { isPermissionCode, isRole, type PermissionCode, permissions, roles } from "#lib/permissions.ts";
import { screens } from "#lib/screens.ts";
import { readSource } from "#tests/support/source-files.ts";

const [head = [], ...matrix] = readSource("tests/support/permissions.tsv")
  .trimEnd()
  .split("\n")
  .map((line) => line.split("\t"));

describe("the permission matrix", () => {
  test("has the roles of the original matrix in its order", () => {
    expect(roles).toEqual(head.slice(1));
  });

  test("gives every code to the same roles as the original matrix, and has no further code", () => {
    const original = Object.fromEntries(
      matrix.map(([code = "", ...cells]) => [code, Object.fromEntries(cells.flatMap((cell, i) => (cell ? [[head[i + 1], cell]] : [])))]),
    );
    const own = Object.fromEntries(Object.entries(permissions).map(([code, { roles: grants }]) => [code, grants]));
    expect(own).toEqual(original);
  });

  test("names every right that screens ask for", () => {
    const asked = screens.flatMap((screen) => (screen.right === "member" ? [] : [screen.right].flat()));
    expect(asked.filter((code) => !isPermissionCode(code))).toEqual([]);
  });

  test.each([
    [
      "project roles [PRM-02]",
      ["PM", "PCM", "TD", "TL", "PD", "DPD", "DQA", "CM", "PPM", "SCM", "HRBP", "SUBCON_PM", "CUSTOMER_PM", "COMMON_VIEW"],
    ],
    [
      "further project roles [PRM-04]",
      [
        "SCHEDULING_MANAGER",
        "SITE_OWNER",
        "REGION_OWNER",
        "INVENTORY_OWNER",
        "SUBCON",
        "CUSTOMER",
        "PROJECT_ADMIN",
        "PR_REQUESTOR",
        "DOC_PD",
      ],
    ],
  ])("%s exist", (_name, names) => {
    expect(names.filter((name) => !isRole(name))).toEqual([]);
  });

  test.each<[string, PermissionCode[]]>([
    ["plan log history [PRM-09]", ["planLog.view"]],
    [
      "the plan manager [PRM-10]",
      [
        "integralOwner.view",
        "integralOwner.edit",
        "rollout.edit",
        "rollout.import",
        "rollout.export",
        "rollout.revenueView",
        "rollout.duCountHide",
        "template.project",
        "rollout.batchUpdate",
        "rollout.patAcceptance",
        "rollout.multiPlan",
        "rollout.listPlan",
        "rollout.procurementView",
        "rollout.materialView",
        "rollout.attributeEdit",
        "rollout.permitSubmit",
      ],
    ],
    [
      "plan automation [PRM-11]",
      [
        "auto.view",
        "auto.edit",
        "revenueForecast.view",
        "revenueForecast.edit",
        "massCheck.query",
        "massCheck.edit",
        "planCorrection.view",
        "planCorrection.edit",
      ],
    ],
    ["notifications [PRM-12]", ["notice.find", "notice.edit"]],
    ["owner configuration [PRM-13]", ["owner.ruleEdit", "owner.duEdit"]],
    ["region configuration [PRM-14]", ["region.edit"]],
    [
      "task-flow editing [PRM-15]",
      ["flow.transfer", "flow.releaseNodeDelete", "flow.import", "flow.export", "flow.networkNode", "flow.autoConfig"],
    ],
    ["PR settings [PRM-16]", ["pr.update", "pr.responsible", "pr.category", "pr.issue"]],
    ["plan auto rules [PRM-17]", ["rule.view", "rule.edit"]],
    ["DU migration [PRM-18]", ["du.migrate"]],
    ["ETM [PRM-19]", ["etm.manage", "etm.view"]],
    ["remote work order update [PRM-20]", ["workOrder.remoteUpdate"]],
    ["deleting document templates [PRM-21]", ["documentTemplate.delete"]],
  ])("codes for %s exist and somebody holds each", (_name, codes) => {
    expect(codes.filter((code) => !permissions[code] || Object.keys(permissions[code].roles).length === 0)).toEqual([]);
  });

  test("COMMON VIEW holds no code that changes anything but personal templates", () => {
    const reading = /\.(view|enter|find|query)$/;
    const held = Object.entries(permissions).flatMap(([code, { roles: grants }]) =>
      grants.COMMON_VIEW && !reading.test(code) ? [code] : [],
    );
    expect(held).toEqual(["template.edit"]);
  });
});
