import { notifications } from "@mantine/notifications";
import { afterEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { failureKind } from "#components/ui/failure.ts";
import { toast } from "#components/ui/toast.ts";
import { SaveDelegation } from "#lib/access/delegations/schema.ts";
import { SaveMemberRole } from "#lib/access/members/schema.ts";
import { allCalls } from "#lib/calls.ts";
import type { Declaration } from "#lib/core/action.ts";
import { isIsoDay } from "#lib/core/clock.ts";
import { matchHash } from "#lib/core/hash.ts";
import { offeredSizes } from "#lib/core/page-sizes.ts";
import { errorText } from "#lib/core/texts.ts";
import { zodProblems } from "#lib/core/zod-problems.ts";
import { errors } from "#lib/errors.ts";
import { ApplyImport } from "#lib/imports/schema.ts";
import { ActivityList } from "#lib/logs/schema.ts";
import { MailIds } from "#lib/reminders/outbox/schema.ts";
import { SetOwners } from "#lib/rollout-plan/batches/schema.ts";
import { datePresets } from "#lib/rollout-plan/conditions/limits.ts";
import { DeleteDus } from "#lib/rollout-plan/dus/schema.ts";
import { SaveInput } from "#lib/rollout-plan/edits/schema.ts";
import { screenOf } from "#lib/screens.ts";
import { sampleFor } from "../../support/declared-call.ts";

test("every call is declared relative to one base, which all gateways of the original share [OPS-01]", async () => {
  const addresses = (await allCalls()).map(({ declaration }) => declaration.address);
  expect(addresses.length).toBeGreaterThan(50);
  expect(addresses.filter((address) => /^\/|^api\/|^https?:/.test(address))).toEqual([]);
});

describe("lists of activities for pickers [OPS-06]", () => {
  test.each([
    [{ flowIds: [1] }, { page: 1, size: 2000 }],
    [
      { flowIds: [1], page: 1, size: 2000 },
      { page: 1, size: 2000 },
    ],
    [{ flowIds: [1], page: 1, size: 2001 }, null],
    [{ flowIds: [1], page: 2, size: 2000 }, null],
  ])("%j", (input, expected) => {
    const parsed = ActivityList.safeParse(input);
    expect(parsed.success ? { page: parsed.data.page, size: parsed.data.size } : null).toEqual(expected);
  });
});

describe("nothing chosen is refused naming what is missing [OPS-18]", async () => {
  const calls = (await allCalls()).map(({ declaration }) => declaration);
  const ids = { numbers: {}, keys: { task: "00000000-0000-4000-8000-000000000000" } };
  /** What a call says of an input of its own in which one field names nothing. */
  const refusalOf = (declaration: Declaration, field: string) => {
    const input = { ...(sampleFor(declaration, ids, 1) as object), [field]: [] };
    const parsed = declaration.input.safeParse(input);
    return parsed.success ? undefined : zodProblems(parsed.error, input).find(({ path }) => path === field);
  };

  test.each([
    ["rolloutPlan/export", "columns", "Please select at least one column"],
    ["rolloutPlan/batch/setDate", "duIds", "Please select one DU at least"],
    ["du/delete", "ids", "Please select one DU at least"],
    ["duChange/submit", "items", "Please select one DU at least"],
    ["copyAttribute/start", "targetDuCodes", "Please select one DU at least"],
    ["rolloutPlan/batch/setDate", "activityIds", "Please select at least one activity"],
    ["site/delete", "ids", "Select at least one record"],
    ["workOrder/cancel", "ids", "Select at least one record"],
    ["planAutoRule/run", "ruleIds", "Select at least one record"],
  ])("%s without %s: %s", (address, field, text) => {
    const problem = refusalOf(calls.find((call) => call.address === address)!, field);
    expect(problem).toMatchObject({ path: field, code: "NO_SELECTION" });
    expect(errorText("en", "NO_SELECTION", problem?.params)).toBe(text);
  });

  test("every call that names DUs says so; the stored selection of the plan says that it is empty", () => {
    const codes = new Map<string, string[]>();
    for (const call of calls) {
      const takes = "duIds" in (sampleFor(call, ids, 1) as object);
      const code = refusalOf(call, "duIds")?.code ?? (takes ? "accepted" : "VALUE_UNKNOWN");
      if (code !== "VALUE_UNKNOWN") codes.set(code, [...(codes.get(code) ?? []), call.address]);
    }
    expect(codes.get("NO_SELECTION")!.length).toBeGreaterThan(10);
    codes.delete("NO_SELECTION");
    // These read of the DUs they are given, or take no DUs for the stored selection, for all, or for none to look at, which they answer themselves.
    const answering = [
      "duChange/getTLApprover",
      "duTabAttr/findDuSNData",
      "emailAuto/sendDuNotification",
      "engine/version/createFromPlan",
      "nc/duConfig/takeFromPlan",
      "rollout/release",
      "rollout/schedule/anchors",
      "rollout/schedule/findSubconPM",
      "rollout/schedule/preview",
      "rolloutPlan/export",
      "rolloutPlan/map/dus",
    ];
    expect(codes.get("accepted")!.toSorted()).toEqual(answering);
    codes.delete("accepted");
    expect(Object.fromEntries(codes)).toEqual({ DU_EMPTY: ["wbs/batchInsertStorageDuForWeb/{key}"] });
  });

  test("categories of PRs have their text before a call takes them", () => {
    expect(errorText("en", "NO_SELECTION", { object: "category" })).toBe("Please select at least one PR category");
  });
});

test("a time-out says that it is one, a service error asks to try again later [OPS-27]", () => {
  expect([errors.TIMEOUT, errors.SERVICE_ERROR]).toEqual([504, 503]);
  expect(errorText("en", "TIMEOUT")).toBe("The request timed out");
  expect(errorText("en", "SERVICE_ERROR")).toBe("Service error, try again later");
  for (const locale of ["zh", "ja"] as const)
    for (const code of ["TIMEOUT", "SERVICE_ERROR"] as const) expect(errorText(locale, code)).not.toBe(errorText("en", code));
});

describe("an action takes as many records as it states, each its own number [OPS-20]", () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
  const owners = { duIds: [1], activityIds: [1], kinds: ["plan"], mode: "set" };
  test.each([
    ["owners of a cell", SetOwners, (count: number) => ({ ...owners, value: many(count) }), 20, "At most 20 records"],
    ["DUs that are deleted", DeleteDus, (count: number) => ({ ids: many(count) }), 200, "At most 200 DUs"],
    [
      "people who get a role",
      SaveMemberRole,
      (count: number) => ({ userIds: many(count), role: "TL", validFrom: "2026-10-01" }),
      200,
      "At most 200 records",
    ],
    ["mails that are sent again", MailIds, (count: number) => ({ ids: many(count) }), 500, "At most 500 records"],
  ] as const)("%s", (_, schema: z.ZodType, input, max, text) => {
    expect(schema.safeParse(input(max)).success).toBe(true);
    const parsed = schema.safeParse(input(max + 1));
    const [problem] = parsed.success ? [] : zodProblems(parsed.error, input(max + 1));
    expect(problem).toMatchObject({ params: { max } });
    expect(errorText("en", problem!.code, problem!.params)).toContain(text);
  });
});

