import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { connect } from "#db/client.ts";
import { inlineRowsMax } from "#lib/reminders/findings/limits.ts";
import { fireReminders } from "#lib/reminders/firing/commands.ts";
import { useDatabase } from "../../../support/database.ts";
import { grantRole, makeMember, makeSubcontractor, makeUser } from "../../../support/factories.ts";
import { unsaidDus } from "../../../support/mail-words.ts";
import { makeDus, makeOwnerSet } from "../../../support/plan-factories.ts";
import { beijing, everyMorning, reminderCalls, useReminderProject } from "../make-reminders.ts";

const db = useDatabase();
const project = useReminderProject(db);
const { call, data, activity, group, tick, mails, fires, clear } = reminderCalls(db, project);

beforeEach(clear);

const install = 4;
const receivers = (userIds: number[], more: Record<string, unknown> = {}) => ({ userIds, ...more });
const makeRule = async (more: Record<string, unknown>, now?: Date) =>
  (await data(project.pm, "emailAuto/addAndEditRule", { name: `Rule ${Math.random()}`, ...everyMorning, ...more }, now)).id as number;
const makeDeviation = async (more: Record<string, unknown> = {}) =>
  (
    await data(project.pm, "emailRemind/save", {
      regionId: project.north,
      activityId: activity(install - 1),
      deviationDays: 3,
      roles: ["TL"],
      userIds: [project.pm.id],
      ...everyMorning,
      ...more,
    })
  ).saved[0].id as number;
/** DUs whose installation ends on the given days. */
const late = (days: (string | null)[], regionId = project.north, more: Record<string, unknown> = {}) =>
  makeDus(
    db.owner,
    project.id,
    days.map((day) => ({ regionId, ...more, plan: { [install]: { state: 1, ...(day ? { plan_end: day } : {}) } } })),
    project.flow,
  );
const at = (time: string) => beijing(`2026-10-14 ${time}`);
const removeDus = () => db.owner`update du set deleted_at = now() where project_id = ${project.id}`;
const morning = beijing("2026-10-15 08:00");

describe("a deviation reminder", () => {
  beforeEach(removeDus);

  it("lists what is late by its days and not done, once for everybody it names, in his language [REM-10]", async () => {
    // Today is the 15th: five days late, three, two; one without a plan date, one of another region.
    const [five, three, two] = await late(["2026-10-10", "2026-10-12", "2026-10-13", null]);
    await late(["2026-10-01"], project.south);
    const worker = await makeMember(db.owner, project.id, "DQA");
    await db.owner`update app_user set language = 'ja' where id = ${worker.id}`;
    const id = await makeDeviation({ groupIds: [await group("Crew", worker, project.pm)] });
    expect(await tick(beijing("2026-10-15 07:59"))).toBe(0);
    expect(await tick(morning)).toBe(3);
    const made = await mails();
    expect(made.map(({ userId, lang }) => [userId, lang])).toEqual(
      expect.arrayContaining([
        [project.pm.id, "en"],
        [project.lead.id, "en"],
        [worker.id, "ja"],
      ]),
    );
    const codes = await db.owner<
      { id: number; code: string }[]
    >`select id, code from du where id = any(${[five!, three!, two!]}::bigint[]) order by id`;
    expect(made[0]!.text).toContain(codes[0]!.code);
    expect(made[0]!.text).toContain(codes[1]!.code);
    expect(made[0]!.text).not.toContain(codes[2]!.code);
    expect(made[0]!.subject).toBe(`[${project.number}] Deviations from the plan in ${project.number} Project ${project.number}`);
    expect(await fires(id)).toEqual([{ kind: "DEVIATION", id, at: "2026-10-15 08:00", result: "SENT", rows: 2, mails: 3 }]);
    expect(await tick(morning)).toBe(0);
  });

  it("leaves out what is done, NA, closed or paused by a suspended order", async () => {
    const suspended = 5 << 10;
    await makeDus(
      db.owner,
      project.id,
      [
        { regionId: project.north, plan: { [install]: { state: 1, plan_end: "2026-10-01", actual_end: "2026-10-02" } } },
        { regionId: project.north, plan: { [install]: { state: 3, plan_end: "2026-10-01" } } },
        { regionId: project.north, plan: { [install]: { state: 1 | (1 << 6), plan_end: "2026-10-01" } } },
        { regionId: project.north, plan: { [install]: { state: 1 | suspended, plan_end: "2026-10-01" } } },
        { regionId: project.north, plan: { [install]: { state: 0, plan_end: "2026-10-01" } } },
      ],
      project.flow,
    );
    const id = await makeDeviation();
    expect(await tick(morning)).toBe(0);
    expect(await fires(id)).toMatchObject([{ result: "NOTHING", rows: 0 }]);
  });

  it("of the same morning comes in one mail with the others, a section for each", async () => {
    await late(["2026-10-01", "2026-10-14"]);
    await makeDeviation();
    await makeDeviation({ deviationDays: 1 });
    await makeDeviation({ deviationDays: 0, sendTime: "09:00" });
    expect(await tick(morning)).toBe(2);
    const [mail] = await mails();
    expect(mail!.text.match(/North · Install/g)).toHaveLength(2);
    expect(mail!.ruleId).toBeNull();
    expect(mail!.subject).toContain("Reminders of");
    expect(await tick(beijing("2026-10-15 09:00"))).toBe(2);
    expect((await mails()).at(-1)!.ruleId).not.toBeNull();
  });
});

