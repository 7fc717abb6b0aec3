import { describe, expect, test } from "vitest";
import { classicHref, href, projectOfPath, returnAddress, screenOfAddress } from "#lib/core/href.ts";
import { screenOf } from "#lib/screens.ts";

describe("addresses of screens", () => {
  test.each([
    ["the root of a project", href("rolloutPlan", {}, "P100"), "/P100"],
    ["a screen", href("checkItems", {}, "P100"), "/P100/etm/check-items"],
    [
      "a query; empty values are left out",
      href("planLog", { query: { du: 7, flow: "a b", none: null, blank: "" } }, "P100"),
      "/P100/logs/plan?du=7&flow=a+b",
    ],
    ["a value given several times", href("planLog", { query: { du: [1, 2] } }, "P100"), "/P100/logs/plan?du=1&du=2"],
    ["parameters are encoded", href("constructionByType", { params: { type: "a/b" } }, "P100"), "/P100/construction/list/a%2Fb"],
    ["a redirect is followed", href("etm", {}, "P100"), "/P100/etm/acceptance"],
    ["a redirect adds its query", href("siteTypes", { query: { x: 1 } }, "P100"), "/P100/rollout-plan/sites?x=1&tab=types"],
  ])("%s", (_name, made, expected) => {
    expect(made).toBe(expected);
  });

  test("a missing parameter is a mistake, not an address", () => {
    expect(() => href("constructionByType", {}, "P100")).toThrow(/type/);
  });

  test.each([
    ["/P100/etm/check-items", "checkItems", {}],
    ["/P100", "rolloutPlan", {}],
    ["/P100/construction/list/a%2Fb", "constructionByType", { type: "a/b" }],
    ["/P100/construction/issues", "constructionIssues", {}],
  ])("%s is read back", (path, key, params) => {
    expect(screenOfAddress(path)).toMatchObject({ screen: { key }, params });
  });

  test.each(["/P100/nowhere", "/api/etm/check-items", "/", "/P 1/issues"])("%s is no screen", (path) => {
    expect(screenOfAddress(path)).toBeNull();
  });
});

describe("the project of an address", () => {
  test.each([
    ["/P100/issues", "P100"],
    ["/my_project-2", "my_project-2"],
    ["/", null],
    ["/api/x", null],
    ["/API/x", null],
    ["/sign-in", null],
    ["/_next/data", null],
    ["/favicon.ico", null],
    [`/${"x".repeat(41)}`, null],
  ])("%s", (path, number) => {
    expect(projectOfPath(path)).toBe(number);
  });
});

describe("where a sign-in leads", () => {
  test.each([
    ["/P100/issues?id=7", "/P100/issues?id=7"],
    ["/?projectNumber=P1", "/?projectNumber=P1"],
    [null, "/"],
    ["", "/"],
    ["https://evil.example/", "/"],
    ["//evil.example/P100", "/"],
    ["/\\evil.example", "/"],
    ["/\t/evil.example", "/"],
    ["/api/health", "/"],
    ["/sign-in?to=/P1", "/"],
    ["/P100/../api/x", "/"],
  ])("%s → %s", (to, expected) => {
    expect(returnAddress(to)).toBe(expected);
  });
});

test("a screen that never had a hash route has no classic link", () => {
  expect(classicHref(screenOf("tasks"), {}, new URLSearchParams(), "P100")).toBeNull();
  expect(classicHref(screenOf("checkItems"), {}, new URLSearchParams("x=y"), "P100")).toBe("/?projectNumber=P100#/etmCheckItem?x=y");
});
