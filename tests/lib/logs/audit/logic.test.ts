import { describe, expect, test } from "vitest";
import { detailLines, objectText, readObject } from "#lib/logs/audit/logic.ts";

import { textsOf } from "../../../support/texts.ts";

describe("what a line of the audit log says", () => {
  test.each([
    ["nothing", null, []],
    ["nothing beside the event", { before: null, after: null }, []],
    ["a new record", { before: null, after: { a: 1 } }, [["a", null, "1", true]]],
    ["a removed record", { before: { a: "x" }, after: null }, [["a", "x", null, true]]],
    [
      "changed fields first",
      { before: { a: 1, b: [1] }, after: { a: 1, b: [2] } },
      [
        ["b", "[1]", "[2]", true],
        ["a", "1", "1", false],
      ],
    ],
    ["values that are no records", { before: "a", after: "b" }, [["", "a", "b", true]]],
  ])("%s", (_, detail, expected) => {
    expect(detailLines(detail).map(({ field, before, after, changed }) => [field, before, after, changed])).toEqual(expected);
  });
});

describe("the object of a line", () => {
  test.each([
    ["switches", { key: "switches", values: {} }],
    ["default project", { key: "defaultProject", values: {} }],
    ["cluster 7", { key: "clusterId", values: { id: "7" } }],
    ["customer_site 7 8 9", { key: "customerSiteId", values: { id: "7 8 9" } }],
    ["attribute 7 choices", { key: "attributeIdChoices", values: { id: "7" } }],
    ["resource group 7", { key: "resourceGroupId", values: { id: "7" } }],
    ["plan batch dates", { key: "planBatchDates", values: {} }],
    ["plan batch 7", { key: "planBatchId", values: { id: "7" } }],
    ["role COMMON_VIEW of ann", { key: "roleRoleOfName", values: { role: "COMMON VIEW", name: "ann" } }],
    ["engine_input_state 7 du", { key: "engineInputStateIdBlock", values: { id: "7", block: "du" } }],
    ["DELIVERY2 activity_flow 7", { key: "activityFlowId", values: { id: "7" }, project: "DELIVERY2" }],
    ["commomUtil/saveCalendarSetData", null],
    ["something of a former version", null],
    ["A B switches", null],
  ])("%s", (object, expected) => {
    expect(readObject(object)).toEqual(expected);
  });

  test.each([
    ["zh", "switches", "开关"],
    ["en", "default project", "Default project"],
    ["ja", "role PROJECT_ADMIN of ann", "ann のロール PROJECT ADMIN"],
    ["zh", "role PM of <b>{id}</b>", "<b>{id}</b> 的角色 PM"],
    ["zh", "DELIVERY2 activity_flow 7 graph", "DELIVERY2 活动流 7 的活动与关系"],
    ["en", "work orders remoteStart", "Work orders: remote update: start"],
    ["ja", "audit/list", "audit/list"],
  ] as const)("in %s %s reads %s [SES-03]", (locale, object, expected) => {
    expect(objectText(object, (key, values) => textsOf(locale, "audit")(key, values))).toBe(expected);
  });
});