describe("the words of a mail", () => {
  beforeEach(removeDus);
  afterAll(() => db.owner`delete from mail_template where project_id = ${project.id}`);
  const say = (kind: string, subject: string, body: string) =>
    data(project.pm, "mailTemplate/save", { kind, lang: "en", subject, body, rowVersion: 0 });

  it("are those the project has chosen: of the reminder where there is one, of the digest where there are several [REM-03]", async () => {
    await late(["2026-10-01"], project.north, { code: "WORDS-1" });
    await say("DEVIATION", "{activity} of {duCode}", "Dear all,\n{table}\nYours");
    await makeDeviation();
    expect(await tick(morning)).toBe(2);
    const [single] = await mails();
    expect(single!.subject).toBe(`[${project.number}] Install of WORDS-1`);
    expect(single!.text).toMatch(/Dear all,[\s\S]*WORDS-1[\s\S]*Yours/);
    await clear();
    await say("DIGEST", "Two of {project}", "{table}");
    await makeDeviation();
    await makeDeviation({ deviationDays: 1 });
    expect(await tick(morning)).toBe(2);
    const [both] = await mails();
    expect(both!.subject).toBe(`[${project.number}] Two of ${project.number} Project ${project.number}`);
    expect(both!.text).not.toContain("Dear all");
    await db.owner`delete from mail_template where project_id = ${project.id}`;
  });

  it("list the first 200 rows, and a workbook has all of them", async () => {
    const listed = async () =>
      (
        await db.owner<{ rows: string[][] | null; text: string }[]>`
          select b.rows, b."text" from mail_body b where exists (select from mail_outbox m where m.body_id = b.id and m.project_id = ${project.id}) limit 1`
      )[0]!;
    await late(Array(inlineRowsMax).fill("2026-10-01"));
    await makeDeviation();
    expect(await tick(morning)).toBe(2);
    expect((await listed()).rows).toBeNull();
    await clear();
    await late(["2026-09-30"]);
    await makeDeviation();
    expect(await tick(morning)).toBe(2);
    const { rows, text } = await listed();
    expect(rows).toHaveLength(inlineRowsMax + 2);
    expect(rows![1]!.slice(3)).toEqual(["Install", "2026-09-30", "15", "-"]);
    expect(text).toContain("1 more row is in the attached workbook.");
  });
});

