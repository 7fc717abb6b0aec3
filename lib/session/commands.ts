import "server-only";
import { randomUUID } from "node:crypto";
import { getSql, type Sql } from "#db/client.ts";
import { roleFingerprint } from "#lib/access/queries.ts";
import { writeAudit } from "#lib/core/audit.ts";
import type { PersonCtx } from "#lib/core/ctx.ts";
import { AppError } from "#lib/core/error.ts";
import { asLocale } from "#lib/core/locale.ts";
import { log } from "#lib/core/log.ts";
import { countHit } from "#lib/core/rate-limit.ts";
import { newCsrfToken, newToken, verifyPassword } from "#lib/core/secrets.ts";
import { noteActivity } from "#lib/resources/presence/commands.ts";
import { recentProjects, sessionHours, settingBytes, signInPerMinute, tokenDays } from "./limits.ts";
import { type Bootstrap, findOwnProject, forgetSessions, openProject, reachProject, readBootstrap } from "./queries.ts";

/** Where a sign-in comes from. */
export type SignInFrame = { ip: string | null; now: Date; requestId: string };

const hours = (now: Date) => new Date(now.getTime() + sessionHours * 3_600_000);

/**
 * Checks account and password of a local account; null when they do not fit, the account is off, or a transnational agreement has ended.
 * Every attempt is counted against account and address, and audited.
 * @throws RATE_LIMIT
 */
export async function checkPassword(
  account: string,
  password: string,
  frame: SignInFrame,
): Promise<{ id: number; name: string; email: string } | null> {
  const sql = getSql();
  await countHit(sql, `sign-in:${account.toLowerCase().slice(0, 60)}`, signInPerMinute, frame.now);
  await countHit(sql, `sign-in-ip:${frame.ip ?? "-"}`, signInPerMinute * 6, frame.now);
  const [user] = await sql<{ id: number; name: string; email: string; password_hash: string | null; active: boolean; ended: boolean }[]>`
    select id, name, email, password_hash, active, coalesce(kind = 'subcontractor' and dpa_expires_on < ${frame.now.toISOString().slice(0, 10)}, false) as ended
    from app_user where lower(account) = ${account.trim().toLowerCase()}`;
  const fits = (await verifyPassword(password, user?.password_hash ?? null)) && user?.active && !user.ended;
  if (fits && user) return { id: user.id, name: user.name, email: user.email };
  await writeAudit(sql, [{ object: `account ${account.slice(0, 60)}`, before: null, after: null, event: "sign_in_failed" }], {
    at: frame.now,
    actorId: user?.id ?? null,
    ip: frame.ip,
    requestId: frame.requestId,
    projectId: null,
    address: "sign-in",
  });
  return null;
}

/** Opens a session for a person who has proved who he is; gives its id, which the signed cookie carries. */
export async function openSession(userId: number, frame: SignInFrame): Promise<string> {
  const sql = getSql();
  const sid = randomUUID();
  await sql`
    insert into user_session (sid, user_id, csrf_token, created_at, last_seen_at, expires_at, ip)
    values (${sid}, ${userId}, ${newCsrfToken()}, ${frame.now}, ${frame.now}, ${hours(frame.now)}, ${frame.ip})`;
  await noteActivity(sql, userId, frame.now);
  await writeAudit(sql, [{ object: `session ${sid}`, before: null, after: null, event: "sign_in" }], {
    at: frame.now,
    actorId: userId,
    ip: frame.ip,
    requestId: frame.requestId,
    projectId: null,
    address: "sign-in",
  });
  return sid;
}

/** Ends a session; a second call does nothing. */
export async function revokeSession(sid: string, now: Date): Promise<void> {
  const sql = getSql();
  const [row] = await sql<{ user_id: number }[]>`
    update user_session set revoked_at = ${now} where sid = ${sid} and revoked_at is null returning user_id`;
  forgetSessions();
  if (!row) return;
  await writeAudit(sql, [{ object: `session ${sid}`, before: null, after: null, event: "sign_out" }], {
    at: now,
    actorId: row.user_id,
    ip: null,
    requestId: null,
    projectId: null,
    address: "sign-out",
  });
}

