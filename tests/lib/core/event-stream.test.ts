import { afterEach, beforeAll, describe, expect, test } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { closeStreams, eventStream, type Listener, messageFor } from "#lib/core/event-stream.ts";
import { closeEvents, type LiveEvent, planNotice } from "#lib/core/events.ts";
import { forgetRights } from "#lib/core/gate.ts";
import { newToken } from "#lib/core/secrets.ts";
import { enqueueTask } from "#lib/core/task.ts";
import { notify } from "#lib/reminders/notices/commands.ts";
import { useDatabase } from "../../support/database.ts";
import { makeMember, makeProject } from "../../support/factories.ts";

const database = useDatabase();

describe("what a listener is told", () => {
  const listener: Listener = { userId: 1, projectId: 7, allTasks: false, plan: "named", runs: true };
  const task = (createdBy: number, projectId = 7): LiveEvent => ({
    kind: "task",
    change: { id: "t", projectId, createdBy, direction: "import", status: "running", progress: 5 },
  });
  const plan = (projectId = 7): LiveEvent => ({ kind: "plan", change: { projectId, seq: 9, duIds: [4, 5], actorId: 2 } });

  const notice = (userId: number, projectId = 7): LiveEvent => ({ kind: "notice", change: { projectId, userId } });

  test.each<[string, Partial<Listener>, LiveEvent, unknown]>([
    ["an own task", {}, task(1), { event: "task", data: { id: "t", direction: "import", status: "running", progress: 5, own: true } }],
    ["nothing of the task of another", {}, task(2), null],
    [
      "the task of another with task.viewAll",
      { allTasks: true },
      task(2),
      { event: "task", data: { id: "t", direction: "import", status: "running", progress: 5, own: false } },
    ],
    ["nothing of another project's task", { allTasks: true }, task(1, 8), null],
    [
      "the DUs of a plan change with the whole project in sight",
      {},
      plan(),
      { event: "plan", data: { seq: 9, duIds: [4, 5], own: false } },
    ],
    [
      "no DU of a plan change with a part of it in sight",
      { plan: "unnamed" },
      plan(),
      { event: "plan", data: { seq: 9, duIds: null, own: false } },
    ],
    ["nothing of a plan change without the right to see it", { plan: "none" }, plan(), null],
    ["nothing of another project's plan", {}, plan(8), null],
    ["that own notices changed", { plan: "none" }, notice(1), { event: "notice", data: {} }],
    ["nothing of the notices of another", { allTasks: true }, notice(2), null],
    ["nothing of own notices of another project", {}, notice(1, 8), null],
  ])("%s", (_, given, event, message) => {
    expect(messageFor({ ...listener, ...given }, event)).toEqual(message);
  });
});

describe("/api/events", () => {
  let project: { id: number; number: string };
  let creator: CtxUser;
  const opened: Response[] = [];
  const announce = async (sql: typeof database.app, change: { seq: number; duIds: number[]; actorId: number | null }) => {
    await sql`select ${planNotice(sql, { projectId: project.id, ...change })}`;
  };

  beforeAll(async () => {
    project = await makeProject(database.owner);
    creator = await makeMember(database.owner, project.id, "TL");
    return closeEvents;
  });
  afterEach(() => closeStreams());

  async function open(user: CtxUser | null, number = project.number): Promise<Response> {
    forgetRights();
    const headers: Record<string, string> = {};
    if (user) {
      const { token, hash } = newToken();
      await database.owner`insert into api_token (user_id, name, hash, created_at, expires_at) values (${user.id}, 'test', ${hash}, now(), now() + interval '1 day')`;
      headers.authorization = `Bearer ${token}`;
    }
    const response = await eventStream.GET(new Request(`http://localhost/api/events?projectNumber=${number}`, { headers }));
    opened.push(response);
    return response;
  }

  /** Reads the stream until it has said what is waited for, or has ended. */
  function reader(response: Response) {
    const source = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let said = "";
    return {
      said: () => said,
      until: async (part: string): Promise<string> => {
        while (!said.includes(part)) {
          const next = await source?.read();
          if (!next || next.done) return said;
          said += next.value;
        }
        return said;
      },
    };
  }

  const makeTask = (user: CtxUser) =>
    enqueueTask({ sql: database.app, project, user, now: new Date(), locale: "en", audit: () => {} } as never, {
      kind: "test.some",
      direction: "process",
      title: "x",
    });

  test("refuses the unknown and members of other projects", async () => {
    expect((await open(null)).status).toBe(401);
    expect((await open(await makeMember(database.owner, (await makeProject(database.owner)).id, "PM"))).status).toBe(403);
  });

  test("tells the creator of a task of its way, and a colleague nothing of it", async () => {
    const [own, others] = [reader(await open(creator)), reader(await open(await makeMember(database.owner, project.id, "TL")))];
    await Promise.all([own.until(": open"), others.until(": open")]);
    const id = await makeTask(creator);
    expect(await own.until(id)).toContain(`event: task\ndata: {"id":"${id}","direction":"process","status":"queued"`);
    await database.app`update task set status = 'running', progress = 63 where id = ${id}`;
    expect(await own.until('"progress":63')).toContain('"status":"running"');
    await announce(database.app, { seq: 41, duIds: [1, 2], actorId: creator.id });
    expect(await others.until('"seq":41')).not.toContain(id);
    expect(others.said()).toContain('"duIds":[1,2]');
  });

  test("tells of own notices as they come and as they are read", async () => {
    const own = reader(await open(creator));
    await own.until(": open");
    await notify({ sql: database.app, project, now: new Date() }, [creator.id], { kind: "workOrder.step", title: "work-orders.mail.open" });
    await own.until("event: notice");
    await database.app`update notice set read_at = now() where user_id = ${creator.id}`;
    expect(await own.until("event: notice\ndata: {}\n\nevent: notice")).toContain("event: notice\ndata: {}\n\nevent: notice");
  });

  test("names no DU to who sees a part of the project, and names none when there are too many", async () => {
    const part = reader(await open(await makeMember(database.owner, project.id, "SUBCON")));
    const whole = reader(await open(creator));
    await Promise.all([part.until(": open"), whole.until(": open")]);
    await announce(database.app, { seq: 50, duIds: [101, 102], actorId: null });
    expect(await part.until('"seq":50')).not.toMatch(/101|102/);
    await announce(database.app, {
      seq: 51,
      duIds: Array.from({ length: 10_000 }, (_, index) => index),
      actorId: null,
    });
    expect(await whole.until('"seq":51')).toContain('{"seq":51,"duIds":null,"own":false}');
  });

  test("a plan change that rolls back is never told", async () => {
    const heard = reader(await open(creator));
    await heard.until(": open");
    const rolledBack = database.app.begin(async (sql) => {
      await announce(sql as never, { seq: 60, duIds: [], actorId: null });
      throw new Error("no");
    });
    await expect(rolledBack).rejects.toThrow("no");
    await announce(database.app, { seq: 61, duIds: [], actorId: null });
    expect(await heard.until('"seq":61')).not.toContain('"seq":60');
  });

  test("the process ends its streams when it leaves, and a listener that goes is forgotten", async () => {
    const stays = reader(await open(creator));
    await stays.until(": open");
    const goes = await open(creator);
    await goes.body?.cancel();
    closeStreams();
    expect(await stays.until("never")).toContain(": open");
  });
});
