import { buffer } from "node:stream/consumers";
import { beforeAll, describe, expect, it } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import type { Cell } from "#lib/core/workbook-cell.ts";
import { writeWorkbook } from "#lib/core/workbook-write.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject, makeRegion } from "../../../support/factories.ts";
import { importsOf, useFiles } from "../../imports/support.ts";

const db = useDatabase();
useFiles();
let project: { id: number; number: string };
let pm: CtxUser;
const imports = importsOf(db, () => ({ project, user: pm }));

beforeAll(async () => {
  project = await makeProject(db.app);
  pm = await makeMember(db.app, project.id, "PM");
  await makeRegion(db.app, project.id, "North");
  await makeRegion(db.app, project.id, "South");
});

async function check(kind: string, heads: string[], rows: Cell[][]) {
  await db.owner`delete from rate_limit`;
  const bytes = await buffer(writeWorkbook({ name: "x", columns: heads.map((title) => ({ title })), rows }));
  return imports.preview({ fileId: await imports.upload("x.xlsx", bytes), kind });
}
const outcomes = async (previewId: string) =>
  (await imports.rows(previewId)).map(({ outcome, problems }) => [outcome, ...problems.map(({ path, code }) => `${path} ${code}`)]);
const mapping = () =>
  db.owner`select n.name, n.source, r.name as region from network_region n left join delivery_region r on r.id = n.region_id where n.project_id = ${project.id} order by n.id`;

describe("a list of network regions", () => {
  it("brings new ones, mapped where it says to what, and maps those that are there", async () => {
    const preview = await check(
      "networkRegions",
      ["Network region", "Delivery region"],
      [
        ["NR 1", "North"],
        ["NR 2", null],
        ["nr 1", null],
        ["NR 3", "Nowhere"],
      ],
    );
    expect(await outcomes(preview.id)).toEqual([
      ["new"],
      ["new"],
      ["rejected", "networkRegion REPEATED_IN_FILE"],
      ["rejected", "region REGION_UNKNOWN"],
    ]);
    await imports.apply(preview.id);
    expect(await mapping()).toEqual([
      { name: "NR 1", source: "IMPORT", region: "North" },
      { name: "NR 2", source: "IMPORT", region: null },
    ]);
    const again = await check(
      "networkRegions",
      ["Network region", "Delivery region"],
      [
        ["NR 1", "South"],
        ["NR 2", null],
      ],
    );
    expect(await outcomes(again.id)).toEqual([["changed"], ["unchanged"]]);
    await imports.apply(again.id);
    expect((await mapping())[0]).toMatchObject({ region: "South" });
  });
});

describe("a list of DUs", () => {
  it("gives a DU the delivery region of its network region where it names none, and refuses one that is not mapped [REG-05]", async () => {
    const preview = await check(
      "dus",
      ["DU ID", "Network region", "Delivery region"],
      [
        ["D-1", "NR 1", null],
        ["D-2", "NR 1", "North"],
        ["D-3", "NR 2", null],
        ["D-4", "NR 9", null],
      ],
    );
    expect(await outcomes(preview.id)).toEqual([
      ["new"],
      ["new"],
      ["rejected", "networkRegion NETWORK_REGION_UNMAPPED"],
      ["rejected", "networkRegion NETWORK_REGION_UNKNOWN"],
    ]);
    await imports.apply(preview.id);
    const dus = await db.owner`
      select du.code, r.name as region, n.name as network from du left join delivery_region r on r.id = du.region_id left join network_region n on n.id = du.network_region_id
      where du.project_id = ${project.id} order by du.code`;
    expect(dus).toEqual([
      { code: "D-1", region: "South", network: "NR 1" },
      { code: "D-2", region: "North", network: "NR 1" },
    ]);
  });
});