/** Moves the end of the session eight hours ahead; gives the new end. */
export async function keepAlive(ctx: PersonCtx): Promise<{ expiresAt: string }> {
  const expiresAt = hours(ctx.now);
  if (ctx.sid)
    await ctx.sql`update user_session set expires_at = ${expiresAt}, last_seen_at = ${ctx.now} where sid = ${ctx.sid} and revoked_at is null`;
  return { expiresAt: expiresAt.toISOString() };
}

/** What an identity provider says of a person. */
export type ProviderProfile = {
  issuer: string;
  /** The provider's own name for the person, which never changes. */
  subject: string;
  /** Account name at the provider. */
  account: string | null;
  email: string | null;
  /** Whether the provider has made sure that the address is the person's. */
  emailVerified: boolean;
};

/**
 * The account of a person an identity provider vouches for, or null: unknown, off, its agreement ended, or linked to somebody else there.
 * At the first sign-in the account is found by its name, else by an address the provider has verified, and linked to the provider's subject;
 * from then on the subject alone counts, so that a renamed or reused name at the provider opens nobody else's account.
 */
export async function accountOfProvider(
  profile: ProviderProfile,
  frame: SignInFrame,
): Promise<{ id: number; name: string; email: string } | null> {
  const sql = getSql();
  const refuse = async (actorId: number | null) => {
    await writeAudit(
      sql,
      [{ object: `identity ${profile.subject}`, before: null, after: { issuer: profile.issuer }, event: "sign_in_failed" }],
      {
        at: frame.now,
        actorId,
        ip: frame.ip,
        requestId: frame.requestId,
        projectId: null,
        address: "sign-in",
      },
    );
    return null;
  };
  if (!profile.subject || profile.subject.length > 255) return refuse(null);
  const today = frame.now.toISOString().slice(0, 10);
  const address = profile.emailVerified ? profile.email?.trim().toLowerCase() || null : null;
  const [row] = await sql<{ id: number; name: string; email: string; fits: boolean; linked: boolean; elsewhere: boolean }[]>`
    select u.id, u.name, u.email, i.subject is not null as linked,
      exists (select 1 from user_identity o where o.issuer = ${profile.issuer} and o.user_id = u.id and o.subject <> ${profile.subject}) as elsewhere,
      u.active and not coalesce(u.kind = 'subcontractor' and u.dpa_expires_on < ${today}, false) as fits
    from app_user u left join user_identity i on i.user_id = u.id and i.issuer = ${profile.issuer} and i.subject = ${profile.subject}
    where i.subject is not null
      or (not exists (select 1 from user_identity k where k.issuer = ${profile.issuer} and k.subject = ${profile.subject})
        and (lower(u.account) = ${profile.account?.trim().toLowerCase() || null} or lower(u.email) = ${address}))
    order by i.subject is not null desc, lower(u.account) = ${profile.account?.trim().toLowerCase() ?? ""} desc, u.id limit 1`;
  if (!row?.fits || row.elsewhere) return refuse(row?.id ?? null);
  if (!row.linked) {
    const made = await sql`
      insert into user_identity (issuer, subject, user_id, linked_at) values (${profile.issuer}, ${profile.subject}, ${row.id}, ${frame.now})
      on conflict do nothing returning user_id`;
    // Somebody else was linked in the same moment.
    if (made.length === 0) return accountOfProvider(profile, frame);
    await writeAudit(
      sql,
      [{ object: `identity ${profile.subject}`, before: null, after: { issuer: profile.issuer }, event: "config_changed" }],
      {
        at: frame.now,
        actorId: row.id,
        ip: frame.ip,
        requestId: frame.requestId,
        projectId: null,
        address: "sign-in",
      },
    );
  }
  return { id: row.id, name: row.name, email: row.email };
}

/**
 * Makes an API token for an account; the token itself is given back once and kept as hash only.
 * @throws NOT_FOUND for an unknown account
 */
