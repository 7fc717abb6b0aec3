import "server-only";
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import { change, database, getGateSql, getSql, type Sql, statementsLeft } from "#db/client.ts";
import { currentRole } from "#lib/access/logic.ts";
import { holds, type Membership, roleFingerprint } from "#lib/access/queries.ts";
import type { ErrorCode } from "#lib/errors.ts";
import { constraintErrors } from "#lib/errors.ts";
import type { PermissionCode } from "#lib/permissions.ts";
import { openProject, type Who } from "#lib/session/queries.ts";
import { readSwitch } from "#lib/settings/queries.ts";
import type { Declaration, ProjectDeclaration, ProjectNeed } from "./action.ts";
import { AuditSheet, writeAudit } from "./audit.ts";
import { projectToday } from "./clock.ts";
import type { Ctx, CtxProject, PersonCtx } from "./ctx.ts";
import { type Answer, AppError, type Problem } from "./error.ts";
import type { Locale } from "./locale.ts";
import { log, tagged } from "./log.ts";
import { tellCall } from "./metrics.ts";
import { pageSizeOnRequest } from "./page-sizes.ts";
import { countHit } from "./rate-limit.ts";
import { coversRow, makeScope } from "./scope.ts";
import { errorText } from "./texts.ts";
import { onTrustChange } from "./trust.ts";
import { zodProblems } from "./zod-problems.ts";

/** How a call arrived: what the door and the page know before any check. */
export type Caller = {
  who: Who | null;
  projectNumber: string | null;
  locale: Locale;
  requestId: string;
  ip: string | null;
  now: Date;
  signal?: AbortSignal | undefined;
};

/** Project and membership of a caller, asked for while what he sends is still on its way; not asked again by a call that comes in time. */
export type Entrance = { opened: ReturnType<typeof openProject>; until: number };

/** Calls that start background work, per person and minute. */
export const startsPerMinute = 60;

/** Rights that a changing call reads may be this much older than the end of what it brings. */
const entranceTrustMs = 250;

const membershipTrustMs = 30_000;
const known = new Map<string, Rights & { until: number }>();

/** Forgets rights and projects read before, so that the next call of this process reads them again. */
export function forgetRights(): void {
  known.clear();
}
onTrustChange(forgetRights);

/**
 * Runs a declared call through every step: who, project and membership, right, input, transaction, run, audit, answer.
 * Never throws: refusals and faults come back in the envelope.
 * @param raw input as the caller sent it, address parts already merged in
 * @param entrance what `openEntrance` gave for this call
 */
export async function runCall(declaration: Declaration, caller: Caller, raw: unknown, entrance: Entrance | null = null): Promise<Answer> {
  const begin = performance.now();
  return tagged({ requestId: caller.requestId }, async () => {
    const answer = await answerCall(declaration, caller, raw, entrance);
    tellCall(declaration, answer.status, performance.now() - begin);
    return answer;
  });
}

/**
 * Asks for project and membership of a changing call whose input is still to come. Nothing is refused by it: a refusal waits for its turn among the others, and is
 * forgotten where another comes before it. null where the call asks for none.
 */
export function openEntrance({ kind, needs }: Declaration, { who, projectNumber, now }: Caller): Entrance | null {
  if (kind === "read" || needs === "signedIn" || !who || !projectNumber) return null;
  const opened = openProject(getGateSql(), who, projectNumber, now);
  opened.catch(() => {});
  return { opened, until: performance.now() + entranceTrustMs };
}

async function answerCall(declaration: Declaration, caller: Caller, raw: unknown, entrance: Entrance | null): Promise<Answer> {
  try {
    const data = await pass(declaration, caller, raw, entrance);
    return { status: 200, data: data ?? {}, requestId: caller.requestId };
  } catch (error) {
    if (tripsOverZeroByte(error, raw)) return refusal(new AppError("INVALID_INPUT", { field: "U+0000" }), caller);
    if (error instanceof AppError && error.status === 403 && declaration.kind !== "read")
      await auditDenial(declaration, caller, error.code);
    return answerOf(error, caller);
  }
}

/** The envelope of a refusal or fault, in the caller's language; faults carry a request id and no inner text. */
export function answerOf(error: unknown, caller: Pick<Caller, "locale" | "requestId" | "signal">): Answer {
  const known = asAppError(error);
  if (!known) {
    // Nobody waits for the answer of a call whose caller has gone, be it in the middle of what he sent.
    if (caller.signal?.aborted) return refusal(new AppError("TIMEOUT"), caller);
    log.error({ requestId: caller.requestId, error }, "call failed");
    return refusal(new AppError("SYSTEM_FAILURE"), caller);
  }
  return refusal(known, caller);
}