describe("the receivers of a mail rule", () => {
  beforeEach(removeDus);

  it("are persons, the members of its groups and who holds its roles, each once [REM-09]", async () => {
    await late(["2026-10-01"]);
    const [person, worker, manager] = [
      await makeMember(db.owner, project.id, "TD"),
      await makeMember(db.owner, project.id, "COMMON_VIEW"),
      await makeMember(db.owner, project.id, "CM"),
    ];
    const told = async (given: object) => {
      await clear();
      await makeRule({ type: "ACT_DEVIATION", activityIds: [activity(install - 1)], deviationDays: 1, receivers: given });
      await tick(morning);
      return (await mails()).map(({ userId }) => userId).sort((a, b) => a! - b!);
    };
    const crew = await group("Night crew", worker, person);
    expect(await told({ userIds: [person.id] })).toEqual([person.id]);
    expect(await told({ groupIds: [crew] })).toEqual([person.id, worker.id]);
    expect(await told({ roles: ["CM"] })).toEqual([manager.id]);
    expect(await told({ userIds: [person.id], groupIds: [crew], roles: ["CM", "TD"] })).toEqual([person.id, worker.id, manager.id]);
  });
});

describe("what a receiver sees", () => {
  beforeEach(removeDus);

  it("are his own DUs: nothing of other companies, nothing at all for who has left; addresses see what the responsible person sees [REM-09]", async () => {
    const builder = await makeMember(db.owner, project.id, "SUBCON");
    const company = await makeSubcontractor(db.owner, project.id, [builder.id]);
    const [seen] = await late(["2026-10-01"], project.north, { subcontractorId: company, code: "SEEN-1" });
    await late(["2026-10-01"], project.north, { code: "HIDDEN-1" });
    expect(seen).toBeDefined();
    const gone = await makeMember(db.owner, project.id, "DQA");
    const id = await makeRule({
      type: "ACT_DEVIATION",
      activityIds: [activity(install - 1)],
      deviationDays: 1,
      receivers: receivers([builder.id, gone.id], { addresses: "boss@customer.com; Boss@Customer.com\n second@customer.com" }),
    });
    await db.owner`update project_member set valid_to = '2026-10-14' where user_id = ${gone.id}`;
    expect(await tick(morning)).toBe(3);
    const made = await mails();
    expect(made.map(({ address }) => address).sort()).toEqual([builder.email, "boss@customer.com", "second@customer.com"].sort());
    const own = made.find(({ userId }) => userId === builder.id)!;
    expect(own.text).toContain("SEEN-1");
    expect(`${own.text}${own.html}`).not.toContain("HIDDEN-1");
    expect(made.find(({ address }) => address === "boss@customer.com")!.text).toContain("HIDDEN-1");
    const [fire] = await db.owner<{ leftOut: unknown }[]>`select left_out as "leftOut" from rem_fire where rule_id = ${id}`;
    expect(fire!.leftOut).toEqual([{ who: gone.name, reason: "NO_ROLE" }]);
  });

  it("are the DUs of his company alone for a subcontractor's account, whatever role it holds; nothing once its agreement has ended [RES-45]", async () => {
    const chief = await makeUser(db.owner, { kind: "subcontractor" });
    await grantRole(db.owner, project.id, chief.id, "PM");
    const company = await makeSubcontractor(db.owner, project.id, [chief.id]);
    const [mine] = await late(["2026-10-01"], project.north, { subcontractorId: company, code: "SEEN-2" });
    const [given, foreign] = await late(["2026-10-01", "2026-10-01"], project.north, {});
    await db.owner`update du set code = case id when ${given!} then 'GIVEN-2' else 'HIDDEN-2' end where id = any(${[given!, foreign!]}::bigint[])`;
    const [zone] = await db.owner<{ id: number; key: string }[]>`
      insert into attribute (project_id, key, name, type) values (${project.id}, 'ZONE', 'Zone', 'TEXT') returning id, key`;
    await db.owner`update du set ext = '{"ZONE": "Z1"}' where id = ${given!}`;
    const rule = {
      type: "ACT_DEVIATION",
      activityIds: [activity(install - 1)],
      deviationDays: 1,
      receivers: receivers([chief.id]),
    };
    const told = async (day: string) => {
      await clear();
      await makeRule(rule);
      await makeRule({ ...rule, subject: "{duCode}", content: "{duCode} {table}" });
      await tick(beijing(`${day} 08:00`));
      const made = await mails();
      const all = made.map(({ subject, text, html }) => subject + text + html).join();
      return [made.length, ...["SEEN-2", "GIVEN-2", "HIDDEN-2"].map((code) => all.includes(code))];
    };
    expect(mine).toBeDefined();
    expect(await told("2026-10-15")).toEqual([2, true, false, false]);
    expect(await unsaidDus(db.owner, project.id)).toEqual({ told: expect.toSatisfy((count) => count > 0), unsaid: [] });
    await db.owner`insert into isolation (project_id, enabled, version, updated_at) values (${project.id}, true, 1, now()) on conflict (project_id) do update set enabled = true`;
    await db.owner`
      insert into isolation_detail (project_id, attribute_id, value, subcontractor_id, created_at) values (${project.id}, ${zone!.id}, 'Z1', ${company}, now())`;
    expect(await told("2026-10-16")).toEqual([2, true, true, false]);
    await db.owner`update subcontractor set dpa_required = true, dpa_expires = '2026-10-17' where id = ${company}`;
    expect(await told("2026-10-17")).toEqual([2, true, true, false]);
    expect(await told("2026-10-18")).toEqual([0, false, false, false]);
    await db.owner`update isolation set enabled = false where project_id = ${project.id}`;
  });

  it("is nothing more once the person who answers for the rule has left: it goes out of force", async () => {
    await late(["2026-10-01"]);
    const chief = await makeMember(db.owner, project.id, "PM");
    const { id } = await data(chief, "emailAuto/addAndEditRule", {
      name: "Of the chief",
      ...everyMorning,
      type: "ACT_DEVIATION",
      activityIds: [activity(install - 1)],
      deviationDays: 1,
      receivers: receivers([], { addresses: ["boss@customer.com"] }),
    });
    await db.owner`update project_member set valid_to = '2026-10-14' where user_id = ${chief.id}`;
    expect(await tick(morning)).toBe(0);
    const read = async () => (await db.owner`select status, disabled_reason as reason from mail_rule where id = ${id}`)[0];
    expect(await read()).toEqual({ status: "DISABLED", reason: "RESPONSIBLE_LEFT" });
    expect(await call(project.pm, "emailAuto/enable", { kind: "RULE", ids: [id] }, morning)).toMatchObject({
      code: "REMINDER_CANNOT_ENABLE",
    });
  });
});

