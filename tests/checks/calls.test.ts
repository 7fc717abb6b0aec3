import { beforeAll, describe, expect, it } from "vitest";
import { grantsFor } from "#lib/access/logic.ts";
import { allCalls, allRoutes, callModules, callsBelow } from "#lib/calls.ts";
import { openApi } from "#lib/core/openapi.ts";
import { listSuffix } from "#lib/core/paging.ts";
import { errors } from "#lib/errors.ts";
import { isPermissionCode, type PermissionCode, type Role, roles } from "#lib/permissions.ts";
import { useDatabase } from "../support/database.ts";
import { filterFieldsOf, runDeclared, sampleFor, samplesFor } from "../support/declared-call.ts";
import { makeUser } from "../support/factories.ts";
import { makeHolder } from "../support/role-holders.ts";
import { makeWholeProject, projectPrint, secret, type WholeProject } from "../support/whole-project.ts";

const db = useDatabase();
const calls = await allCalls();

let own: WholeProject;
let other: WholeProject;

beforeAll(async () => {
  own = await makeWholeProject(db.app, "own");
  other = await makeWholeProject(db.app, secret);
});

describe("the table of calls", () => {
  it("holds every address once, each right known, each error with a status", () => {
    const addresses = calls.map(({ declaration }) => declaration.address);
    expect(new Set(addresses).size).toBe(addresses.length);
    for (const { declaration } of calls) {
      if (typeof declaration.needs !== "function")
        for (const code of [declaration.needs].flat())
          expect(
            code === "member" || code === "signedIn" || code === "anyone" || isPermissionCode(code),
            `${declaration.address} needs ${code}`,
          ).toBe(true);
      for (const code of declaration.errors ?? []) expect(Object.keys(errors), declaration.address).toContain(code);
    }
  });

  it("names the first words of the addresses of each area, by which a call loads few of them", async () => {
    const words = new Map(Object.keys(callModules).map((area) => [area, new Set<string>()]));
    for (const { area, declaration } of calls)
      for (const address of [declaration.address, ...(declaration.also ?? [])]) {
        const segments = address.split("/");
        words.get(area)?.add(segments[0]!);
        expect((await callsBelow(segments[0]!)).find(segments)?.declaration, address).toBe(declaration);
      }
    for (const [area, module] of Object.entries(callModules)) expect([...module.words].sort(), area).toEqual([...words.get(area)!].sort());
    expect((await callsBelow("nothing")).find(["nothing"])).toBeNull();
  });

  it("gives every list at an address that ends in page, size and filters [OPS-05]", () => {
    // Their addresses are stated without: the rows are a part of the answer.
    const withMore = [
      "dataVersion/compare",
      "engine/output/find/compare",
      "engine/output/find/materialGrid",
      "engine/output/find/moves",
      "engine/output/find/outputPlan",
      "engine/output/find/outputPlan/materialgap",
    ];
    const others = calls
      .filter(({ declaration }) => declaration.kind === "read" && filterFieldsOf(declaration))
      .map(({ declaration }) => declaration.address)
      .filter((address) => !address.replace("/{direction}/", "/").endsWith(`/${listSuffix}`));
    expect(others.sort()).toEqual(withMore);
  });

  it("is described by the OpenAPI document, POST unless stated otherwise [OPS-03]", async () => {
    const { paths } = (await openApi()) as { paths: Record<string, Record<string, unknown>> };
    const routes = (await allRoutes()).flatMap(({ route: { declaration, addresses } }) =>
      addresses.map((address) => ({ ...declaration, address })),
    );
    const declared = [...calls.map((call) => call.declaration), ...routes];
    expect(Object.keys(paths)).toHaveLength(declared.length);
    for (const { address, method = "POST" } of declared)
      expect(Object.keys(paths[`/api/${address}`] ?? {})).toEqual([method.toLowerCase()]);
  });
});

describe("every call", () => {
  it.each(
    calls.filter(({ declaration }) => declaration.needs !== "anyone").map((call) => [call.declaration.address, call.declaration] as const),
  )("%s refuses who is not signed in", async (_address, declaration) => {
    expect(await runDeclared(declaration, null, own.number, {})).toMatchObject({ status: 401, code: "SIGNED_OUT" });
  });

  it.each(
    calls
      .filter(({ declaration }) => declaration.needs !== "signedIn" && declaration.needs !== "anyone")
      .map((call) => [call.declaration.address, call.declaration] as const),
  )("%s refuses a call without project, of an unknown one, and of one the caller is no member of [OPS-02]", async (_address, declaration) => {
    const stranger = await makeUser(db.app);
    expect(await runDeclared(declaration, own.pm, null, {})).toMatchObject({ status: 400, code: "PROJECT_REQUIRED" });
    expect(await runDeclared(declaration, own.pm, "NOWHERE", {})).toMatchObject({ status: 403, code: "NOT_AUTHORISED_FOR_PROJECT" });
    expect(await runDeclared(declaration, stranger, own.number, {})).toMatchObject({ status: 403, code: "NOT_AUTHORISED_FOR_PROJECT" });
    expect(await runDeclared(declaration, own.pm, other.number, sampleFor(declaration, other))).toMatchObject({
      status: 403,
      code: "NOT_AUTHORISED_FOR_PROJECT",
    });
  });
});