function refusal(error: AppError, { locale, requestId }: Pick<Caller, "locale" | "requestId">): Answer {
  const answer: Answer = { status: error.status, code: error.code, msg: errorText(locale, error.code, error.params), requestId };
  if (error.problems.length > 0)
    answer.problems = error.problems.map((problem) => ({ ...problem, msg: errorText(locale, problem.code, problem.params) }));
  if (error.data !== undefined) answer.data = error.data;
  return answer;
}

type DatabaseFault = { code?: string; constraint_name?: string; cause?: unknown };

function databaseFault(error: unknown): DatabaseFault | null {
  for (let at = error as DatabaseFault | undefined; at && typeof at === "object"; at = at.cause as DatabaseFault | undefined)
    if (typeof at.code === "string" && /^[0-9A-Z]{5}$/.test(at.code)) return at;
  return null;
}

/** The database keeps no text with a zero byte; the fault is the caller's where he sent one. */
function tripsOverZeroByte(error: unknown, raw: unknown): boolean {
  const code = databaseFault(error)?.code;
  return (code === "22021" || code === "22P05") && JSON.stringify(raw ?? null).includes("\\u0000");
}

function asAppError(error: unknown): AppError | null {
  if (error instanceof AppError) return error;
  const fault = databaseFault(error);
  if (!fault) return null;
  const code = fault.constraint_name ? constraintErrors[fault.constraint_name] : undefined;
  if (code) return new AppError(code);
  if (fault.code === "57014") return new AppError("TIMEOUT");
  if (fault.code?.startsWith("08") || fault.code === "57P01" || fault.code === "57P03" || fault.code === "53300")
    return new AppError("SERVICE_ERROR");
  return null;
}

async function pass(declaration: Declaration, caller: Caller, raw: unknown, entrance: Entrance | null): Promise<unknown> {
  const { who } = caller;
  if (declaration.needs === "anyone") return declaration.run(parse(declaration.input, raw) as never);
  if (!who) throw new AppError("SIGNED_OUT");
  if (declaration.starts === "task") await countHit(getSql(), `starts:${who.user.id}`, startsPerMinute, caller.now);
  if (declaration.needs === "signedIn") {
    const input = parse(declaration.input, raw);
    return execute(declaration, caller, async (sql, sheet, hooks) => {
      const ctx = personCtx(sql, caller, who, sheet, hooks);
      return (declaration.run as (ctx: PersonCtx, input: unknown) => Promise<unknown>)(ctx, input);
    });
  }
  if (!caller.projectNumber) throw new AppError("PROJECT_REQUIRED");
  const { input, needs, kind, onClosed, ahead, run } = declaration as ProjectDeclaration;
  let parsed: { input: unknown } | undefined;
  const allow = ({ project, membership }: Rights): Admitted => {
    if (project.status === "closed" && kind !== "read" && !onClosed) throw new AppError("PROJECT_CLOSED");
    // A right that follows from the input needs the parsed input; otherwise nothing of the input is looked at before the right is shown.
    if (typeof needs !== "function") demand(membership, needs);
    parsed ??= { input: parse(input, raw) };
    if (typeof needs === "function") demand(membership, needs(parsed.input as never));
    return { project, membership, input: parsed.input };
  };
  const recent = ahead ? recentRights(caller, who, caller.projectNumber) : undefined;
  const admitting = admit(declaration, caller, who, caller.projectNumber, allow, entrance);
  // It waits for its turn below, behind a connection that may not come.
  admitting.catch(() => {});
  return execute(declaration, caller, async (sql, sheet, hooks, again) => {
    const runAs = ({ project, membership, input }: Admitted) =>
      run(projectCtx(sql, caller, who, project, membership, sheet, hooks), input as never);
    // Another attempt waits for the rights.
    if (again || !recent) return runAs(await admitting);
    return runAhead(recent, admitting, async () => runAs(allow(recent)));
  });
}

type Rights = { project: CtxProject; membership: Membership };
type Admitted = Rights & { input: unknown };

/** What a call ends with that began with rights which are others by now. */
class OldRights extends Error {}

/**
 * Runs a call with rights read a while ago, while those of now are read. What comes of it counts only where they are the same.
 * @throws what `admitting` refuses with; `OldRights` where they are others, whatever came of it
 */
