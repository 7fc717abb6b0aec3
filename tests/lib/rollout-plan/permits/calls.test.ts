import { beforeEach, describe, expect, test } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { permitDusMax, permitTextChars } from "#lib/rollout-plan/permits/limits.ts";
import { callAs } from "../../../support/call.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject } from "../../../support/factories.ts";
import { makeDuOwner, makeDus } from "../../../support/plan-factories.ts";
import { done } from "../../scheduling/make-scheduled.ts";

const db = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;

beforeEach(async () => {
  project = await makeProject(db.owner);
  pm = await makeMember(db.owner, project.id, "PM");
});

const call = (address: string, input: object = {}, user = pm) => callAs(user, address, input, { project: project.number });
const submit = (duIds: number[], more: object = {}, user = pm) =>
  call("permit/submit", { duIds, kind: "road", reason: "crane on the road", ...more }, user);
const list = async (filters: object[] = [], user = pm) =>
  (await done(call(`permit/list/1/50/default/${encodeURIComponent(JSON.stringify(filters))}`, {}, user))).records;
const dus = (count: number) =>
  makeDus(
    db.owner,
    project.id,
    Array.from({ length: count }, (_, at) => ({ code: `D-${at + 1}` })),
  );

describe("permit/submit", () => {
  test(`applies for ${permitDusMax} DUs and refuses one more [RPL-29] [OPS-20]`, async () => {
    const all = await dus(permitDusMax + 1);
    const refused = await submit(all);
    expect(refused).toMatchObject({ status: 400, problems: [{ path: "duIds", code: "TOO_MANY_DU", params: { max: permitDusMax } }] });
    expect(refused.problems![0]!.msg).toContain(String(permitDusMax));
    expect(await list()).toEqual([]);
    const { id } = await done(submit(all.slice(1)));
    const [row] = await list();
    expect(row).toMatchObject({
      id,
      kind: "road",
      status: "submitted",
      reason: "crane on the road",
      applicantName: pm.name,
      answeredOn: null,
      mayAnswer: true,
    });
    expect(row.dus.map(({ code }: { code: string }) => code)).toEqual(Array.from({ length: permitDusMax }, (_, at) => `D-${at + 2}`));
    expect(await done(submit([...all.slice(1), all[1]!]))).toMatchObject({ id: expect.any(Number) });
  });

  test("needs DUs in reach, a reason and a known kind", async () => {
    const [du] = await dus(1);
    const problem = async (duIds: number[], more: object = {}) =>
      (await submit(duIds, more)).problems?.map(({ path, code }) => `${path} ${code}`).join();
    expect(await problem([])).toBe("duIds NO_SELECTION");
    expect(await problem([du!], { reason: " " })).toBe("reason REASON_REQUIRED");
    expect(await problem([du!], { reason: "x".repeat(permitTextChars + 1) })).toBe("reason VALUE_TOO_LONG");
    expect(await problem([du!], { kind: "moon" })).toBe("kind VALUE_UNKNOWN");
    expect(await submit([999_999])).toMatchObject({ status: 422, code: "DU_NOT_FOUND" });
    expect(await submit([du!], { reason: "x".repeat(permitTextChars) })).toMatchObject({ status: 200 });
    expect(await submit([du!], {}, await makeMember(db.owner, project.id, "PD"))).toMatchObject({ status: 403 });
  });

  test("lets the owner of a site apply for his DUs, and see of an application only his", async () => {
    const [mine, other] = await dus(2);
    const owner = await makeMember(db.owner, project.id, "SITE_OWNER");
    await makeDuOwner(db.owner, mine!, owner.id, "SITE_OWNER");
    expect(await submit([mine!, other!], {}, owner)).toMatchObject({ status: 422, code: "DU_NOT_FOUND" });
    const { id } = await done(submit([mine!], {}, owner));
    await done(submit([other!]));
    const shared = await done(submit([mine!, other!]));
    const rows = await list([], owner);
    expect(
      rows.map((row: { id: number; dus: { code: string }[]; mayAnswer: boolean }) => [
        row.id,
        row.dus.map(({ code }) => code),
        row.mayAnswer,
      ]),
    ).toEqual([
      [shared.id, ["D-1"], false],
      [id, ["D-1"], true],
    ]);
    expect(
      await call("permit/answer", { id: shared.id, status: "approved", answeredOn: "2026-10-14", rowVersion: 1 }, owner),
    ).toMatchObject({ code: "DU_NOT_FOUND" });
  });
});

describe("permit/answer", () => {
  test("records the answer of the authority once, not of tomorrow", async () => {
    const { id } = await done(submit(await dus(1)));
    const answer = (more: object = {}) =>
      call("permit/answer", { id, status: "approved", answeredOn: "2026-10-14", remark: "until May", rowVersion: 1, ...more });
    expect(await answer({ answeredOn: "2026-10-15" })).toMatchObject({ status: 422, code: "ACTUAL_AFTER_TODAY" });
    expect(await answer({ rowVersion: 2 })).toMatchObject({ status: 409, code: "STALE" });
    expect(await answer({ id: 999_999 })).toMatchObject({ status: 404 });
    await done(answer());
    expect(await answer({ rowVersion: 2, status: "rejected" })).toMatchObject({ status: 422, code: "WRONG_STATUS" });
    const status = (value: string) => [{ field: "status", type: "eq", values: [value] }];
    expect(await list(status("approved"))).toEqual([
      expect.objectContaining({ id, answeredOn: "2026-10-14", remark: "until May", rowVersion: 2, mayAnswer: false }),
    ]);
    expect(await list(status("submitted"))).toEqual([]);
  });
});

describe("permit/list", () => {
  test("is narrowed by DU, kind and code", async () => {
    const [first, second] = await dus(2);
    await done(submit([first!]));
    await done(submit([second!], { kind: "power" }));
    const kinds = async (filter: object) => (await list([filter])).map(({ kind }: { kind: string }) => kind);
    expect(await kinds({ field: "duId", type: "in", values: [second] })).toEqual(["power"]);
    expect(await kinds({ field: "kind", type: "in", values: ["road"] })).toEqual(["road"]);
    expect(await kinds({ field: "search", type: "like", values: ["d-2"] })).toEqual(["power"]);
    expect(await list()).toHaveLength(2);
  });
});