describe("remarks [OPS-32]", () => {
  const problemOf = (schema: z.ZodType, input: object) => {
    const parsed = schema.safeParse(input);
    return parsed.success ? undefined : zodProblems(parsed.error, input).find(({ path }) => path === "reason");
  };
  test.each([
    ["of plan changes", SaveInput, { edits: [] }, 2_000],
    ["of imports", ApplyImport, { taskId: "00000000-0000-4000-8000-000000000000" }, 2_000],
    ["of delegations, whose dialog states 500", SaveDelegation, {}, 500],
  ] as const)("%s take their characters and no more", (_, schema, input, max) => {
    expect(problemOf(schema, { ...input, reason: "ü".repeat(max) })).toBeUndefined();
    expect(problemOf(schema, { ...input, reason: "ü".repeat(max + 1) })).toMatchObject({ code: "VALUE_TOO_LONG", params: { max } });
  });
});

test("what is no day is repeated to the person who gave it, in part", () => {
  const schema = z.strictObject({ day: z.string().refine(isIsoDay, { params: { code: "DATE_FORMAT" } }) });
  const textOf = (day: string) => {
    const [problem] = zodProblems(schema.safeParse({ day }).error!, { day });
    return errorText("en", problem!.code, problem!.params);
  };
  expect(textOf("2026-02-31")).toBe("Wrong date format: 2026-02-31");
  expect(textOf("x".repeat(61))).toBe(`Wrong date format: ${"x".repeat(60)}`);
});