async function runAhead(recent: Rights, admitting: Promise<Admitted>, run: () => Promise<unknown>): Promise<unknown> {
  const [outcome] = await Promise.allSettled([run()]);
  const { project, membership } = await admitting;
  if (!isDeepStrictEqual(project, recent.project) || !isDeepStrictEqual(membership, recent.membership)) throw new OldRights();
  if (outcome.status === "rejected") throw outcome.reason;
  return outcome.value;
}

/** Lets a caller into a project with what he brings, or refuses him. */
async function admit(
  { kind }: Declaration,
  caller: Caller,
  who: Who,
  number: string,
  allow: (rights: Rights) => Admitted,
  entrance: Entrance | null,
): Promise<Admitted> {
  const reads = kind === "read";
  const rights = await enter(caller, who, number, reads, entrance);
  // The beginning of the transaction leaves before the input, which may be large, is looked at.
  if (!reads) await statementsLeft();
  const admitted = allow(rights);
  await checkPageSize(rights.project, caller.now, admitted.input);
  return admitted;
}

function demand(membership: Membership, needs: ProjectNeed): void {
  if (needs === "member") return;
  const codes = (typeof needs === "string" ? [needs] : needs) as readonly PermissionCode[];
  if (!codes.some((code) => holds(membership, code))) throw new AppError("NO_PERMISSION", { right: codes.join(", ") });
}

function parse(schema: z.ZodType, raw: unknown): unknown {
  const parsed = schema.safeParse(raw ?? {});
  if (parsed.success) return parsed.data;
  const problems: Problem[] = zodProblems(parsed.error, raw);
  const first = problems[0];
  throw new AppError("INVALID_INPUT", { field: first?.path ?? "" }, problems);
}

/**
 * Project and membership of the caller, with the check that the roles are those of the time of entering.
 * A read may use rights up to half a minute old; a changing call reads them.
 */
async function enter(caller: Caller, who: Who, number: string, read: boolean, entrance: Entrance | null): Promise<Rights> {
  const cached = read ? recentRights(caller, who, number) : undefined;
  if (cached) return cached;
  const sql = getGateSql();
  const inTime = entrance !== null && performance.now() < entrance.until;
  const { project, membership, enteredAs } = await (inTime ? entrance.opened : openProject(sql, who, number, caller.now));
  if (who.sid) {
    const present = roleFingerprint(membership.roles);
    if ((enteredAs ?? (await enterAs(sql, who.sid, project.id, present, caller.now))) !== present) throw new AppError("ROLE_CHANGED");
  }
  if (known.size > 10_000) known.clear();
  known.set(keyOf(who, number), { project, membership, until: caller.now.getTime() + membershipTrustMs });
  return { project, membership };
}

const keyOf = ({ sid, tokenId }: Who, number: string) => `${sid ?? `token ${tokenId}`} ${number}`;

/** Rights read within the last half minute. */
function recentRights({ now }: Caller, who: Who, number: string): Rights | undefined {
  const read = known.get(keyOf(who, number));
  return read && read.until > now.getTime() ? read : undefined;
}

/** Notes with which roles a session enters a project for the first time; gives those of another call that came first. */
async function enterAs(sql: Sql, sid: string, projectId: number, roles: string, now: Date): Promise<string | undefined> {
  const [entered] = await sql<{ role_fp: string }[]>`
    insert into session_project as s (sid, project_id, role_fp, entered_at) values (${sid}, ${projectId}, ${roles}, ${now})
    on conflict (sid, project_id) do update set entered_at = s.entered_at returning role_fp`;
  return entered?.role_fp;
}

/** A list page of 500 rows is offered only where the project's switch says so. */
async function checkPageSize(project: CtxProject, now: Date, input: unknown): Promise<void> {
  const { page, size } = (input ?? {}) as { page?: unknown; size?: unknown };
  if (page === undefined || size !== pageSizeOnRequest || (await readSwitch({ project, now, sql: getGateSql() }, "page.rows500"))) return;
  throw new AppError("INVALID_INPUT", { field: "size" }, [{ path: "size", code: "VALUE_UNKNOWN", params: { field: "size" } }]);
}

/** @param again an attempt before was rolled back */
type Run = (sql: Sql, sheet: AuditSheet, hooks: (() => void | Promise<void>)[], again: boolean) => Promise<unknown>;

