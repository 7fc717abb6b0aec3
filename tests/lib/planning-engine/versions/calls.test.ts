import { describe, expect, it } from "vitest";
import {
  azimuthMax,
  currencies,
  engineVersionNameChars,
  horizonDaysMax,
  versionSources,
  versionStates,
} from "#lib/planning-engine/versions/limits.ts";
import { useDatabase } from "#tests/support/database.ts";
import { makeMember } from "#tests/support/factories.ts";
import { planCalls, usePlanProject } from "#tests/support/plan-project.ts";

const db = useDatabase();
const project = usePlanProject(db);
const { call } = planCalls(db, project);

type Version = {
  id: number;
  versionName: string;
  description: string | null;
  status: string;
  source: string;
  isCurrent: boolean;
  isPlanned: boolean;
  inUse: boolean;
  rowVersion: number;
};
const list = async (filters: unknown[] = []) =>
  ((await call(project.pm, "engine/version/find/list", { page: 1, size: 20, filters })).data as { records: Version[] }).records;
const named = async (name: string) => (await list()).find(({ versionName }) => versionName === name) as Version;
const save = (given: Record<string, unknown>) => call(project.pm, "engine/version/save", given);
const id = (answer: { data?: unknown }) => (answer.data as { id: number }).id;

describe("engine/version", () => {
  it("keeps name, description, state, source, times, creator and flags [ENG-07]", async () => {
    expect(await save({ versionName: "North", description: "First wave" })).toMatchObject({ status: 200 });
    expect(await named("North")).toMatchObject({
      description: "First wave",
      status: "setting",
      source: "page_input",
      creator: project.pm.name,
      createdAt: expect.any(Date),
      calcStartAt: null,
      calcEndAt: null,
      isCurrent: true,
      isPlanned: false,
      inUse: false,
    });
    expect((await call(project.viewer, "engine/version/find/list", { page: 1, size: 20 })).status).toBe(403);
    const td = await makeMember(db.owner, project.id, "TD");
    expect((await call(td, "engine/version/save", { versionName: "Not mine" })).status).toBe(403);
    expect((await call(td, "engine/version/find/list/1/20/default/[]")).status).toBe(200);
  });

  it("takes its sources and no other [ENG-08]", async () => {
    expect(versionSources).toEqual(["page_input", "local_import", "system_integration"]);
    for (const source of versionSources) expect((await save({ versionName: source, source })).status).toBe(200);
    expect((await list([{ field: "source", type: "in", values: ["local_import"] }])).map(({ versionName }) => versionName)).toEqual([
      "local_import",
    ]);
    expect((await save({ versionName: "Fax", source: "fax" })).status).toBe(400);
  });

  it("is in one of four states [ENG-16]", async () => {
    const { id: version } = await named("local_import");
    for (const status of versionStates) await db.owner`update engine_plan_version set status = ${status} where id = ${version}`;
    expect((await named("local_import")).status).toBe("failed");
    await expect(db.owner`update engine_plan_version set status = 'lost' where id = ${version}`).rejects.toThrow(
      /engine_plan_version_status/,
    );
  });

  it("refuses a name that is there, is empty or too long", async () => {
    expect((await save({ versionName: "NORTH" })).code).toBe("NAME_EXISTS");
    expect((await save({ versionName: "x".repeat(engineVersionNameChars) })).status).toBe(200);
    expect((await save({ versionName: "x".repeat(engineVersionNameChars + 1) })).status).toBe(400);
    expect((await save({ versionName: " " })).status).toBe(400);
  });

  it("is renamed, made another one, and made current; the one before no longer is [ENG-18]", async () => {
    const north = await named("North");
    const rename = (versionName: string) =>
      call(project.pm, "engine/version/rename", { id: north.id, rowVersion: north.rowVersion, versionName });
    expect((await rename("North 2")).status).toBe(200);
    expect((await rename("North 3")).code).toBe("STALE");
    const south = id(await save({ versionName: "South" }));
    expect((await named("South")).isCurrent).toBe(false);
    expect((await call(project.pm, "engine/version/setCurrent", { id: south })).status).toBe(200);
    expect((await list()).filter(({ isCurrent }) => isCurrent).map(({ versionName }) => versionName)).toEqual(["South"]);
  });

  it("stands still while it is calculated", async () => {
    const { id: version, rowVersion } = await named("page_input");
    await db.owner`update engine_plan_version set status = 'calculating' where id = ${version}`;
    for (const [address, input] of [
      ["engine/version/rename", { id: version, rowVersion, versionName: "Later" }],
      ["engine/version/setCurrent", { id: version }],
      ["engine/version/delete", { ids: [version] }],
      ["engine/setting/save", { versionId: version, planStartDate: "2026-11-01" }],
    ] as const)
      expect(await call(project.pm, address, input), address).toMatchObject({
        code: "VERSION_LOCKED",
        msg: expect.stringContaining("page_input"),
      });
  });

  it("goes unless it is current or in use, all of them or none", async () => {
    const remove = (ids: number[]) => call(project.pm, "engine/version/delete", { ids });
    const [south, spare] = [(await named("South")).id, id(await save({ versionName: "Spare" }))];
    expect((await remove([spare, south])).code).toBe("VERSION_IN_USE");
    await db.owner`update engine_plan_version set in_use = true where id = ${spare}`;
    expect((await remove([spare])).code).toBe("VERSION_IN_USE");
    await db.owner`update engine_plan_version set in_use = false where id = ${spare}`;
    expect((await remove([spare])).data).toEqual({ deleted: 1 });
    expect((await remove([spare])).code).toBe("NOT_FOUND");
    expect((await remove([])).problems?.[0]?.code).toBe("NO_SELECTION");
  });

  it("is copied with settings and inputs", async () => {
    const from = (await named("South")).id;
    expect((await call(project.pm, "engine/setting/save", { versionId: from, planStartDate: "2026-11-01", seed: 7 })).status).toBe(200);
    const rows = [{ itemCode: "ANT", turnaroundDays: 3 }];
    expect((await call(project.pm, "nc/reuseMaterial/save", { versionId: from, rows })).status).toBe(200);
    const copy = id(await call(project.pm, "engine/version/copy", { fromVersionId: from, versionName: "South again" }));
    expect((await call(project.pm, "engine/setting/find", { versionId: copy })).data).toMatchObject({
      seed: 7,
      planStartDate: "2026-11-01",
    });
    const found = await call(project.pm, "nc/reuseMaterial/find/list", {
      page: 1,
      size: 20,
      filters: [{ field: "versionId", type: "eq", values: [copy] }],
    });
    expect(found.data).toMatchObject({ total: 1, records: [{ itemCode: "ANT", turnaroundDays: 3 }] });
  });
});

