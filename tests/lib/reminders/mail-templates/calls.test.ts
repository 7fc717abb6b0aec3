import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { CtxUser } from "#lib/core/ctx.ts";
import { placeholders, templateBodyChars, templateKinds, templateSubjectChars } from "#lib/reminders/mail-templates/limits.ts";
import { renderTemplate } from "#lib/reminders/mail-templates/logic.ts";
import type { TemplateRow, TemplateSample } from "#lib/reminders/mail-templates/queries.ts";
import { callAs } from "../../../support/call.ts";
import { useDatabase } from "../../../support/database.ts";
import { makeMember, makeProject } from "../../../support/factories.ts";

const database = useDatabase();
let project: { id: number; number: string };
let pm: CtxUser;
let td: CtxUser;

beforeAll(async () => {
  project = await makeProject(database.owner);
  pm = await makeMember(database.owner, project.id, "PM");
  td = await makeMember(database.owner, project.id, "TD");
});
beforeEach(() => database.owner`delete from mail_template`);

const find = (user = pm, input: object = {}) =>
  callAs<{ templates: TemplateRow[]; samples: Record<string, TemplateSample> }>(user, "mailTemplate/find", input, {
    project: project.number,
  });
const words = { kind: "DIGEST", lang: "en", subject: "News of {project}", body: "Look:\n{table}", rowVersion: 0 };
const save = (input: object = {}, user = pm) =>
  callAs<TemplateRow>(user, "mailTemplate/save", { ...words, ...input }, { project: project.number });

describe("standard texts", () => {
  test("are there for every kind in three languages, with known placeholders, and render with the samples", async () => {
    const { data } = await find(td);
    expect(data?.templates).toHaveLength(templateKinds.length * 3);
    for (const { subject, body, lang, rowVersion } of data!.templates) {
      expect(rowVersion).toBe(0);
      const named = [...`${subject} ${body}`.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
      expect(named.filter((name) => !(placeholders as readonly string[]).includes(name))).toEqual([]);
      const { values, table, foot } = data!.samples[lang]!;
      const mail = renderTemplate({ subject, body }, values, { table, lang, foot, cut: () => "" });
      expect(mail.subject).toContain(project.number);
      expect(mail.html).toContain("NJ-0002");
      expect(mail.html).toContain(project.number);
    }
    expect((await find(pm, { kind: "RFI" })).data?.templates.map(({ kind }) => kind)).toEqual(["RFI", "RFI", "RFI"]);
  });
});

describe("own texts", () => {
  test("take the place of one kind in one language, and go again", async () => {
    expect(await save()).toMatchObject({ status: 200, data: { subject: words.subject, rowVersion: 1 } });
    const [own, others] = [(await find()).data!.templates.filter((row) => row.rowVersion > 0), (await find()).data!.templates];
    expect(own).toMatchObject([{ kind: "DIGEST", lang: "en", body: words.body }]);
    expect(others).toHaveLength(templateKinds.length * 3);
    expect(await save({ subject: "Newer", rowVersion: 1 })).toMatchObject({ data: { subject: "Newer", rowVersion: 2 } });
    expect(await save({ subject: "", body: "", rowVersion: 2 })).toMatchObject({ status: 200, data: { rowVersion: 0 } });
    expect(await database.owner`select 1 from mail_template`).toHaveLength(0);
  });

  test("are not saved over those of somebody else", async () => {
    await save();
    expect(await save({ subject: "Mine" })).toMatchObject({ status: 409, code: "STALE" });
    expect(await save({ subject: "Mine", rowVersion: 2 })).toMatchObject({ status: 409 });
    const both = await Promise.all([save({ lang: "ja" }), save({ lang: "ja" })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test.each([
    [{ subject: "x".repeat(templateSubjectChars) }, 200],
    [{ subject: "x".repeat(templateSubjectChars + 1) }, 400],
    [{ body: "x".repeat(templateBodyChars) }, 200],
    [{ body: "x".repeat(templateBodyChars + 1) }, 400],
    [{ subject: "" }, 400],
    [{ body: "" }, 400],
    [{ subject: "one\nBcc: two" }, 400],
    [{ kind: "OTHER" }, 400],
    [{ lang: "fr" }, 400],
  ])("%# answers as it should", async (input, status) => {
    expect((await save(input)).status).toBe(status);
  });

  test("need notice.edit", async () => {
    expect(await save({}, td)).toMatchObject({ status: 403 });
  });
});