async function execute(declaration: Declaration, caller: Caller, run: Run): Promise<unknown> {
  const makeSheet = () => sheetOf(caller, declaration.address);
  if (declaration.kind === "read") return run(getSql(), makeSheet(), [], false);
  let faults = 0;
  for (let again = false; ; again = true) {
    const hooks: (() => void | Promise<void>)[] = [];
    try {
      let audited: Promise<void> | undefined;
      const result = await change(async (sql) => {
        const sheet = makeSheet();
        const given = await run(sql, sheet, hooks, again);
        if (process.env.MILEPOST_TEST === "1" && sheet.isEmpty) throw new Error(`${declaration.address} wrote no audit row`);
        if (sheet.entries.length > 0) {
          audited = sheet.write(sql);
          audited.catch(() => {});
          // The commit follows without waiting for the answer: where the audit fails the database turns it into a rollback, and the call fails below.
          await new Promise((sent) => setImmediate(sent));
        }
        return given;
      });
      await audited;
      for (const hook of hooks) await hook();
      return result;
    } catch (error) {
      if (error instanceof OldRights) continue;
      const code = databaseFault(error)?.code;
      if ((code === "40P01" || code === "40001") && faults++ === 0) continue;
      throw error;
    }
  }
}

/** An empty sheet for the audit lines of a caller. */
export function sheetOf({ now, who, ip, requestId }: Caller, address: string): AuditSheet {
  return new AuditSheet({ at: now, actorId: who?.user.id ?? null, ip, requestId, projectId: null, address });
}

function personCtx(sql: Sql, caller: Caller, who: Who, sheet: AuditSheet, hooks: (() => void | Promise<void>)[]): PersonCtx {
  return {
    user: who.user,
    project: null,
    projectNumber: caller.projectNumber,
    tx: database(sql),
    sql,
    now: caller.now,
    locale: caller.locale,
    requestId: caller.requestId,
    signal: caller.signal,
    sid: who.sid,
    tokenId: who.tokenId,
    ip: caller.ip,
    can: () => false,
    audit: (object, before, after, event) => sheet.add(object, before, after, event),
    auditFrom: (rows) => sheet.insert(sql, rows),
    afterCommit: (fn) => void hooks.push(fn),
  };
}

/** The context of a call or job in a project; only the gate and `openJob` make one. */
export function projectCtx(
  sql: Sql,
  caller: Pick<Caller, "now" | "locale" | "requestId" | "signal">,
  who: Pick<Who, "user" | "sid">,
  project: CtxProject,
  membership: Membership,
  sheet: AuditSheet,
  hooks: (() => void | Promise<void>)[],
): Ctx {
  sheet.setProject(project.id);
  return {
    user: {
      ...who.user,
      roles: membership.roles,
      currentRole: currentRole(membership.roles) ?? "",
      subcontractorId: membership.subcontractorId,
    },
    project,
    scope: makeScope(sql, project.id, who.user.id, membership),
    tx: database(sql),
    sql,
    now: caller.now,
    today: projectToday(caller.now, project.tzOffset),
    locale: caller.locale,
    requestId: caller.requestId,
    signal: caller.signal,
    sid: who.sid,
    can: (code, row) => (row ? coversRow(membership, who.user.id, code, row) : holds(membership, code)),
    audit: (object, before, after, event) => sheet.add(object, before, after, event),
    auditFrom: (rows) => sheet.insert(sql, rows),
    afterCommit: (fn) => void hooks.push(fn),
  };
}

const denials = new Map<string, number>();

async function auditDenial(declaration: Declaration, caller: Caller, code: ErrorCode): Promise<void> {
  const minute = Math.floor(caller.now.getTime() / 60_000);
  const key = createHash("sha256").update(`${caller.who?.user.id} ${code} ${declaration.address}`).digest("base64");
  if (denials.get(key) === minute) return;
  if (denials.size > 10_000) denials.clear();
  denials.set(key, minute);
  const sql = getSql();
  try {
    const [project] = caller.projectNumber
      ? await sql<{ id: number }[]>`select id from project where number = ${caller.projectNumber}`
      : [];
    await writeAudit(sql, [{ object: declaration.address, before: null, after: { code }, event: "permission_denied" }], {
      at: caller.now,
      actorId: caller.who?.user.id ?? null,
      ip: caller.ip,
      requestId: caller.requestId,
      projectId: project?.id ?? null,
      address: declaration.address,
    });
  } catch (error) {
    log.error({ requestId: caller.requestId, error }, "a denial could not be logged");
  }
}