describe("a rule about changes", () => {
  beforeEach(removeDus);
  const save = (duId: number, value: string | null, base: string | null, now: Date) =>
    data(project.pm, "rolloutPlan/save", { edits: [{ duId, activityId: activity(0), field: "planEnd", value, base }] }, now);
  const dates = (more: Record<string, unknown> = {}) => ({
    type: "CHANGE_ACT_DATE",
    activityIds: [activity(0)],
    dateFields: ["planEnd"],
    receivers: receivers([project.lead.id]),
    ...more,
  });

  it("tells the net change since it last told, with who made the last one", async () => {
    const [du] = await makeDus(db.owner, project.id, [{ regionId: project.north }], project.flow);
    await save(du!, "2026-11-01", null, beijing("2026-10-14 10:00"));
    const id = await makeRule(dates(), beijing("2026-10-14 11:00"));
    await save(du!, "2026-11-12", "2026-11-01", beijing("2026-10-14 12:00"));
    await save(du!, "2026-11-15", "2026-11-12", beijing("2026-10-14 13:00"));
    expect(await tick(morning)).toBe(1);
    const [mail] = await mails();
    expect(mail!.text).toContain(`Survey | Plan end | 2026-11-01 | 2026-11-15 | ${project.pm.name} · 2 changes`);
    await save(du!, "2026-11-20", "2026-11-15", beijing("2026-10-15 09:00"));
    await save(du!, "2026-11-15", "2026-11-20", beijing("2026-10-15 10:00"));
    expect(await tick(beijing("2026-10-16 08:00"))).toBe(0);
    expect((await fires(id)).map(({ result }) => result)).toEqual(["SENT", "NOTHING"]);
  });

  it("keeps what a missed morning did not tell for the next one", async () => {
    const [du] = await makeDus(db.owner, project.id, [{ regionId: project.north }], project.flow);
    const id = await makeRule(dates(), beijing("2026-10-14 11:00"));
    await save(du!, "2026-11-12", null, beijing("2026-10-14 12:00"));
    expect(await tick(beijing("2026-10-16 07:50"))).toBe(0);
    expect((await fires(id)).map(({ at, result }) => [at, result])).toEqual([["2026-10-15 08:00", "MISSED"]]);
    expect(await tick(beijing("2026-10-16 08:00"))).toBe(1);
  });

  it("does not flood who puts it into force again: changes of the meantime are not told", async () => {
    const [du] = await makeDus(db.owner, project.id, [{ regionId: project.north }], project.flow);
    const id = await makeRule(dates(), beijing("2026-10-14 11:00"));
    await data(project.pm, "emailAuto/disable", { kind: "RULE", ids: [id] });
    await save(du!, "2026-11-12", null, beijing("2026-10-14 12:00"));
    await data(project.pm, "emailAuto/enable", { kind: "RULE", ids: [id] }, beijing("2026-10-14 13:00"));
    expect(await tick(morning)).toBe(0);
  });

  it("sends at once five minutes after the first change, in a mail of its own, twelve times a day and then at full hours", async () => {
    const [du] = await makeDus(db.owner, project.id, [{ regionId: project.north }], project.flow);
    const id = await makeRule(dates({ frequency: { kind: "REALTIME" }, sendTime: null }), beijing("2026-10-14 11:00"));
    let day: string | null = null;
    const change = async (at: Date, value: string) => {
      await save(du!, value, day, at);
      day = value;
    };
    await change(beijing("2026-10-14 12:00"), "2026-11-12");
    expect(await tick(beijing("2026-10-14 12:04"))).toBe(0);
    await change(beijing("2026-10-14 12:04"), "2026-11-13");
    expect(await tick(beijing("2026-10-14 12:05"))).toBe(1);
    expect((await mails())[0]).toMatchObject({ kind: "mailRule", ruleId: id });
    for (let at = 1; at < 12; at++) {
      await change(beijing(`2026-10-14 13:${String(at * 2).padStart(2, "0")}`), `2026-12-${at + 10}`);
      expect(await tick(beijing(`2026-10-14 13:${String(at * 2 + 5).padStart(2, "0")}`))).toBe(1);
    }
    expect(await mails()).toHaveLength(12);
    await change(beijing("2026-10-14 13:40"), "2027-01-01");
    expect(await tick(beijing("2026-10-14 13:59"))).toBe(0);
    expect(await tick(beijing("2026-10-14 14:00"))).toBe(1);
  });

  it("holds back only whom it has written to twelve times: he gets at the full hour what the others got at once", async () => {
    const [du] = await makeDus(db.owner, project.id, [{ regionId: project.north }], project.flow);
    const rule = { name: "Held", ...everyMorning, ...dates({ frequency: { kind: "REALTIME" }, sendTime: null }) };
    const id = await makeRule(rule, beijing("2026-10-14 11:00"));
    const [body] = await db.owner<{ id: number }[]>`
      insert into mail_body (project_id, hash, subject, html, "text", created_at) values (${project.id}, ${"9".repeat(64)}, 'x', 'x', 'x', now()) returning id`;
    await db.owner`
      insert into mail_outbox (project_id, dedupe_key, kind, rule_id, to_user_id, to_address, lang, body_id, status, next_attempt_at, expires_at, created_at)
      select ${project.id}, 'held ' || n, 'mailRule', ${id}, ${project.lead.id}, ${project.lead.email}, 'en', ${body!.id}, 'SENT', ${at("13:20")}, ${at("13:20")}, ${at("13:20")}
      from generate_series(1, 12) n`;
    await data(
      project.pm,
      "emailAuto/addAndEditRule",
      { ...rule, id, rowVersion: 1, receivers: receivers([project.lead.id, project.pm.id]) },
      at("13:30"),
    );
    const told = async (time: string) => {
      const before = (await mails()).length;
      await tick(at(time));
      return (await mails()).slice(before).map(({ userId, text }) => [userId, text.match(/Plan end \| .*? \| \S+/)?.[0]]);
    };
    await save(du!, "2026-11-12", null, at("13:40"));
    expect(await told("13:45")).toEqual([[project.pm.id, "Plan end | - | 2026-11-12"]]);
    await save(du!, "2026-11-13", "2026-11-12", at("13:50"));
    expect(await told("13:55")).toEqual([[project.pm.id, "Plan end | 2026-11-12 | 2026-11-13"]]);
    // What is too young for anybody is not told at the full hour either.
    await save(du!, "2026-11-14", "2026-11-13", at("13:58"));
    expect(await told("13:59")).toEqual([]);
    expect(await told("14:00")).toEqual([[project.lead.id, "Plan end | - | 2026-11-13"]]);
    expect(await told("14:01")).toEqual([]);
    expect(await told("14:03")).toEqual([[project.pm.id, "Plan end | 2026-11-13 | 2026-11-14"]]);
    expect(await told("15:00")).toEqual([[project.lead.id, "Plan end | 2026-11-13 | 2026-11-14"]]);
    expect(await db.owner`select held, held_until from mail_rule where id = ${id}`).toEqual([{ held: {}, held_until: null }]);
  });

  it("leaves out what a receiver of his own DUs changed himself", async () => {
    const set = await makeOwnerSet(db.owner, project.id, [project.pm.id, project.lead.id]);
    const [du] = await makeDus(
      db.owner,
      project.id,
      [{ regionId: project.north, plan: { 1: { state: 1, plan_owner: set } } }],
      project.flow,
    );
    await makeDus(db.owner, project.id, [{ regionId: project.north }], project.flow);
    await makeRule(
      dates({ sendRange: "OWN", receivers: receivers([project.pm.id, project.lead.id, project.viewer.id]) }),
      beijing("2026-10-14 11:00"),
    );
    await save(du!, "2026-11-12", null, beijing("2026-10-14 12:00"));
    expect(await tick(morning)).toBe(1);
    expect((await mails())[0]!.userId).toBe(project.lead.id);
  });

  it("with words of its own is sent as typed, values filled in and escaped, to its copies too [REM-07]", async () => {
    const [du] = await makeDus(db.owner, project.id, [{ regionId: project.north, code: "DU-<1>", name: "A & B" }], project.flow);
    await makeRule(
      dates({
        subject: "{activity} of {duCode}\r\nBcc: x@y.zz",
        content: "Dear <all>,\n{duName} moved.\n{table}\nRegards",
        ccUserIds: [project.pm.id],
        mailTo: "fixed@customer.com",
        lang: "ja",
      }),
      beijing("2026-10-14 11:00"),
    );
    await save(du!, "2026-11-12", null, beijing("2026-10-14 12:00"));
    expect(await tick(morning)).toBe(3);
    const made = await mails();
    expect(made.map(({ address, cc }) => [address, cc])).toEqual(
      expect.arrayContaining([
        [project.lead.email, false],
        ["fixed@customer.com", false],
        [project.pm.email, true],
      ]),
    );
    // People read it in their language, addresses in that of the rule: what was typed stays, the headings follow.
    expect(made.find(({ address }) => address === "fixed@customer.com")).toMatchObject({
      lang: "ja",
      text: expect.stringContaining("アクティビティ"),
    });
    expect(made.find(({ address }) => address === project.pm.email)!.text).toContain("Changed by");
    expect(made[0]!.subject).toBe(`[${project.number}] Survey of DU-<1> Bcc: x@y.zz`);
    expect(made[0]!.html).toContain("Dear &lt;all&gt;");
    expect(made[0]!.html).toContain("A &amp; B moved.");
    expect(made[0]!.html).not.toContain("DU-<1>");
  });
});

