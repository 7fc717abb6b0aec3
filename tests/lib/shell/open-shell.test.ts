import { beforeAll, describe, expect, it, vi } from "vitest";
import { openShell } from "#components/shell/open-shell.ts";
import { createApiToken } from "#lib/session/commands.ts";
import { useDatabase } from "../../support/database.ts";
import { makeMember, makeProject } from "../../support/factories.ts";

const page = vi.hoisted(() => ({ headers: new Headers() }));
vi.mock("next/headers", () => ({ headers: async () => page.headers, cookies: async () => ({ get: () => undefined }) }));

const db = useDatabase();

beforeAll(async () => {
  const project = await makeProject(db.app, { number: "SHELL" });
  const pm = await makeMember(db.app, project.id, "PM");
  page.headers.set("authorization", `Bearer ${await createApiToken(db.app, pm.account, "shell", new Date())}`);
});

describe("the shell of a project", () => {
  it("opens with the rights of the person; where they cannot be read it does not open, so that it shows none [PRM-06]", async () => {
    expect(await openShell("SHELL")).toMatchObject({ data: { permissions: { "flow.edit": true, "limit.edit": false } } });
    await db.owner`alter table role_permission rename to permission_away`;
    try {
      const opened = await openShell("SHELL");
      expect(Object.keys(opened)).toEqual(["refused"]);
      expect(opened).toMatchObject({ refused: { status: 500, code: "SYSTEM_FAILURE" } });
      expect(JSON.stringify(opened)).not.toContain("flow.edit");
    } finally {
      await db.owner`alter table permission_away rename to role_permission`;
    }
  });

  it("knows whether lists may offer pages of 500 rows, which they may not until it is set [OPS-07]", async () => {
    const offered = async () => {
      const opened = await openShell("SHELL");
      return "data" in opened && opened.data.switches["page.rows500"] === "Y";
    };
    expect(await offered()).toBe(false);
    await db.owner`
      insert into project_switch (project_id, key, value, effective_at, updated_at)
      select id, 'page.rows500', 'Y', now(), now() from project where number = 'SHELL'`;
    expect(await offered()).toBe(true);
  });

  it("does not open for a number that is no project's: the refusal says so [SES-22]", async () => {
    for (const number of ["a b!", "api", "x".repeat(41)])
      expect(await openShell(number)).toMatchObject({ refused: { status: 403, code: "PROJECT_INVALID" } });
  });
});
