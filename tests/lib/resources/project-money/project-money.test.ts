import { beforeAll, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { callAs } from "#tests/support/call.ts";
import { useDatabase } from "#tests/support/database.ts";
import { makeMember, makeProject } from "#tests/support/factories.ts";

const db = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;

beforeAll(async () => {
  project = await makeProject(db.app);
  pm = await makeMember(db.app, project.id, "PM");
});

const call = (address: string, input: unknown = {}) => callAs(pm, address, input, { project: project.number });

describe("projectCurrency", () => {
  it("is US dollars until another of the three is chosen and confirmed [RES-16]", async () => {
    expect((await call("projectCurrency/find")).data).toEqual({ code: "USD", rowVersion: 0 });
    expect((await call("projectCurrency/save", { code: "JPY", rowVersion: 0 })).status).toBe(400);
    expect(await call("projectCurrency/save", { code: "EUR", rowVersion: 0 })).toMatchObject({ status: 422, code: "CURRENCY_CONFIRM" });
    expect((await call("projectCurrency/save", { code: "USD", rowVersion: 0 })).data).toEqual({ rowVersion: 1 });
    for (const [at, code] of ["EUR", "CNY"].entries())
      expect((await call("projectCurrency/save", { code, confirm: true, rowVersion: at + 1 })).status).toBe(200);
    expect((await call("projectCurrency/find")).data).toEqual({ code: "CNY", rowVersion: 3 });
    expect(await call("projectCurrency/save", { code: "USD", confirm: true, rowVersion: 1 })).toMatchObject({ status: 409, code: "STALE" });
  });
});

describe("clusterRate", () => {
  it.each([
    ["INTEGER", -1, false],
    ["INTEGER", 0, true],
    ["INTEGER", 9999, true],
    ["INTEGER", 10_000, false],
    ["INTEGER", 1.5, false],
    ["REAL", 0, false],
    ["REAL", 0.01, true],
    ["REAL", 99.99, true],
    ["REAL", 100, false],
    ["REAL", 1.001, false],
  ])("%s %d is taken: %s [RES-33]", async (kind, value, taken) => {
    const { rowVersion } = (await call("clusterRate/find")).data;
    expect(await call("clusterRate/save", { kind, value, rowVersion })).toMatchObject(
      taken ? { status: 200 } : { status: 422, code: "NUMBER_RANGE" },
    );
    if (taken) expect((await call("clusterRate/find")).data).toEqual({ kind, value, rowVersion: rowVersion + 1 });
  });
});