describe("a rule about columns", () => {
  it("tells values as people read them, to nobody what is hidden from him; members of groups are asked when it is sent", async () => {
    await removeDus();
    const guest = await makeMember(db.owner, project.id, "CUSTOMER");
    await db.owner`update app_user set language = 'en' where id = ${guest.id}`;
    const attribute = async (key: string, type: string, visible: boolean) =>
      (
        await db.owner<{ id: number }[]>`
          insert into attribute (project_id, key, name, type, in_rollout_plan, visible_customer) values (${project.id}, ${key}, ${`Name ${key}`}, ${type}, true, ${visible})
          returning id`
      )[0]!.id;
    const [open, secret] = [await attribute("OPEN", "ENUM", true), await attribute("SECRET", "TEXT", false)];
    const [choice] = await db.owner<{ id: number }[]>`
      insert into attribute_enum (attribute_id, value, sort_no, active) values (${open}, 'Ready', 1, true) returning id`;
    const field = await group("Field");
    const [du] = await makeDus(db.owner, project.id, [{ code: "COL-1" }], project.flow);
    await makeRule(
      {
        type: "CHANGE_COL_VALUE",
        activityIds: [],
        attributeIds: [open, secret],
        receivers: receivers([guest.id], { groupIds: [field] }),
      },
      beijing("2026-10-14 11:00"),
    );
    await db.owner`
      insert into res_group_member (group_id, resource_id, project_id)
      select ${field}, id, project_id from resource where project_id = ${project.id} and user_id = ${project.lead.id}`;
    const edits = [
      { duId: du!, field: `a${open}`, value: choice!.id, base: null },
      { duId: du!, field: `a${secret}`, value: "top secret", base: null },
    ];
    const answer = await call(project.pm, "rolloutPlan/save", { edits }, beijing("2026-10-14 12:00"));
    expect(answer.data?.rejected ?? answer).toEqual([]);
    expect(await tick(morning)).toBe(2);
    const made = await mails();
    const textOf = (userId: number) => made.find((mail) => mail.userId === userId)!.text;
    expect(textOf(project.lead.id)).toContain("Name SECRET | - | top secret");
    expect(textOf(project.lead.id)).toContain("Name OPEN | - | Ready");
    expect(textOf(guest.id)).toContain("Ready");
    expect(textOf(guest.id)).not.toMatch(/SECRET|top secret/);
  });
});