export async function createApiToken(sql: Sql, account: string, name: string, now: Date): Promise<string> {
  const [user] = await sql<{ id: number }[]>`select id from app_user where lower(account) = ${account.toLowerCase()} and active`;
  if (!user) throw new AppError("NOT_FOUND", { object: account });
  const { token, hash } = newToken();
  const expires = new Date(now.getTime() + tokenDays * 86_400_000);
  await sql`insert into api_token (user_id, name, hash, created_at, expires_at) values (${user.id}, ${name}, ${hash}, ${now}, ${expires})`;
  await writeAudit(sql, [{ object: `api token of ${account}`, before: null, after: { name, expires }, event: "config_changed" }], {
    at: now,
    actorId: user.id,
    ip: null,
    requestId: null,
    projectId: null,
    address: "token",
  });
  return token;
}

/**
 * Enters a project: checks it, remembers it as recent, takes the role fingerprint of the session anew and gives all the shell shows.
 * @throws NOT_AUTHORISED_FOR_PROJECT, NO_DATACENTER, CROSS_BORDER_CONFIRM, CROSS_BORDER_FORBIDDEN
 */
export async function enterProject(ctx: PersonCtx, number: string): Promise<Bootstrap> {
  const who = { user: ctx.user, sid: ctx.sid, tokenId: ctx.tokenId, csrfToken: null, expiresAt: ctx.now };
  const { project, membership } = await openProject(ctx.sql, who, number, ctx.now);
  let csrfToken: string | null = null;
  if (ctx.sid) {
    await ctx.sql`
      insert into session_project (sid, project_id, role_fp, entered_at) values (${ctx.sid}, ${project.id}, ${roleFingerprint(membership.roles)}, ${ctx.now})
      on conflict (sid, project_id) do update set role_fp = excluded.role_fp, entered_at = excluded.entered_at`;
    const [session] = await ctx.sql<{ csrf_token: string }[]>`select csrf_token from user_session where sid = ${ctx.sid}`;
    csrfToken = session?.csrf_token ?? null;
  }
  await ctx.sql`
    insert into user_recent_project (user_id, project_id, last_at) values (${ctx.user.id}, ${project.id}, ${ctx.now})
    on conflict (user_id, project_id) do update set last_at = excluded.last_at`;
  await ctx.sql`
    delete from user_recent_project where user_id = ${ctx.user.id} and project_id not in (
      select project_id from user_recent_project where user_id = ${ctx.user.id} order by last_at desc limit ${recentProjects})`;
  ctx.audit(`project ${number}`, null, null, "enter_project");
  return readBootstrap(ctx.sql, who, project, membership, ctx.now, ctx.locale, csrfToken);
}

/**
 * Records that the person has the approval a crossing of borders needs, for this session or API token and this project.
 * @throws what `reachProject` refuses with, CROSS_BORDER_INTERNAL
 */
export async function confirmCrossBorder(ctx: PersonCtx, number: string): Promise<Record<string, never>> {
  const { project } = await reachProject(ctx.sql, ctx, number, ctx.now);
  try {
    await ctx.sql`
      insert into cross_border_consent (sid, token_id, user_id, project_id, from_country, to_country, confirmed_at, ip)
      values (${ctx.sid}, ${ctx.sid ? null : ctx.tokenId}, ${ctx.user.id}, ${project.id}, ${ctx.user.country}, ${project.hostingCountry}, ${ctx.now}, ${ctx.ip})
      on conflict do nothing`;
  } catch (error) {
    log.error({ requestId: ctx.requestId, error: String(error) }, "a declaration of cross-border access cannot be kept");
    throw new AppError("CROSS_BORDER_INTERNAL");
  }
  ctx.audit(`project ${number}`, null, { from: ctx.user.country, to: project.hostingCountry }, "config_changed");
  return {};
}

