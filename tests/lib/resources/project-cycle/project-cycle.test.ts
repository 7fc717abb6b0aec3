import { beforeAll, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { overlaps } from "#lib/resources/project-cycle/logic.ts";
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
const phase = (name: string, code: string, startDate = "2026-10-01", endDate = "2026-10-31") => ({ code, name, startDate, endDate });

describe("projectCycle", () => {
  it("keeps the phases of a project number with code, name and period [RES-14]", async () => {
    const { id } = (
      await call("projectCycle/save", {
        projectNumber: "P100",
        phases: [phase("Survey", "S"), phase("Build", "B", "2026-11-01", "2026-12-31")],
      })
    ).data;
    expect((await call("projectCycle/find")).data).toMatchObject([
      {
        id,
        projectNumber: "P100",
        rowVersion: 1,
        phases: [{ code: "S", name: "Survey", startDate: "2026-10-01", endDate: "2026-10-31" }, { code: "B" }],
      },
    ]);
    expect(await call("projectCycle/save", { id, projectNumber: "P100", phases: [], rowVersion: 2 })).toMatchObject({
      status: 409,
      code: "STALE",
    });
  });

  it("has a project number once [RES-37]", async () => {
    expect(await call("projectCycle/save", { projectNumber: "p100", phases: [] })).toMatchObject({ status: 422, code: "PROJECT_REPEAT" });
    expect((await call("projectCycle/save", { projectNumber: "P101", phases: [] })).status).toBe(200);
  });

  it("takes phase names that are given, single in the project and at most 200 characters long [RES-34]", async () => {
    const save = (phases: object[]) => call("projectCycle/save", { projectNumber: `N${Math.random()}`, phases });
    expect(await save([phase(" ", "A")])).toMatchObject({ status: 400, problems: [{ path: "phases.0.name", code: "NAME_REQUIRED" }] });
    expect(await save([phase("n".repeat(201), "A")])).toMatchObject({ status: 400, problems: [{ code: "NAME_TOO_LONG" }] });
    expect((await save([phase("n".repeat(200), "A")])).status).toBe(200);
    expect(await save([phase("survey", "A")])).toMatchObject({ status: 422, problems: [{ path: "phases.0", code: "NAME_EXISTS" }] });
    expect(await save([phase("One", "A"), phase("Two", "A")])).toMatchObject({
      status: 422,
      problems: [{ path: "phases.1", code: "CODE_EXISTS" }],
    });
    expect(await save([phase("Three", "A", "2026-10-02", "2026-10-01")])).toMatchObject({ status: 422, code: "DATE_ORDER" });
    expect((await save([phase("Four", "A", "2026-10-02", "2026-10-02")])).status).toBe(200);
  });

  it("goes with its phases", async () => {
    const [cycle] = (await call("projectCycle/find")).data;
    expect((await call("projectCycle/delete", { ids: [cycle.id] })).status).toBe(200);
    expect(await call("projectCycle/delete", { ids: [cycle.id] })).toMatchObject({ status: 404 });
  });
});

describe("overlaps", () => {
  it("names each pair of phases that share a day", () => {
    const span = (name: string, startDate: string, endDate: string) => ({ name, startDate, endDate });
    expect(
      overlaps([span("b", "2026-10-10", "2026-10-20"), span("a", "2026-10-01", "2026-10-10"), span("c", "2026-10-21", "2026-10-22")]),
    ).toEqual([["a", "b"]]);
  });
});