describe("an actual-time reminder", () => {
  it("goes to the owners of the activities, each with his own, and to named receivers with all [REM-29]", async () => {
    await removeDus();
    const owner = await makeMember(db.owner, project.id, "DQA");
    const set = await makeOwnerSet(db.owner, project.id, [owner.id]);
    await makeDus(
      db.owner,
      project.id,
      [
        { code: "OWNED-1", plan: { 1: { state: 1, plan_end: "2026-10-10", plan_owner: set } } },
        { code: "OTHER-1", plan: { 1: { state: 1, plan_end: "2026-10-09" } } },
        { code: "EARLY-1", plan: { 1: { state: 1, plan_end: "2026-10-11", plan_owner: set } } },
      ],
      project.flow,
    );
    await data(project.pm, "emailAuto/addAndEditActualTimeRemind", {
      activityIds: [activity(0)],
      offsetDays: 5,
      ...everyMorning,
      receivers: receivers([project.lead.id]),
    });
    expect(await tick(morning)).toBe(2);
    const textOf = async (userId: number) => (await mails()).find((mail) => mail.userId === userId)!.text;
    expect(await textOf(owner.id)).toContain("OWNED-1");
    expect(await textOf(owner.id)).not.toMatch(/OTHER-1|EARLY-1/);
    expect(await textOf(project.lead.id)).toMatch(/OTHER-1[\s\S]*OWNED-1/);
  });
});