describe("engine/setting", () => {
  const given = { planStartDate: "2026-11-01" };
  const saved = async (more: Record<string, unknown>) => {
    const versionId = (await named("North 2")).id;
    const before = (await call(project.pm, "engine/setting/find", { versionId })).data as { rowVersion: number };
    return call(project.pm, "engine/setting/save", { ...given, versionId, rowVersion: before.rowVersion, ...more });
  };
  const code = async (more: Record<string, unknown>) => (await saved(more)).problems?.[0]?.code;

  it("keeps every setting of a version [ENG-09]", async () => {
    const versionId = (await named("North 2")).id;
    expect((await call(project.pm, "engine/setting/find", { versionId })).data).toMatchObject({
      direction: "forward",
      damageRate: 0,
      reuseRate: 1,
      bufferRate: 0,
      evaluationLimit: 20_000,
      rowVersion: 0,
    });
    const all = {
      direction: "reverse",
      planStartDate: "2026-12-01",
      horizonDays: horizonDaysMax,
      sortByRfi: true,
      enableEomonth: true,
      enableCluster: true,
      clusteringRate: 0.8,
      damageRate: 0.1,
      reuseRate: 0.9,
      bufferRate: 0.05,
      maxClusterCutover: 2,
      activityAnchor: "Cutover",
      targetAzimuth: 90,
      gapPolicy: "strict",
      currency: "CNY",
      evaluationLimit: 1000,
      timeBudgetS: 30,
      seed: 3,
      islands: 2,
      useExact: true,
    };
    expect((await saved(all)).status).toBe(200);
    expect((await call(project.pm, "engine/setting/find", { versionId })).data).toEqual({ ...all, rowVersion: 1, anchors: [] });
    expect((await saved({ ...all, targetAzimuth: 91 })).data).toEqual({ rowVersion: 2 });
  });

  it("refuses what says nothing new [ENG-32], and what others changed meanwhile", async () => {
    const versionId = (await named("North 2")).id;
    expect((await saved({ seed: 11 })).status).toBe(200);
    expect((await saved({ seed: 11 })).code).toBe("NOTHING_MODIFIED");
    expect((await call(project.pm, "engine/setting/save", { ...given, versionId, rowVersion: 1, seed: 12 })).code).toBe("STALE");
  });

  it("takes a clustering rate above 0 and up to 1 [ENG-28]", async () => {
    const cluster = { enableCluster: true, activityAnchor: "Cutover" };
    for (const rate of [0.0001, 1]) expect((await saved({ ...cluster, clusteringRate: rate })).status, `${rate}`).toBe(200);
    for (const rate of [0, -0.1, 1.0001, 0.00001])
      expect(await code({ ...cluster, clusteringRate: rate }), `${rate}`).toBe("ENGINE_RATE_RANGE");
    expect(await code({ enableCluster: true, activityAnchor: "Cutover" })).toBe("VALUE_MISSING");
    expect(await code({ enableCluster: true, clusteringRate: 1 })).toBe("VALUE_MISSING");
  });

  it("takes damage, reuse and buffer rates from 0 to 1 [ENG-29]", async () => {
    for (const field of ["damageRate", "reuseRate", "bufferRate"]) {
      for (const rate of [0, 0.5, 1])
        expect((await saved({ [field]: rate, seed: Math.round(100 + rate * 2) })).status, `${field} ${rate}`).toBe(200);
      for (const rate of [-0.0001, 1.0001]) expect(await code({ [field]: rate }), `${field} ${rate}`).toBe("ENGINE_RATE_RANGE");
    }
  });

  it("takes an azimuth of whole degrees from 0 to 360 [ENG-30]", async () => {
    for (const targetAzimuth of [0, azimuthMax]) expect((await saved({ targetAzimuth })).status).toBe(200);
    for (const targetAzimuth of [-1, azimuthMax + 1, 1.5]) expect(await code({ targetAzimuth }), `${targetAzimuth}`).toBe("AZIMUTH_RANGE");
  });

  it("labels money as USD, CNY or EUR [ENG-39]", async () => {
    expect(currencies).toEqual(["USD", "CNY", "EUR"]);
    for (const [seed, currency] of currencies.entries()) expect((await saved({ currency, seed: 200 + seed })).status).toBe(200);
    expect((await saved({ currency: "GBP" })).status).toBe(400);
  });

  it("looks three years ahead at most", async () => {
    expect((await saved({ horizonDays: horizonDaysMax, seed: 300 })).status).toBe(200);
    expect(await code({ horizonDays: horizonDaysMax + 1 })).toBe("NUMBER_RANGE");
    expect(await code({ horizonDays: 0 })).toBe("NUMBER_RANGE");
  });
});
