import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { runTask } from "#jobs/run-task.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { href } from "#lib/core/href.ts";
import { enqueueTask, type TaskDirection, taskKind } from "#lib/core/task.ts";
import { importKindNames, importKinds } from "#lib/imports/limits.ts";
import { mailTaskEnd } from "#lib/tasks/mails/commands.ts";
import { isMailed } from "#lib/tasks/mails/logic.ts";
import { clock, useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject } from "../../../support/factories.ts";

const database = useDatabase();
let project: { id: number; number: string };
let user: CtxUser;
const never = new AbortController().signal;

beforeAll(async () => {
  project = await makeProject(database.owner);
  user = await makeMember(database.owner, project.id, "PM");
  await database.owner`update app_user set language = 'en' where id = ${user.id}`;
});

/** A page of the person is open, or was closed long ago. */
async function present(here: boolean): Promise<void> {
  await database.owner`delete from user_session`;
  await database.owner`
    insert into user_session (sid, user_id, csrf_token, created_at, last_seen_at, expires_at)
    values (${randomUUID()}, ${user.id}, ${"x".repeat(43)}, now(), now() - make_interval(mins => ${here ? 1 : 7}), now() + interval '1 hour')`;
}

async function run(
  kind: string,
  work: () => void,
  params: object = {},
  title = "sites.xlsx",
  direction: TaskDirection = "import",
): Promise<string> {
  const ctx = { sql: database.app, project, user, now: clock, locale: "zh", audit: () => {} };
  const id = await enqueueTask(ctx as never, { kind, direction, title, params });
  const kinds = {
    [kind]: async () =>
      taskKind({
        params: z.any(),
        needs: "member" as const,
        run: async (job) => {
          await job.chunk(async (_ctx, tally) => {
            tally.done += 3;
          });
          work();
          return { message: { key: "imports.message.applied", args: { written: 3, rejected: 0 } } };
        },
      }),
  };
  await runTask(database.app, kinds, id, never);
  return id;
}

type Mail = { subject: string; text: string; html: string; toAddress: string; kind: string; lang: string };
const mails = (): Promise<Mail[]> => database.owner<Mail[]>`
  select b.subject, b.text, b.html, m.to_address as "toAddress", m.kind, m.lang from mail_outbox m join mail_body b on b.id = m.body_id order by m.id`;
const clear = () => database.owner`delete from mail_outbox`;

describe("the end of a task", () => {
  test.each([
    ["dus", "rollout-plan/sites"],
    ["plan", ""],
    ["reversePlan", "templates"],
  ])("of a checked plan file of the kind %s is mailed to who uploaded it, with its result and the way to go on [OPS-09, RTE-11]", async (kind, screen) => {
    await clear();
    await present(true);
    const id = await run("imports.preview", () => {}, { kind }, "<plan>.xlsx");
    const [mail] = await mails();
    expect(mail).toMatchObject({ toAddress: user.email, kind: "task.result", lang: "en" });
    expect(mail?.subject).toBe(`[${project.number}] Import: <plan>.xlsx: Succeeded`);
    expect(mail?.text).toContain("3 rows written, 0 rejected");
    expect(mail?.text).toContain(`/${[project.number, screen].filter(Boolean).join("/")}?import=${kind}&task=${id}`);
    expect(mail?.text).toContain(`/${project.number}/tasks/imports?id=${id}`);
    expect(mail?.html).toContain("&lt;plan&gt;.xlsx");
  });

  test("of an export leads to it among the exports [RTE-11]", async () => {
    await clear();
    await present(false);
    const id = await run("rolloutPlan.export", () => {}, {}, "plan.xlsx", "export");
    const [mail] = await mails();
    expect(mail?.text).toContain(`/${project.number}/tasks/exports?id=${id}`);
  });

  test.each(["dus", "plan", "reversePlan"])("of a plan file of the kind %s that could not be read is mailed too [OPS-09]", async (kind) => {
    await clear();
    await present(true);
    await run(
      "imports.preview",
      () => {
        throw new AppError("NO_DATA");
      },
      { kind },
    );
    const [mail] = await mails();
    expect(mail?.subject).toContain("Failed");
  });

  test.each(importKindNames)("of a checked file of the kind %s leads on to the screen that imports it", async (kind) => {
    await clear();
    await present(false);
    const id = await run("imports.preview", () => {}, { kind });
    const [mail] = await mails();
    expect(mail?.text).toContain(`${href(importKinds[kind].screen, { query: { import: kind, task: id } }, project.number)}\n`);
  });

  test("seen on an open page needs no mail; one whose person has left does", async () => {
    await clear();
    await present(true);
    await run("imports.apply", () => {});
    expect(await mails()).toEqual([]);
    await present(false);
    await run("imports.apply", () => {});
    expect(await mails()).toHaveLength(1);
  });

  test("is told once, whoever tells it again", async () => {
    await clear();
    await present(false);
    const id = await run("imports.apply", () => {});
    await mailTaskEnd(database.app, id, new Date());
    expect(await mails()).toHaveLength(1);
  });

  test("nobody is written to whose account is off", async () => {
    await clear();
    await database.owner`update app_user set active = false where id = ${user.id}`;
    await run("imports.preview", () => {}, { kind: "dus" });
    expect(await mails()).toEqual([]);
    await database.owner`update app_user set active = true where id = ${user.id}`;
  });
});

describe("a task is told by mail", () => {
  const startedAt = new Date(0);
  const at = (ms: number) => new Date(ms);
  test.each([
    ["after two minutes: not yet", { kind: "imports.apply", importKind: null, startedAt, finishedAt: at(120_000), left: false }, false],
    ["after more than two minutes", { kind: "imports.apply", importKind: null, startedAt, finishedAt: at(120_001), left: false }, true],
    ["when nobody waits for it", { kind: "rolloutPlan.export", importKind: null, startedAt, finishedAt: at(1), left: true }, true],
    [
      "a site file on an open page: not",
      { kind: "imports.preview", importKind: "sites", startedAt, finishedAt: at(1), left: false },
      false,
    ],
    [
      "one that never began and is watched: not",
      { kind: "imports.apply", importKind: null, startedAt: null, finishedAt: at(9e9), left: false },
      false,
    ],
  ])("%s", (_, task, expected) => expect(isMailed(task)).toBe(expected));
});