/** Makes a project the one the root address opens. @throws NOT_FOUND for a project the person is no member of */
export async function setDefaultProject(ctx: PersonCtx, number: string): Promise<Record<string, never>> {
  const project = await findOwnProject(ctx.sql, ctx.user.id, number, ctx.now);
  if (!project) throw new AppError("NOT_FOUND", { object: number });
  const [row] = await ctx.sql<{ before: number | null }[]>`
    update app_user u set default_project_id = ${project.id} from (select default_project_id from app_user where id = ${ctx.user.id}) old
    where u.id = ${ctx.user.id} returning old.default_project_id as before`;
  ctx.audit("default project", row?.before ?? null, project.id);
  return {};
}

/**
 * Stores one setting of the person, replacing an existing value.
 * @param input.projectNumber of a project of the person that the setting is for; null = for all
 * @throws SETTING_TOO_LARGE above 64 KB
 * @throws NOT_FOUND where the person has no role in the project, or there is none
 */
export async function saveSetting(
  ctx: PersonCtx,
  input: { settingId: string; value: unknown; projectNumber: string | null },
): Promise<{ settingId: string }> {
  const text = JSON.stringify(input.value ?? null);
  if (Buffer.byteLength(text) > settingBytes) throw new AppError("SETTING_TOO_LARGE", { max: settingBytes });
  const project = input.projectNumber === null ? null : await findOwnProject(ctx.sql, ctx.user.id, input.projectNumber, ctx.now);
  if (input.projectNumber !== null && !project) throw new AppError("NOT_FOUND", { object: input.projectNumber });
  const projectId = project?.id ?? null;
  const [before] = await ctx.sql<{ value: unknown }[]>`
    select value from user_setting where user_id = ${ctx.user.id} and setting_id = ${input.settingId} and coalesce(project_id, 0) = coalesce(${projectId}::bigint, 0)`;
  await ctx.sql`
    insert into user_setting (user_id, setting_id, project_id, value, updated_at)
    values (${ctx.user.id}, ${input.settingId}, ${projectId}, ${text}::text::jsonb, ${ctx.now})
    on conflict (user_id, setting_id, coalesce(project_id, 0)) do update set value = excluded.value, updated_at = excluded.updated_at`;
  // Mails are written in the language the person has chosen last.
  if (input.settingId === "language" && typeof input.value === "string" && asLocale(input.value))
    await ctx.sql`update app_user set language = ${input.value} where id = ${ctx.user.id}`;
  ctx.audit(`setting ${input.settingId}`, before?.value ?? null, input.value ?? null);
  return { settingId: input.settingId };
}

/** Removes a setting of the person in every project. @throws NOT_FOUND */
export async function deleteSetting(ctx: PersonCtx, settingId: string): Promise<Record<string, never>> {
  const rows = await ctx.sql<
    { value: unknown }[]
  >`delete from user_setting where user_id = ${ctx.user.id} and setting_id = ${settingId} returning value`;
  if (rows.length === 0) throw new AppError("NOT_FOUND", { object: settingId });
  ctx.audit(`setting ${settingId}`, rows[0]?.value, null);
  return {};
}

/** Notes that the person does not want to be reminded of one notice again. */
export async function acknowledgeNotice(ctx: PersonCtx, noticeKey: string): Promise<Record<string, never>> {
  await ctx.sql`insert into notice_ack (user_id, notice_key, acked_at) values (${ctx.user.id}, ${noticeKey}, ${ctx.now}) on conflict do nothing`;
  ctx.audit(`notice ${noticeKey}`, null, "acknowledged");
  return {};
}

/** Has the person reminded again: of the named notices, or of all he has put aside. */
export async function resetNotices(ctx: PersonCtx, noticeKeys: readonly string[] | undefined): Promise<{ count: number }> {
  const rows = await ctx.sql`
    delete from notice_ack where user_id = ${ctx.user.id} ${noticeKeys ? ctx.sql`and notice_key = any(${noticeKeys as string[]})` : ctx.sql``} returning notice_key`;
  ctx.audit(
    "notices",
    rows.map((row) => row.notice_key),
    null,
  );
  return { count: rows.length };
}