test("fields nobody asked for are named, the first twenty of them", () => {
  const schema = z.strictObject({ rule: z.strictObject({ name: z.string() }) });
  const problemsOf = (input: object) => zodProblems(schema.safeParse(input).error!, input);
  const named = problemsOf({ rule: { name: "x", kind: 1 }, more: 2 });
  expect(named.map(({ path }) => path).sort()).toEqual(["more", "rule.kind"]);
  expect(named.map(({ code, params }) => errorText("en", code, params))).toContain("more has an unknown value");
  const told = (count: number, chars: number) => {
    const more = Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at}`.padEnd(chars, "x"), at]));
    const paths = problemsOf({ rule: { name: "x" }, ...more }).map(({ path }) => path);
    return [paths.length, Math.max(...paths.map(({ length }) => length))];
  };
  expect([told(19, 59), told(20, 60), told(21, 61)]).toEqual([
    [19, 59],
    [20, 60],
    [20, 60],
  ]);
});

test("system failure, no authorisation and access denied have their dialog, everything else its own place [OPS-28]", () => {
  expect(failureKind({ status: 500, code: "SYSTEM_FAILURE" })).toBe("systemFailure");
  expect(failureKind({ status: 403, code: "NO_PERMISSION" })).toBe("noAuthorisation");
  expect(failureKind({ status: 403, code: "NOT_AUTHORISED_FOR_PROJECT" })).toBe("accessDenied");
  for (const answer of [
    { status: 200 },
    { status: 422, code: "NO_DATA" },
    { status: 403, code: "PROJECT_CLOSED" },
    { status: 403, code: "ROLE_CHANGED" },
  ] as const)
    expect(failureKind(answer)).toBeNull();
});

test("a list offers pages of 500 rows only where the project says so [OPS-07]", () => {
  expect(offeredSizes(false)).toEqual([20, 50, 100, 200]);
  expect(offeredSizes(true)).toEqual([20, 50, 100, 200, 500]);
});

test("date ranges are offered by seven presets [OPS-47]", () => {
  expect(datePresets).toEqual(["thisWeek", "lastWeek", "thisMonth", "lastMonth", "last3Months", "thisYear", "lastYear"]);
});

describe("a message goes by itself", () => {
  const shown = () => {
    const show = vi.spyOn(notifications, "show").mockReturnValue("id");
    return () => show.mock.lastCall?.[0].autoClose;
  };
  afterEach(() => vi.restoreAllMocks());

  test("after 6,000 ms; a refusal stays until it is closed [OPS-33]", () => {
    const closesAfter = shown();
    toast.done("saved");
    expect(closesAfter()).toBe(6_000);
    toast.note("note");
    expect(closesAfter()).toBe(6_000);
    toast.problem("refused");
    expect(closesAfter()).toBe(false);
  });

  test("the warning of a search box after 2,000 ms [OPS-34]", () => {
    const closesAfter = shown();
    toast.search("too many");
    expect(closesAfter()).toBe(2_000);
  });
});

test("both original addresses of the switches lead to the one screen that holds them [OPS-38]", () => {
  for (const route of ["#/dataConfigSetting", "#/dataControlSetting"]) {
    const screen = screenOf(matchHash(route)!.screen!);
    expect(screen.aliasOf ?? screen.redirect?.to ?? screen.key).toBe("dataControl");
  }
});

test("the limits have the screen of their original address [OPS-39]", () => {
  expect(matchHash("#/pageMaxSetting")!.screen).toBe("limits");
});
