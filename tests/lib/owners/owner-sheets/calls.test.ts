import { buffer } from "node:stream/consumers";
import { beforeAll, describe, expect, test } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { writeWorkbook } from "#lib/core/workbook-write.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeUser } from "../../../support/factories.ts";
import { importsOf, useFiles } from "../../imports/support.ts";
import { done, useOwnerProject } from "../make-owners.ts";

const db = useDatabase();
useFiles();
const { at, call, makeDus } = useOwnerProject(db);
const imports = importsOf(db, () => ({ project: at, user: at.pm }));
const text = (...people: CtxUser[]) => people.map(({ name, account }) => `${name} (${account})`).join(", ");

beforeAll(async () => {
  await makeDus([{ code: "A-1", regionId: at.north }, { code: "A-2" }, { code: "A-3" }]);
});

async function upload(titles: string[], rows: string[][]): Promise<string> {
  const columns = titles.map((title, at) => ({ key: `c${at}`, title, kind: "text" as const }));
  const bytes = await buffer(
    writeWorkbook({
      name: "owners",
      columns,
      rows: (async function* () {
        yield* rows;
      })(),
    }),
  );
  return imports.upload("owners.xlsx", bytes);
}
const exported = async (address: string) => {
  const { taskId } = await done(call(address, {}));
  const task = await imports.run(taskId);
  return imports.workbook(task.result_file_id);
};
const outcomes = async (previewId: string) =>
  (await imports.rows(previewId)).map(({ no, outcome, problems }) => [
    no,
    outcome,
    problems.map(({ path, code }) => `${path} ${code}`).join(),
  ]);

describe("owners of DUs as a workbook", () => {
  test("go out and come back unchanged, change as the file says, and name what is wrong", async () => {
    const { li, sun } = at.people;
    const titles = ["DU code", "DU owners", "Site owners"];
    const outside = await makeUser(db.owner);
    const fileId = await upload(titles, [
      ["a-1", `${text(li)}, ${sun.account}`, ""],
      ["A-2", outside.account, ""],
      ["A-9", li.account, ""],
      ["A-1", sun.account, ""],
      ["A-3", "", sun.account],
    ]);
    const { taskId } = await done(call("duConfig/import", { fileId }));
    await imports.run(taskId);
    expect(await outcomes(taskId)).toEqual([
      [2, "changed", ""],
      [3, "rejected", "DU_OWNER OWNER_NOT_RESOURCE"],
      [4, "rejected", "code DU_NOT_FOUND"],
      [5, "rejected", "code REPEATED_IN_FILE"],
      [6, "changed", ""],
    ]);
    const applied = await imports.apply(taskId);
    expect(applied).toMatchObject({ status: "partial", done_count: 2, failed_count: 3 });
    const [, head, ...rows] = await exported("duConfig/export");
    expect(head).toEqual(["DU code", "DU name", "Region", "DU owners", "Site owners", "Inventory owners"]);
    expect(rows.map((row) => [row[0], row[2] ?? null, row[3] ?? null, row[4] ?? null])).toEqual([
      ["A-1", "North", text(...[li, sun].sort((a, b) => a.name.localeCompare(b.name))), null],
      ["A-2", null, null, null],
      ["A-3", null, null, text(sun)],
    ]);
    const again = await upload(
      ["DU code", "DU owners", "Site owners"],
      rows.map((row) => [row[0], row[3], row[4]].map((cell) => String(cell ?? ""))),
    );
    const second = await done(call("duConfig/import", { fileId: again }));
    await imports.run(second.taskId);
    expect((await outcomes(second.taskId)).map(([, outcome]) => outcome)).toEqual(["unchanged", "unchanged", "unchanged"]);
  });
});

describe("owners of regions as a workbook", () => {
  test("go out and come back by the name of the region; empty cells clear where that is asked for", async () => {
    const { li } = at.people;
    const fileId = await upload(
      ["Region", "Region owners"],
      [
        ["north", li.account],
        ["West", ""],
        ["Nowhere", li.account],
      ],
    );
    const { taskId } = await done(call("regionConfig/import", { fileId }));
    await imports.run(taskId);
    expect(await outcomes(taskId)).toEqual([
      [2, "changed", ""],
      [3, "unchanged", ""],
      [4, "rejected", "region REGION_UNKNOWN"],
    ]);
    await imports.apply(taskId);
    const [, ...rows] = await exported("regionConfig/export");
    expect(rows.map((row) => [row[0], row[1] ?? null])).toEqual([
      ["Region", "Region owners"],
      ["North", text(li)],
      ["West", null],
    ]);
    const cleared = await upload(["Region", "Region owners"], [["North", ""]]);
    const second = await done(call("regionConfig/import", { fileId: cleared, options: { blanks: "clear" } }));
    await imports.run(second.taskId);
    await imports.apply(second.taskId);
    expect((await done(call("regionConfig/list/1/20/default/[]"))).blank).toBe(2);
  });
});
