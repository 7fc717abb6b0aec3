import { beforeAll, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { callAs } from "../../../support/call.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject } from "../../../support/factories.ts";
import { type MadeActivity, makeActivities, makeFlow } from "../../../support/plan-factories.ts";
import { realSites, sampleSites } from "../../../support/sample-sites.ts";
import { importsOf, useFiles } from "../../imports/support.ts";

const db = useDatabase();
useFiles();
const steps = ["Survey", "Permit", "Civil works", "Power", "Installation", "Commissioning", "Activation", "Acceptance"];
let project: { id: number; number: string };
let pm: CtxUser;
let owner: CtxUser;
let activities: MadeActivity[];
let flowId: number;
const imports = importsOf(db, () => ({ project, user: pm }));

const real = realSites();
if (!real) console.warn("skipped: the public list of kiosks is not in SAMPLE_DATA");

describe.each([
  ["the public list of 2,250 kiosks", real?.toString("utf8") ?? null],
  ["a made list of the same shape", sampleSites()],
])("%s", (name, csv) => {
  const day = (text: string): string => text.replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, "$3-$1-$2");
  let preview: Awaited<ReturnType<typeof imports.preview>>;

  beforeAll(async () => {
    project = await makeProject(db.app);
    pm = await makeMember(db.app, project.id, "PM");
    owner = await makeMember(db.app, project.id, "TL");
    activities = await makeActivities(db.app, project.id, steps);
    flowId = await makeFlow(db.app, project.id, pm.id, activities, "Kiosk");
  });

  it.skipIf(!csv)("arrives whole with its real dates, but for the four rows with impossible ones", { timeout: 120_000 }, async () => {
    const fileId = await imports.upload(`${name.replace(/\W+/g, "_")}.csv`, csv as string);
    const opened = await imports.call("import/open", { fileId, kind: "dus" });
    expect(opened.data).toMatchObject({ dateOrder: { format: "mdy", certain: true } });
    const suggested = Object.fromEntries(
      opened.data.columns.map((column: { title: string; field: string }) => [column.title, column.field]),
    );
    const id = (step: string) => activities.find((activity) => activity.name === step)?.id;
    expect(suggested).toMatchObject({
      "Site ID": "code",
      Borough: "region",
      "Planned Kiosk Type": "productType",
      "Street Address": "address",
      Postcode: "postCode",
      Latitude: "latitude",
      Longitude: "longitude",
      "Installation Complete": `a${id("Installation")}.actualEnd`,
      "Activation Complete": `a${id("Activation")}.actualEnd`,
      Location: null,
      "Legacy ID": null,
    });

    preview = await imports.preview({
      fileId,
      kind: "dus",
      mapping: opened.data.columns.map((column: { field: string | null }) => column.field),
      dateFormat: "mdy",
      options: { createRegions: true, flowId, ownerId: owner.id },
    });
    expect(preview).toMatchObject({
      status: "succeeded",
      result: {
        rows: 2250,
        counts: { new: 2246, changed: 0, unchanged: 0, rejected: 4 },
        reasons: [{ code: "DATE_OUT_OF_RANGE", count: 8 }],
      },
    });
    const rejected = await imports.rows(preview.id, [{ field: "outcome", type: "in", values: ["rejected"] }]);
    expect(rejected.map((row) => row.cells[`a${id("Installation")}.actualEnd`]?.text).sort()).toEqual([
      "05/28/1992",
      "12/01/1971",
      "12/01/1971",
      "12/01/1971",
    ]);
    expect((await db.app`select count(*)::int as n from du where project_id = ${project.id}`)[0]?.n).toBe(0);

    const done = await imports.apply(preview.id);
    expect(done).toMatchObject({ status: "partial", done_count: 2246, failed_count: 4, total_count: 2250 });

    const lines = (csv as string).split("\n").slice(1).filter(Boolean);
    const dates = lines.flatMap((line) => [line.match(/\d\d\/\d\d\/\d{4}/g) ?? []]).filter(([first = ""]) => first.slice(6) >= "2000");
    const [totals] = await db.app`
      select count(*)::int as dus, count(distinct d.region_id)::int as regions, count(distinct d.site_id)::int as sites, count(b.flow_id)::int as bound,
        count(*) filter (where s.longitude is not null and s.latitude is not null and s.post_code is not null and s.address is not null)::int as located
      from du d join customer_site s on s.id = d.site_id left join du_flow b on b.du_id = d.id and b.unbound_at is null and b.source = 'import' where d.project_id = ${project.id}`;
    expect(totals).toMatchObject({ dus: 2246, regions: 5, sites: 2246, bound: 2246, located: 2246 });
    const stored = await db.app<{ step: string; day: string; owner: number[] }[]>`
      select a.name as step, v.actual_end as day, v.actual_owner_ids as owner from du_activity v join activity_library a on a.id = v.activity_id
      where v.project_id = ${project.id} and v.actual_end is not null`;
    for (const [index, step] of ["Installation", "Activation"].entries()) {
      const of = stored.filter((row) => row.step === step).map((row) => row.day);
      expect(of.sort()).toEqual(dates.map((pair) => day(pair[index] as string)).sort());
    }
    expect(stored.length).toBe(2 * 2246);
    expect(stored.every((row) => row.owner.length === 1 && row.owner[0] === owner.id)).toBe(true);
    const [log] =
      await db.app`select source, du_count, cell_count, origin from plan_batch where project_id = ${project.id} and source = 'import'`;
    expect(log).toMatchObject({ du_count: 2246, origin: { kind: "task" } });

    const rejects = await imports.workbook(done.error_file_id);
    expect(rejects[0]?.slice(0, 2)).toEqual(["Reason", "Site ID"]);
    expect(rejects.length).toBe(5);
    expect(String(rejects[1]?.[0])).toContain("Date out of range: 2000-01-02 to 2089-09-17");
    expect(rejects.slice(1).every((row) => lines.some((line) => line.startsWith(`${row[1]},`)))).toBe(true);
  });

  it.skipIf(!csv)("changes nothing when it is imported again [OPS-21]", { timeout: 120_000 }, async () => {
    const again = await imports.preview({ ...preview.params });
    expect(again.result.counts).toEqual({ new: 0, changed: 0, unchanged: 2246, conflict: 0, rejected: 4 });
    expect(await imports.call("import/apply", { taskId: again.id })).toMatchObject({ status: 422, code: "NOTHING_MODIFIED" });
  });

  it.skipIf(!csv)("shows each DU with its region, product and site", async () => {
    const answer = await callAs(pm, "du/list/1/10/default/[]", {}, { project: project.number });
    expect(answer.data.total).toBe(2246);
    expect(answer.data.records[0]).toMatchObject({
      flowName: "Kiosk",
      regionName: expect.any(String),
      productType: expect.any(String),
      latitude: expect.any(Number),
    });
  });
});
