import type { Sql } from "#db/client.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { callAs } from "../../support/call.ts";
import { makeMember, makeProject, makeSubcontractor } from "../../support/factories.ts";
import { makeDus } from "../../support/plan-factories.ts";
import { done, makeScheduledFlow, type ScheduledFlow } from "../scheduling/make-scheduled.ts";

/** A project with a published version of three DUs, two of which belong to a company with a person in it. */
export type Distributed = {
  project: { id: number; number: string };
  pm: CtxUser;
  subcon: CtxUser;
  company: number;
  flow: ScheduledFlow;
  dus: number[];
  versionId: number;
};

const day = (date: string) => ({ plan_start: date, plan_end: date });

export async function makeDistributed(sql: Sql): Promise<Distributed> {
  const project = await makeProject(sql);
  const pm = await makeMember(sql, project.id, "PM");
  const subcon = await makeMember(sql, project.id, "SUBCON_PM");
  const company = await makeSubcontractor(sql, project.id, [subcon.id]);
  const flow = await makeScheduledFlow(sql, project.id, pm.id, "A* arrival 1\nB build 3 | A FS 0");
  const dus = await makeDus(
    sql,
    project.id,
    ["N-1", "N-2", "N-3"].map((code, at) => ({
      code,
      name: `North ${at + 1}`,
      subcontractorId: at < 2 ? company : null,
      plan: { 1: day("2026-10-20"), 2: day("2026-10-26") },
    })),
    flow,
  );
  const { version } = await done(
    callAs(pm, "rollout/release", { duIds: dus, versionName: "W42", skipSchedule: true, saveBaseline: false }, { project: project.number }),
  );
  return { project, pm, subcon, company, flow, dus, versionId: version.id };
}

/** Mails of a project, oldest first: "address kind". */
export async function mailsOf(
  sql: Sql,
  projectId: number,
): Promise<{ address: string; kind: string; subject: string; text: string; files: number }[]> {
  const rows = await sql<{ address: string; kind: string; subject: string; text: string; files: number }[]>`
    select m.to_address as address, m.kind, b.subject, b."text", cardinality(m.attachment_ids) as files
    from mail_outbox m join mail_body b on b.id = m.body_id where m.project_id = ${projectId} order by m.id`;
  return [...rows];
}