describe("exactly once", () => {
  beforeEach(removeDus);

  it("two workers and a clock that is put forward, back and stopped for an hour deal with each morning once", async () => {
    await late(["2026-10-01"]);
    const ids = [await makeDeviation(), await makeDeviation({ deviationDays: 1 })];
    const second = connect(db.url, 3);
    try {
      const both = (text: string) => Promise.all([tick(beijing(text)), fireReminders(second, beijing(text))]);
      let made = 0;
      const count = async (text: string) => {
        made += (await both(text)).reduce((sum, mailsMade) => sum + mailsMade, 0);
      };
      for (const minute of ["07:58", "07:59", "08:00", "08:01"]) await count(`2026-10-15 ${minute}`);
      expect(made).toBe(2);
      // An hour later by the project's clock, then back: nothing is sent again.
      await db.owner`update project set tz_offset_beijing = 1 where id = ${project.id}`;
      for (const minute of ["08:01", "08:30", "09:00"]) await count(`2026-10-15 ${minute}`);
      await db.owner`update project set tz_offset_beijing = -1 where id = ${project.id}`;
      for (const minute of ["08:30", "08:59", "09:00", "09:01"]) await count(`2026-10-15 ${minute}`);
      expect(made).toBe(2);
      // The next morning falls into an hour without a worker, under an offset that jumps over it.
      await db.owner`update project set tz_offset_beijing = 0 where id = ${project.id}`;
      await count("2026-10-16 07:30");
      await db.owner`update project set tz_offset_beijing = 1 where id = ${project.id}`;
      await count("2026-10-16 07:31");
      await count("2026-10-16 08:45");
      expect(made).toBe(4);
      for (const id of ids)
        expect((await fires(id)).map(({ at, result }) => [at, result])).toEqual([
          ["2026-10-15 08:00", "SENT"],
          ["2026-10-16 08:00", "SENT"],
        ]);
    } finally {
      await db.owner`update project set tz_offset_beijing = 0 where id = ${project.id}`;
      await second.end({ timeout: 1 });
    }
  });

  it("one that fails alone is an error; the others are sent, and its next time comes", async () => {
    await late(["2026-10-01"]);
    const good = await makeDeviation();
    const bad = await makeRule({
      type: "ACT_DEVIATION",
      activityIds: [activity(install - 1)],
      deviationDays: 1,
      receivers: receivers([project.lead.id]),
    });
    await db.owner`update mail_rule set receivers = '{"userIds": "broken"}' where id = ${bad}`;
    expect(await tick(morning)).toBe(2);
    expect(await fires()).toMatchObject([
      { id: good, result: "SENT" },
      { id: bad, result: "ERROR" },
    ]);
    expect(await tick(morning)).toBe(0);
  });

  it("one that follows changes and fails keeps nobody back and is tried again at the full hour", async () => {
    const [du] = await late(["2026-10-01"]);
    await makeDeviation();
    const bad = await makeRule(
      {
        type: "CHANGE_ACT_DATE",
        activityIds: [activity(0)],
        dateFields: ["planEnd"],
        receivers: receivers([project.lead.id]),
        frequency: { kind: "REALTIME" },
        sendTime: null,
      },
      beijing("2026-10-14 11:00"),
    );
    const edits = [{ duId: du!, activityId: activity(0), field: "planEnd", value: "2026-11-12", base: null }];
    await data(project.pm, "rolloutPlan/save", { edits }, beijing("2026-10-15 07:50"));
    await db.owner`update mail_rule set receivers = '{"userIds": "broken"}' where id = ${bad}`;
    expect(await tick(morning)).toBe(2);
    expect(await tick(beijing("2026-10-15 08:30"))).toBe(0);
    expect((await fires(bad)).map(({ result }) => result)).toEqual(["ERROR"]);
    await db.owner`update mail_rule set receivers = ${db.owner.json({ userIds: [project.lead.id], groupIds: [], roles: [], addresses: [] })} where id = ${bad}`;
    expect(await tick(beijing("2026-10-15 08:59"))).toBe(0);
    expect(await tick(beijing("2026-10-15 09:00"))).toBe(1);
  });

  it("whose validity is over goes out of force after its last time; closed projects send nothing", async () => {
    await late(["2026-10-01"]);
    const id = await makeDeviation({ validEnd: "2026-10-15T08:00" });
    await db.owner`update project set status = 'closed' where id = ${project.id}`;
    expect(await tick(morning)).toBe(0);
    await db.owner`update project set status = 'active' where id = ${project.id}`;
    expect(await tick(beijing("2026-10-15 08:01"))).toBe(2);
    expect(await tick(beijing("2026-10-15 08:02"))).toBe(0);
    expect((await db.owner`select status, disabled_reason as reason from deviation_remind where id = ${id}`)[0]).toEqual({
      status: "DISABLED",
      reason: "EXPIRED",
    });
  });

  it("names somebody who is no account of the project nowhere", async () => {
    const stranger = await makeUser(db.owner);
    expect(
      await call(project.pm, "emailAuto/addAndEditRule", {
        name: "Strange",
        ...everyMorning,
        type: "ACT_DEVIATION",
        activityIds: [activity(0)],
        deviationDays: 1,
        receivers: receivers([stranger.id]),
      }),
    ).toMatchObject({ status: 404, problems: [{ path: "receivers.userIds" }] });
  });
});
