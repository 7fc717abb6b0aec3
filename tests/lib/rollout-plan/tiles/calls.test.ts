import { describe, expect, it } from "vitest";
import { dayNumber, isoDay } from "#lib/core/clock.ts";
import { decodeTileRow, stateValue, withState } from "#lib/rollout-plan/plan-rows/logic.ts";
import { codeReferences, codeTexts } from "#lib/rollout-plan/tiles/logic.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeCluster, makeRegion, makeSubcontractor } from "../../../support/factories.ts";
import { makeAttribute, makeDus } from "../../../support/plan-factories.ts";
import { planCalls, usePlanProject } from "../../../support/plan-project.ts";

const day = dayNumber;
const db = useDatabase();
const project = usePlanProject(db);
const { call, save, survey, install } = planCalls(db, project);

describe("tiles and rows", () => {
  it("wbs/filter keeps an ordered result, which tiles give row by row with its dictionaries [RPL-12]", async () => {
    const region = await makeRegion(db.owner, project.id, "North");
    const attribute = await makeAttribute(db.owner, project.id, { type: "ENUM", enums: ["Roof", "Mast"] });
    const ids = await makeDus(
      db.owner,
      project.id,
      [
        { code: "TILE-10", regionId: region, ext: { [attribute.key]: String(attribute.enumIds[1]) } },
        {
          code: "TILE-9",
          plan: {
            5: {
              plan_start: "2026-10-14",
              plan_end: "2026-10-16",
              baseline_start: "2026-10-12",
              baseline_end: "2026-10-14",
              plan_owner: project.ownSet,
              state: withState(1, "fixed", 1),
            },
          },
        },
      ],
      project.flow,
    );
    const found = await call(project.pm, "wbs/filter", { search: { field: "code", text: "tile-" }, ids: true });
    expect(found.data).toMatchObject({ total: 2, unmatched: [], duIds: [ids[1], ids[0]] });
    const tile = await call(project.pm, "rolloutPlan/tile", {
      queryId: found.data.queryId,
      from: 0,
      count: 200,
      parts: { plan: true, released: true, fields: ["code", "region", "status", "progress"], attrs: [attribute.key] },
    });
    const rows = (tile.data.rows as string[]).map(decodeTileRow);
    expect(rows.map((row) => [row.duId, row.flowId, row.flowVersion])).toEqual([
      [ids[1], project.flow.id, 1],
      [ids[0], project.flow.id, 1],
    ]);
    expect([...rows[0]!.dates.slice(24)].map(isoDay)).toEqual(["2026-10-14", "2026-10-16", null, null, "2026-10-12", "2026-10-14"]);
    expect(rows.map((row) => stateValue(row.states[4]!, "fixed"))).toEqual([1, 0]);
    expect(rows[0]!.released).toHaveLength(10);
    expect(tile.data).toMatchObject({
      duIds: [ids[1], ids[0]],
      owners: [[project.ownSet, [project.pm.id]]],
      people: [[project.pm.id, project.pm.name]],
      fields: [
        codeTexts("code", ["TILE-9", "TILE-10"]),
        codeReferences("region", [null, region], new Map([[region, "North"]])),
        codeTexts("status", ["within7", "notPlanned"]),
        { key: "progress", values: [0, 0] },
      ],
      attrs: [codeTexts(attribute.key, [null, String(attribute.enumIds[1])])],
    });
    await save(project.pm, [{ duId: ids[0]!, activityId: survey(), field: "planEnd", value: "2026-10-20" }]);
    const again = await call(project.pm, "rolloutPlan/tile", { queryId: found.data.queryId, from: 1, count: 1, parts: { plan: true } });
    expect(decodeTileRow(again.data.rows[0]).dates[1]).toBe(day("2026-10-20"));
  });

  it("rolloutPlan/list gives every field of a DU its own value [RPL-10]", async () => {
    const region = await makeRegion(db.owner, project.id, "South");
    const company = await makeSubcontractor(db.owner, project.id);
    const cluster = await makeCluster(db.owner, project.id, "Harbour");
    const [duId, migrated, removed] = await makeDus(
      db.owner,
      project.id,
      [
        {
          code: "FULL-1",
          name: "Full",
          regionId: region,
          subcontractorId: company,
          rfcNumber: "RFC-1",
          plan: { 1: { plan_end: "2026-10-20", actual_end: "2026-10-13" }, 5: { plan_end: "2026-10-18" } },
        },
        { code: "FULL-2" },
        { code: "FULL-3" },
      ],
      project.flow,
    );
    await db.owner`
      update du set project_code = 'P1', sub_project_code = 'P1-a', delivery_type = 'turnkey', work_type = 'dismantle', cluster_id = ${cluster}, cluster_priority = 3,
        rfi_priority = 4, direct_migration_site_id = ${migrated!}, decom_site_id = ${removed!}, allow_direct_moving = true, acceptance = 'PAT', po_completeness_no = 'PO-9',
        delivery_key = 'key', delivery_batch_no = 'B-7', product_type = '5G', product_line = 'wireless', scenario_type = 'swap', rru_ics_scene = 'outdoor',
        value_unit = 'Household', value_qty = 0.25, eomonth = '2026-11' where id = ${duId!}`;
    await db.owner`
      update du_plan set ic_actual_end = ${day("2026-10-11")}, decom_actual_end = ${day("2026-10-12")}, release_state = 2 where du_id = ${duId!}`;
    await db.owner`
      update customer_site set site_number = '0042', country = 'Brasil', province = 'SP', city = 'Santos', town = 'Centro', address = 'Rua 1', post_code = '00123',
        longitude = -46.3, latitude = -23.9, state_id = '35', state_name = 'São Paulo', site_scenario = 'roof' where code = 'S-FULL-1'`;
    const filters = encodeURIComponent(JSON.stringify([{ field: "cluster", type: "eq", values: [cluster] }]));
    const { records } = (await call(project.pm, `rolloutPlan/list/1/20/default/${filters}`)).data;
    const { activities: _activities, ...fields } = records[0];
    expect(records).toHaveLength(1);
    expect(fields).toEqual({
      duId,
      code: "FULL-1",
      name: "Full",
      status: "within7",
      flow: project.flow.id,
      progress: 20,
      planEndDate: "2026-10-20",
      nextPlanEnd: "2026-10-18",
      icActualEnd: "2026-10-11",
      decomActualEnd: "2026-10-12",
      releaseState: "changed",
      region,
      subcontractor: company,
      siteCode: "S-FULL-1",
      siteName: "Site FULL-1",
      siteNumber: "0042",
      projectCode: "P1",
      subProjectCode: "P1-a",
      deliveryType: "turnkey",
      workType: "dismantle",
      productType: "5G",
      productLine: "wireless",
      scenarioType: "swap",
      siteScenario: "roof",
      rruIcsScene: "outdoor",
      cluster,
      clusterPriority: 3,
      rfiPriority: 4,
      directMigrationSite: migrated,
      decomSite: removed,
      allowDirectMoving: true,
      acceptance: "PAT",
      poCompletenessNo: "PO-9",
      rfcNumber: "RFC-1",
      eomonth: "2026-11",
      deliveryKey: "key",
      deliveryBatchNo: "B-7",
      valueUnit: "Household",
      valueQty: 0.25,
      country: "Brasil",
      province: "SP",
      city: "Santos",
      town: "Centro",
      address: "Rua 1",
      postCode: "00123",
      longitude: -46.3,
      latitude: -23.9,
      stateId: "35",
      stateName: "São Paulo",
    });
  });

  it("names clusters in tiles, in the list of values, in their order, and for nobody to edit [RPL-10]", async () => {
    const ids = await makeDus(db.owner, project.id, [{ code: "CL-1" }, { code: "CL-2" }, { code: "CL-3" }], project.flow);
    const ten = await makeCluster(db.owner, project.id, "Quay 10", [ids[0]!]);
    const nine = await makeCluster(db.owner, project.id, "Quay 9", [ids[2]!]);
    const filters = [{ field: "code", type: "like", values: ["CL-"] }];
    const found = await call(project.pm, "wbs/filter", { filters, sort: [{ field: "cluster", dir: "asc" }], ids: true });
    expect(found.data.duIds).toEqual([ids[2], ids[0], ids[1]]);
    const tile = await call(project.pm, "rolloutPlan/tile", {
      queryId: found.data.queryId,
      from: 0,
      count: 200,
      parts: { fields: ["cluster"] },
    });
    const titles = new Map([
      [ten, "Quay 10"],
      [nine, "Quay 9"],
    ]);
    expect(tile.data.fields).toEqual([codeReferences("cluster", [nine, ten, null], titles)]);
    expect((await call(project.pm, "rolloutPlan/facet", { column: "cluster", filters })).data).toEqual([
      { value: ten, title: "Quay 10", count: 1 },
      { value: nine, title: "Quay 9", count: 1 },
      { value: null, title: null, count: 1 },
    ]);
    const head = await call(project.pm, "rolloutPlan/head");
    expect(head.data.fields.find(({ key }: { key: string }) => key === "cluster")).toMatchObject({ title: "Cluster", editable: false });
    const listed = await call(project.pm, `du/list/1/20/default/${encodeURIComponent(JSON.stringify(filters))}`);
    expect(listed.data.records.map((row: { clusterName: string | null }) => row.clusterName)).toEqual(["Quay 10", null, "Quay 9"]);
    const edited = await save(project.pm, [{ duId: ids[1]!, field: "cluster", value: ten }]);
    expect(edited.data).toMatchObject({ saved: 0, rejected: [{ field: "cluster", code: "VALUE_UNKNOWN" }] });
  });

  it("carries 2,000 columns besides the plan, and refuses 2,001", async () => {
    const found = await call(project.pm, "wbs/filter", {});
    const tile = (count: number) => {
      const attrs = Array.from({ length: count }, (_, at) => `a${1 + at}`);
      return call(project.pm, "rolloutPlan/tile", { queryId: found.data.queryId, from: 0, count: 1, parts: { attrs } });
    };
    expect((await tile(2000)).problems ?? []).toEqual([]);
    expect((await tile(2001)).problems).toMatchObject([{ path: "parts.attrs", code: "TOO_MANY" }]);
  });

  it("rolloutPlan/list gives plain rows", async () => {
    const [duId] = await makeDus(
      db.owner,
      project.id,
      [{ code: "PLAIN-1", plan: { 1: { plan_end: "2026-10-20", plan_owner: project.ownSet } } }],
      project.flow,
    );
    const filters = encodeURIComponent(JSON.stringify([{ field: "code", type: "eq", values: ["PLAIN-1"] }]));
    const answer = await call(project.pm, `rolloutPlan/list/1/20/default/${filters}`);
    expect(answer.data).toMatchObject({
      total: 1,
      page: 1,
      size: 20,
      records: [{ duId, code: "PLAIN-1", planEndDate: "2026-10-20", status: "within7" }],
    });
    expect(answer.data.records[0].activities[0]).toEqual({
      activityId: survey(),
      status: "within7",
      planStart: null,
      planEnd: "2026-10-20",
      actualStart: null,
      actualEnd: null,
      baselineStart: null,
      baselineEnd: null,
      planOwners: [project.pm.id],
      actualOwners: [],
      delayReason: null,
      score: null,
      scoreRemark: null,
    });
  });

  it("carries the notes of the asked activities, changed ones with the next reading, undone ones no longer [RPL-12]", async () => {
    const ids = await makeDus(db.owner, project.id, [{ code: "NOTE-1" }, { code: "NOTE-2" }, { code: "NOTE-3" }], project.flow);
    const cell = (duId: number, activityId: number, field: string, value: unknown, base: unknown = null) => ({
      duId,
      activityId,
      field,
      value,
      base,
    });
    await save(project.pm, [
      cell(ids[2]!, survey(), "delayReason", "下雨 "),
      cell(ids[0]!, survey(), "score", 2),
      cell(ids[0]!, survey(), "scoreRemark", "late"),
      cell(ids[0]!, install(), "score", 5),
    ]);
    const notes = async (slots: number[]) => {
      const found = await call(project.pm, "wbs/filter", { search: { field: "code", text: "NOTE-" }, ids: true });
      const parts = { plan: true, notes: slots };
      const tile = await call(project.pm, "rolloutPlan/tile", { queryId: found.data.queryId, from: 0, count: 200, parts });
      return tile.data.notes.toSorted();
    };
    expect(await notes([1])).toEqual([
      [0, 1, null, 2, "late"],
      [2, 1, "下雨", null, null],
    ]);
    expect(await notes([])).toEqual([]);
    expect(await notes([1, 5])).toHaveLength(3);
    const changed = await save(project.pm, [cell(ids[2]!, survey(), "delayReason", "snow", "下雨")]);
    expect((await notes([1]))[1]).toEqual([2, 1, "snow", null, null]);
    await call(project.pm, "rolloutPlan/undo", { batchId: changed.data.batchId });
    expect((await notes([1]))[1]).toEqual([2, 1, "下雨", null, null]);
    const filters = encodeURIComponent(JSON.stringify([{ field: "code", type: "eq", values: ["NOTE-1"] }]));
    const plain = await call(project.pm, `rolloutPlan/list/1/20/default/${filters}`);
    expect(plain.data.records[0].activities[0]).toMatchObject({ delayReason: null, score: 2, scoreRemark: "late" });
  });

  it("rolloutPlan/changes names the cells after a change number, and says reload when it cannot", async () => {
    const ids = await makeDus(db.owner, project.id, [{}, {}], project.flow);
    const first = await save(project.pm, [{ duId: ids[0]!, activityId: survey(), field: "planEnd", value: "2026-10-20" }]);
    await save(project.pm, [
      { duId: ids[0]!, activityId: survey(), field: "planStart", value: "2026-10-19" },
      { duId: ids[1]!, field: "rfcNumber", value: "R9" },
    ]);
    const since = (sinceSeq: number) => call(project.pm, "rolloutPlan/changes", { sinceSeq });
    expect((await since(first.data.seq)).data).toEqual({
      seq: first.data.seq + 1,
      changed: [
        [ids[0], [17], []],
        [ids[1], [], ["du.rfc_number"]],
      ],
    });
    expect((await since(first.data.seq + 1)).data.changed).toEqual([]);
    expect((await since(first.data.seq + 50)).data).toEqual({ seq: first.data.seq + 1, reload: true });
  });
});