/** The changing calls whose right everybody holds who may view: what they change is the caller's own, or they ask once more whom it was addressed to. */
const harmless = [
  // Entering, settings, sign-ins and tokens of the person.
  "session/bootstrap",
  "session/rebuild",
  "session/crossBorderConfirm",
  "session/revoke",
  "apiToken/save",
  "apiToken/revoke",
  "personal/setDefaultProject",
  "personal/savePosition",
  "personalized/defaultMapping/save",
  "userSetting/saveUserSetting",
  "userSetting/deleteUserSetting/{settingId}",
  "error/report",
  // Own marks, mails, tasks, views, selections, calendar feeds and templates.
  "notice/ack",
  "notice/read",
  "notice/reset",
  "mail/optout/delete",
  "task/cancel/{id}",
  "task/retry/{id}",
  "task/delete/{id}",
  "wbs/saveHomePage",
  "wbs/batchInsertStorageDuForWeb/{key}",
  "savedView/save",
  "savedView/delete",
  "feed/create",
  "feed/revoke",
  "template/basic/save",
  "template/basic/delete",
  // Approvals and answers of the person asked.
  "duChange/approve",
  "duChange/reject",
  "duChange/transferApprove",
  "planDistribution/open",
  "planFeedback/submit",
  // Rows of a tab, of which duTab.edit and the tab itself decide.
  "duTabAttr/saveRow",
  "duTabAttr/deleteRows",
  "duTabAttr/restoreRows",
  "duTabAttr/import",
  // Workbooks of what is seen anyway.
  "memberRole/export",
  "multiDim/export",
  "duTabAttr/export",
  "planLog/export",
  "commomUtil/exportCalendarSetData",
];

describe("every role", () => {
  it.each(roles)("%s passes the calls its row of the matrix gives and no others [PRM-07]", async (role) => {
    const user = await makeHolder(db.app, own.id, role, { du: own.numbers.du!, region: own.numbers.region! });
    const wrong: string[] = [];
    for (const { declaration } of calls) {
      if (declaration.needs === "signedIn" || declaration.needs === "anyone") continue;
      // Sampled inputs that change something are stopped by an impossible field, so that one role leaves the rows for the next.
      const input = declaration.kind === "read" || typeof declaration.needs === "function" ? sampleFor(declaration, own) : {};
      const parsed = declaration.input.safeParse(input);
      if (typeof declaration.needs === "function" && !parsed.success) continue;
      const needs = typeof declaration.needs === "function" ? declaration.needs(parsed.data) : declaration.needs;
      const allowed = needs === "member" || [needs].flat().some((code) => holdsCode(role, code as PermissionCode));
      const answer = await runDeclared(declaration, user, own.number, input);
      const refused = answer.status === 403 && answer.code === "NO_PERMISSION" && (answer.problems ?? []).length === 0;
      if (!allowed && !refused) wrong.push(`${declaration.address} let ${role} in: ${answer.status} ${answer.code ?? ""}`);
      if (allowed && answer.status === 500) wrong.push(`${declaration.address} failed for ${role}: ${answer.requestId}`);
      if (
        allowed &&
        refused &&
        typeof declaration.needs !== "function" &&
        declaration.kind === "read" &&
        needs !== "member" &&
        isAll(role, [needs].flat() as PermissionCode[])
      )
        wrong.push(`${declaration.address} refused ${role}`);
    }
    expect(wrong).toEqual([]);
  });

  it("that only views passes no changing call but those on a person's own things, on what was addressed to him, and exports [PRM-03]", () => {
    // Rights of calls that ask for them by their input, and whose sample is none.
    const unread: Record<string, string[]> = {
      "multiDim/tab/save": ["multiDim.edit", "multiDim.global"],
      "subconConfig/updateSubconConfig": ["capacity.edit", "subcon.isolation"],
    };
    const passed = calls.flatMap(({ declaration }) => {
      const { address, kind, needs, input } = declaration;
      if (kind === "read") return [];
      const parsed = typeof needs === "function" ? input.safeParse(sampleFor(declaration, own)) : null;
      const codes = typeof needs !== "function" ? [needs].flat() : parsed?.success ? [needs(parsed.data)].flat() : unread[address];
      if (!codes) throw new Error(`the sample of ${address} cannot be read: name the rights it asks for`);
      const everybodys = ["member", "signedIn", "anyone"];
      return codes.some((code) => everybodys.includes(code) || holdsCode("COMMON_VIEW", code as PermissionCode)) ? [address] : [];
    });
    expect(passed.sort()).toEqual([...harmless].sort());
  });

  const holdsCode = (role: Role, code: PermissionCode) => {
    const { all, own: ownRows } = grantsFor([role], code, new Map());
    return all || ownRows.length > 0;
  };
  const isAll = (role: Role, codes: PermissionCode[]) => codes.some((code) => grantsFor([role], code, new Map()).all);
});

describe("a member of one project", () => {
  it("reaches nothing of another by any call and any id, and changes nothing there", { timeout: 240_000 }, async () => {
    const before = await projectPrint(db.owner, other.id);
    const leaks: string[] = [];
    for (const { declaration } of calls) {
      for (const input of samplesFor(declaration, other)) {
        const answer = await runDeclared(declaration, own.pm, own.number, input);
        const text = JSON.stringify(answer);
        const echoed = JSON.stringify(input).includes(secret);
        if (!echoed && text.includes(secret)) leaks.push(`${declaration.address} ${JSON.stringify(input)} -> ${text.slice(0, 300)}`);
        if (answer.status === 500) leaks.push(`${declaration.address} failed on ${JSON.stringify(input).slice(0, 300)}`);
      }
    }
    expect(leaks).toEqual([]);
    expect(await projectPrint(db.owner, other.id)).toEqual(before);
  });
});
