import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hashScript } from "#components/shell/hash-script.ts";
import { hrefOf, matchHash, titleValues } from "#lib/core/hash.ts";
import { screens } from "#lib/screens.ts";

/** Where the browser is sent when it opens an address, by the reading of the app. */
function byApp(pathname: string, search: string, hash: string): string | null {
  const match = matchHash(hash);
  return match && hrefOf(match, { pathname, search });
}

/** The same by the script of the document head. */
function byScript(pathname: string, search: string, hash: string): string | null {
  let sent: string | null = null;
  const send = (url: string) => {
    sent = url;
  };
  const location = { pathname, search, hash, replace: send };
  const history = { state: null, replaceState: (_state: unknown, _title: string, url: string) => send(url) };
  runInNewContext(hashScript(), { location, history, URLSearchParams, Set, Array, addEventListener: () => undefined });
  return sent;
}

const both = (pathname: string, search: string, hash: string) => {
  const sent = byApp(pathname, search, hash);
  expect(byScript(pathname, search, hash)).toBe(sent);
  return sent;
};

describe("classic addresses", () => {
  test.each([
    ["a leading slash is not needed", "/P100", "", "#etmCheckItem", "/P100/etm/check-items"],
    ["parameters and query are kept [RTE-01]", "/P100", "", "#/planlog?duId=7&flow=a%20b", "/P100/logs/plan?duId=7&flow=a+b"],
    ["fixed segments match in any case", "/P100", "", "#/PLANNINGAUTOMATION/ActivityAnalysis", "/P100/plan-automation/corrections"],
    ["a trailing slash is ignored", "/P100", "", "#/issue/", "/P100/issues"],
    ["the root", "/P100/issues", "", "#/?lang=ja", "/P100?lang=ja"],
    ["one segment", "/P100", "", "#/consplan/Fibre", "/P100/construction/list/Fibre"],
    ["two segments", "/P100", "", "#/consplan/71/9", "/P100/construction/activity/71/9"],
    ["three segments, any first value", "/P100", "", "#/consplan/other/du/Ab9", "/P100/construction/map/other/du/Ab9"],
    ["four segments", "/P100", "", "#/consplan/map/link/71/LNK-1", "/P100/construction/detail/map/link/71/LNK-1"],
    ["five segments are no route", "/P100", "", "#/consplan/1/2/3/4/5", "/P100/consplan/1/2/3/4/5"],
    ["a parameter is decoded once", "/P100", "", "#/consplan/a%2Fb%20c", "/P100/construction/list/a%2Fb%20c"],
    ["a redirect keeps the query [ETM-03]", "/P100", "", "#/aside?batch=4", "/P100/etm/acceptance?batch=4"],
    ["a redirect to a second step [ETM-09]", "/P100", "", "#/newEtmDetail?id=4", "/P100/etm/batch/edit?id=4"],
    ["a redirect that adds a value [RTE-06]", "/P100", "", "#/siteTypes?x=1", "/P100/rollout-plan/sites?x=1&tab=types"],
    ["an alias opens the same address [RTE-06]", "/P100", "", "#/dataConfigSetting", "/P100/settings/data-control"],
    ["another alias too [RTE-06]", "/P100", "", "#/projectBrainTabsPop?x=1", "/P100/attributes/extended?x=1"],
    ["as what it stands for does", "/P100", "", "#/extendedFields?x=1", "/P100/attributes/extended?x=1"],
    ["/consPlanIssues is no parameter of /consplan", "/P100", "", "#/consPlanIssues", "/P100/construction/issues"],
    ["the project of the search part", "/", "?projectNumber=P1&a=1", "#/issue?a=2", "/P1/issues?a=2"],
    ["the search part beats the fragment's project", "/", "?projectNumber=P1", "#/issue?projectNumber=P2", "/P1/issues"],
    ["the fragment's project beats the path", "/P1", "", "#/issue?projectNumber=P2", "/P2/issues"],
    ["an unknown route keeps its name", "/P100", "", "#/nowhere?x=1", "/P100/nowhere?x=1"],
    ["an anchor stays", "/P100", "", "#details", null],
    ["a parameter needs the slash", "/P100", "", "#consplan/Fibre", null],
    ["no project, no address", "/", "", "#/issue", null],
    ["no foreign host", "/", "?projectNumber=/evil.example", "#/issue", null],
    ["not on the sign-in page", "/sign-in", "?next=%2FP1", "#/issue", null],
  ])("%s", (_name, pathname, search, hash, expected) => {
    expect(both(pathname, search, hash)).toBe(expected);
  });

  test("the head script and the app agree on every route in any letter case", () => {
    const routes = screens.flatMap((screen) => (screen.hash ? [screen.hash] : []));
    const text = fc.stringMatching(/^[A-Za-z0-9 %/?&=._~:-]{0,12}$/);
    fc.assert(
      fc.property(
        fc.constantFrom(...routes),
        fc.boolean(),
        text,
        text,
        fc.constantFrom("/", "/P100", "/P100/issues", "/api/x"),
        (route, upper, value, tail, at) => {
          const filled = route.replace(/:\w+/g, () => encodeURIComponent(value || "v"));
          both(at, "?a=1&projectNumber=P7", `#${upper ? filled.toUpperCase() : filled}${tail ? `?${tail}` : ""}`);
          both(at, "", `#${filled}/${tail}`);
        },
      ),
      { numRuns: 400 },
    );
  });

  test.each([
    ["", "#/planlog?lang=ja", "/sign-in?lang=ja#/planlog?lang=ja"],
    ["?to=%2FP1", "#/planlog?lang=en", "/sign-in?to=%2FP1&lang=en#/planlog?lang=en"],
    ["?lang=zh", "#/planlog?lang=ja", null],
    ["", "#/planlog?lang=fr", null],
  ])("the sign-in page takes the language a fragment names and keeps the rest: %s%s", (search, hash, expected) => {
    expect(byScript("/sign-in", search, hash)).toBe(expected);
  });

  test("the head script stays small", () => {
    expect(hashScript().length).toBeLessThan(14_000);
  });
});

describe("values of titles", () => {
  test.each([
    ["deliveryType=FBB", { deliveryType: " - FBB", period: "week" }],
    ["deliveryType=+", { deliveryType: "", period: "week" }],
    [`deliveryType=${"x".repeat(70)}`, { deliveryType: ` - ${"x".repeat(60)}`, period: "week" }],
    ["period=month", { deliveryType: "", period: "month" }],
    ["period=year", { deliveryType: "", period: "week" }],
  ])("%s", (query, expected) => {
    expect(titleValues(new URLSearchParams(query))).toEqual(expected);
  });
});
