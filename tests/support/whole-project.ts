import { randomUUID } from "node:crypto";
import type { Sql } from "#db/client.ts";
import type { CtxUser } from "#lib/core/ctx.ts";
import { grantRole, makeMember, makeProject, makeResource, makeUser } from "./factories.ts";

/** Mark in every text of a project that nobody else may ever read. */
export const secret = "SECRET-OF-THE-OTHER";

/** A project with one row of everything, all texts marked, and the ids a stranger might try. */
export type WholeProject = { id: number; number: string; pm: CtxUser; numbers: Record<string, number>; keys: Record<string, string> };

/** Makes a project that holds one of each kind of row, so that loops over all calls have something to find. */
export async function makeWholeProject(sql: Sql, mark = secret): Promise<WholeProject> {
  const project = await makeProject(sql, { name: mark });
  const pm = await makeMember(sql, project.id, "PM");
  await grantRole(sql, project.id, pm.id, "PD");
  const [region] = await sql<{ id: number }[]>`insert into delivery_region (project_id, name) values (${project.id}, ${mark}) returning id`;
  const [site] = await sql<{ id: number }[]>`
    insert into customer_site (project_id, code, name) values (${project.id}, ${mark}, ${mark}) returning id`;
  const [du] = await sql<{ id: number }[]>`
    insert into du (project_id, code, name, site_id, region_id, ext) values (${project.id}, ${mark}, ${mark}, ${site!.id}, ${region!.id}, ${sql.json({ a1: mark })}) returning id`;
  const [attribute] = await sql<{ id: number }[]>`
    insert into attribute (project_id, key, name, type, in_rollout_plan) values (${project.id}, 'a1', ${mark}, 'TEXT', true) returning id`;
  const [duTab] = await sql<{ id: number }[]>`
    insert into du_tab (project_id, name, key_mode, created_at, updated_at) values (${project.id}, ${mark}, 'SN', now(), now()) returning id`;
  const [tabRow] = await sql<{ id: number }[]>`
    insert into du_tab_row (project_id, tab_id, du_id, key_mode, sn, data, created_at, updated_at)
    values (${project.id}, ${duTab!.id}, ${du!.id}, 'SN', ${mark}, ${sql.json({ a1: mark })}, now(), now()) returning id`;
  await sql`insert into du_tab_user (project_id, tab_id, user_id, mode) values (${project.id}, ${duTab!.id}, ${pm.id}, 'RW')`;
  await sql`
    insert into du_tab_history (project_id, tab_id, row_id, du_id, changes, user_id, at, source)
    values (${project.id}, ${duTab!.id}, ${tabRow!.id}, ${du!.id}, ${sql.json({ sn: [null, mark] })}, ${pm.id}, now(), 'UI')`;
  await sql`
    insert into du_tab_export values (${randomUUID()}, ${project.id}, ${duTab!.id}, ${pm.id}, now(), ${mark}, 1)`;
  const [lookup] = await sql<{ id: number }[]>`
    insert into lookup_list (project_id, code, updated_at) values (${project.id}, ${mark}, now()) returning id`;
  await sql`insert into lookup_value (list_id, value) values (${lookup!.id}, ${mark})`;
  const [choice] = await sql<
    { id: number }[]
  >`insert into attribute_enum (attribute_id, value) values (${attribute!.id}, ${mark}) returning id`;
  await sql`insert into attribute_user values (${attribute!.id}, ${pm.id}, 'RW')`;
  const [permission] = await sql<{ id: number }[]>`
    insert into attribute_permission (project_id, subject_type, role, entries, updated_at)
    values (${project.id}, 'ROLE', 'TL', ${sql.json([{ attributeId: "*", mode: "RO" }])}, now()) returning id`;
  await sql`insert into attribute_add_grant (project_id, subject_type, user_id) values (${project.id}, 'ACCOUNT', ${pm.id})`;
  const [activity] = await sql<{ id: number }[]>`
    insert into activity_library (project_id, slot, code, name) values (${project.id}, 1, ${mark}, ${mark}) returning id`;
  const [flow] = await sql<{ id: number }[]>`
    insert into activity_flow (project_id, name, description, status, version, owner_id, created_by, created_at, updated_by, updated_at)
    values (${project.id}, ${mark}, ${mark}, 'released', 1, ${pm.id}, ${pm.id}, now(), ${pm.id}, now()) returning id`;
  const [draft] = await sql<{ id: number }[]>`
    insert into activity_flow (project_id, name, status, version, owner_id, created_by, created_at, updated_by, updated_at)
    values (${project.id}, ${`${mark} draft`}, 'draft', 0, ${pm.id}, ${pm.id}, now(), ${pm.id}, now()) returning id`;
  const [node] = await sql<{ id: number }[]>`
    insert into flow_activity (flow_id, activity_id, name, seq, is_anchor) values (${flow!.id}, ${activity!.id}, ${mark}, 1, true) returning id`;
  await sql`insert into du_flow (project_id, du_id, flow_id, flow_version, source, bound_at) values (${project.id}, ${du!.id}, ${flow!.id}, 1, 'manual', now())`;
  const [owners] = await sql<
    { id: number }[]
  >`insert into owner_set (project_id, user_ids) values (${project.id}, ${[pm.id]}) returning id`;
  await sql`
    insert into du_plan (du_id, project_id, plan_start, plan_end, state, plan_owner, applicable_count, next_plan_end, last_plan_end)
    values (${du!.id}, ${project.id}, '{9783}', '{9785}', '{1}', ${sql.unsafe(`'{${owners!.id}}'`)}, 1, 9785, 9785)`;
  const [batch] = await sql<{ id: number }[]>`
    insert into plan_batch (project_id, seq, at, actor_id, source, reason, du_count, cell_count)
    values (${project.id}, 1, now(), ${pm.id}, 'grid', ${mark}, 1, 1) returning id`;
  await sql`insert into plan_log (du_id, batch_id, project_id, at, flow_id, cells, old, new)
    values (${du!.id}, ${batch!.id}, ${project.id}, now(), ${flow!.id}, '{18}', '{0}', '{9785}')`;
  await sql`update plan_seq set seq = 1 where project_id = ${project.id}`;
  const [order] = await sql<{ id: number }[]>`
    insert into work_order (project_id, number, du_id, slot, status, assignee_id) values (${project.id}, 1, ${du!.id}, 1, 'completed', ${pm.id}) returning id`;
  await sql`
    insert into work_order_event (project_id, work_order_id, number, du_id, slot, event, from_status, to_status, actor_id, reason, at)
    values (${project.id}, ${order!.id}, 1, ${du!.id}, 1, 'enterEnd', 'scheduled', 'completed', ${pm.id}, ${mark}, now())`;
  const [request] = await sql<{ id: number }[]>`
    insert into na_request (project_id, number, du_id, slot, kind, reason, applicant_id, flow_no, status, created_at)
    select ${project.id}, 1, ${du!.id}, 1, 'NA', ${mark}, id, ${mark}, 'approving', now() from app_user where id = ${pm.id} returning id`;
  const keys = { task: randomUUID(), file: randomUUID(), query: randomUUID(), preview: randomUUID(), view: randomUUID() };
  await sql`
    insert into file_object (id, project_id, name, size, mime, sha256, created_by, created_at)
    values (${keys.file}, ${project.id}, ${`${mark}.xlsx`}, 1, 'application/octet-stream', ${"0".repeat(64)}, ${pm.id}, now())`;
  await sql`
    insert into task (id, project_id, kind, direction, title, status, input_file_id, result_file_id, created_by, created_at)
    values (${keys.task}, ${project.id}, 'dus', 'import', ${mark}, 'succeeded', ${keys.file}, ${keys.file}, ${pm.id}, now())`;
  await sql`
    insert into plan_query (id, user_id, project_id, fingerprint, query, du_ids, total, seq, expires_at)
    values (${keys.query}, ${pm.id}, ${project.id}, ${"0".repeat(64)}, '{}', ${[du!.id]}, 1, 1, now() + interval '1 year')`;
  await sql`
    insert into schedule_preview (id, project_id, user_id, params, result, expires_at)
    values (${keys.preview}, ${project.id}, ${pm.id}, '{}', '', now() + interval '1 year')`;
  const [calendar] = await sql<{ id: number }[]>`insert into work_calendar (project_id, name) values (${project.id}, ${mark}) returning id`;
  const [body] = await sql<{ id: number }[]>`
    insert into mail_body (project_id, hash, subject, html, "text", created_at) values (${project.id}, ${"0".repeat(64)}, ${mark}, ${mark}, ${mark}, now()) returning id`;
  const [mail] = await sql<{ id: number }[]>`
    insert into mail_outbox (project_id, dedupe_key, kind, to_user_id, to_address, lang, body_id, status, message_id, next_attempt_at, expires_at, created_at)
    values (${project.id}, ${`${project.id}`.padStart(64, "0")}, 'task.result', ${pm.id}, ${`${mark}@example.com`}, 'en', ${body!.id}, 'FAILED', 'x', now(), now(), now()) returning id`;
  const [optout] = await sql<{ id: number }[]>`
    insert into mail_optout (project_id, kind, address, created_at) values (${project.id}, 'reminder', ${`${mark}@example.com`}, now()) returning id`;
  await sql`insert into rem_setting (project_id, sender_name, default_send_time) values (${project.id}, ${mark}, '08:00')`;
  await sql`insert into mail_template (project_id, kind, lang, subject, body) values (${project.id}, 'DIGEST', 'en', ${mark}, ${mark})`;
  const [notice] = await sql<{ id: number }[]>`
    insert into notice (project_id, user_id, kind, title, params, body, link, created_at)
    values (${project.id}, ${pm.id}, 'mail.failed', ${mark}, '{}', ${mark}, ${mark}, now()) returning id`;
  const [job] = await sql<{ id: number }[]>`
    insert into copy_job (project_id, source_du_id, attribute_ids, also_bind, overwrite, created_by, created_at)
    values (${project.id}, ${du!.id}, ${[attribute!.id]}, false, false, ${pm.id}, now()) returning id`;
  await sql`
    insert into copy_job_item (job_id, target_code, target_du_id, progress, code, detail) values (${job!.id}, ${mark}, ${du!.id}, 'failed', 1004, ${mark})`;
  const [version] = await sql<{ id: number }[]>`
    insert into plan_version (project_id, plan_id, kind, name, code, scope, in_force, du_count, activity_count, slot_count, source, remark, created_by, created_at)
    select ${project.id}, id, 'baseline', ${mark}, 'B-0001', 'selection', true, 1, 1, 1, 'manual', ${mark}, ${pm.id}, now()
    from rollout_plan where project_id = ${project.id} returning id`;
  await sql`
    insert into plan_version_row (version_id, project_id, du_id, du_code, du_name, flow_id, plan_start, plan_end, state)
    values (${version!.id}, ${project.id}, ${du!.id}, ${mark}, ${mark}, ${flow!.id}, '{9783}', '{9785}', '{1}')`;
  const [distribution] = await sql<{ id: number }[]>`
    insert into plan_distribution (project_id, version_id, recipient_user_id, filters, du_ids, activity_count, message, lang, sent_by, sent_at)
    values (${project.id}, ${version!.id}, ${pm.id}, '[]', ${[du!.id]}, 1, ${mark}, 'en', ${pm.id}, now()) returning id`;
  const [feedback] = await sql<{ id: number }[]>`
    insert into plan_feedback (project_id, distribution_id, raw_du, raw_activity, remark, du_id, slot, mapping, late, submitted_by, submitted_at)
    values (${project.id}, ${distribution!.id}, ${mark}, ${mark}, ${mark}, ${du!.id}, 1, 'mapped', false, ${pm.id}, now()) returning id`;
  await sql`insert into feedback_mapping (project_id, kind, raw_text, du_id) values (${project.id}, 'du', ${mark}, ${du!.id})`;
  const [second] = await sql<{ id: number }[]>`
    insert into du (project_id, code, name, site_id) values (${project.id}, ${`${mark} second`}, ${mark}, ${site!.id}) returning id`;
  await sql`insert into du_plan (du_id, project_id) values (${second!.id}, ${project.id})`;
  await sql`
    insert into special_plan (project_id, site_id, du_a_id, du_b_id, activity_id, joint_date, rfc_number)
    values (${project.id}, ${site!.id}, ${du!.id}, ${second!.id}, ${activity!.id}, '2026-10-14', ${mark})`;
  const [permit] = await sql<{ id: number }[]>`
    insert into permit_application (project_id, du_ids, kind, reason, applicant_id, created_at)
    values (${project.id}, ${[du!.id]}, 'road', ${mark}, ${pm.id}, now()) returning id`;
  const [template] = await sql<{ id: number }[]>`
    insert into template (project_id, kind, object_type, grid_key, name, remark, is_public, owner_id, body, updated_at)
    values (${project.id}, 'grid', 'project', 'plan', ${mark}, ${mark}, true, ${pm.id}, ${sql.json({ columns: [{ key: mark }] })}, now()) returning id`;
  await sql`insert into template_default (user_id, project_id, grid_key, kind, template_id) values (${pm.id}, ${project.id}, 'plan', 'grid', ${template!.id})`;
  await sql`insert into column_position (project_id, user_id, grid_key, columns) values (${project.id}, ${pm.id}, 'plan', ${sql.json([{ key: mark }])})`;
  await sql`insert into saved_view (id, project_id, owner_id, name, state, shared) values (${keys.view}, ${project.id}, ${pm.id}, ${mark}, ${sql.json({ mark })}, true)`;
  const [subFlow] = await sql<{ id: number }[]>`insert into sub_flow (project_id, name) values (${project.id}, ${mark}) returning id`;
  const [step] = await sql<{ id: number }[]>`
    insert into sub_flow_step (sub_flow_id, name, seq) values (${subFlow!.id}, ${mark}, 1) returning id`;
  await sql`
    insert into du_sub_step (project_id, du_id, slot, step_id, done_on, done_by)
    values (${project.id}, ${du!.id}, 1, ${step!.id}, '2026-10-01', ${pm.id})`;
  await sql`update flow_activity set sub_flow_id = ${subFlow!.id} where id = ${node!.id}`;
  const [rule] = await sql<{ id: number }[]>`
    insert into du_flow_rule (project_id, name, flow_id, region_id, priority, conditions, status, invalid_reason, created_by, created_at, updated_by, updated_at)
    values (${project.id}, ${mark}, ${flow!.id}, ${region!.id}, 1, '[]', 'invalid', 'DISABLED', ${pm.id}, now(), ${pm.id}, now()) returning id`;
  const [ownerRule] = await sql<{ id: number }[]>`
    insert into owner_rule (project_id, name, sort_no, flow_ids, flow_text, owner_fields, fill_mode, fill_value, description, invalid_reason,
      created_by, created_at, updated_by, updated_at)
    values (${project.id}, ${mark}, 1, ${[flow!.id]}, ${mark}, '{PLAN_OWNER}', 'FIXED', ${sql.json({ userIds: [pm.id] })}, ${mark}, 'DISABLED',
      ${pm.id}, now(), ${pm.id}, now()) returning id`;
  await sql`
    insert into owner_rule_condition (rule_id, seq, project_id, attribute_id, type, operator, values)
    values (${ownerRule!.id}, 1, ${project.id}, ${attribute!.id}, 'text', 'EQ', ${sql.json([mark])})`;
  await sql`insert into du_flow_unmatched (du_id, project_id, reason, at) values (${du!.id}, ${project.id}, 'NO_RULE', now())`;
  const [run] = await sql<{ id: number }[]>`
    insert into du_flow_run (project_id, mode, rule_ids, started_by, started_at, finished_at, rules)
    values (${project.id}, 'manual', ${[rule!.id]}, ${pm.id}, now(), now(), ${sql.json([{ id: rule!.id, name: mark, bound: 1 }])}) returning id`;
  const [planRule] = await sql<{ id: number }[]>`
    insert into plan_rule (project_id, name, rule_type, flow_id, region_ids, invalid_reason, sort_no, description, created_by, created_at, updated_by, updated_at)
    values (${project.id}, ${mark}, 'ACT_TO_ACT', ${flow!.id}, ${[region!.id]}, 'DISABLED', 1, ${mark}, ${pm.id}, now(), ${pm.id}, now()) returning id`;
  await sql`
    insert into plan_rule_condition (rule_id, project_id, seq, object, object_type, operator, "values")
    values (${planRule!.id}, ${project.id}, 1, '{"k":"DU","f":"code"}', 'text', 'eq', ${sql.json([mark])})`;
  const planEnd = { k: "ACT", a: activity!.id, f: "PLAN_END" };
  await sql`
    insert into plan_rule_action (rule_id, project_id, seq, sources, target)
    values (${planRule!.id}, ${project.id}, 1, ${sql.json([{ ...planEnd, f: "ACTUAL_END" }])}, ${sql.json(planEnd)})`;
  const [ruleRun] = await sql<{ id: number }[]>`
    insert into rule_run (project_id, mode, kind, rule_ids, targets, status, started_by, started_at, finished_at, changed_count)
    values (${project.id}, 'MANUAL', 'PLAN', ${[planRule!.id]}, ${sql.json([planEnd])}, 'DONE', ${pm.id}, now(), now(), 1) returning id`;
  await sql`insert into rule_run_rule (run_id, project_id, rule_id, name, changed) values (${ruleRun!.id}, ${project.id}, ${planRule!.id}, ${mark}, 1)`;
  await sql`
    insert into rule_run_change (run_id, project_id, du_id, target, rule, outcome, old_value, new_value, old_text, new_text)
    values (${ruleRun!.id}, ${project.id}, ${du!.id}, '{0}', '{0}', '{0}', '{0}', '{9785}', ${[mark]}, ${[mark]})`;
  await sql`insert into rule_event_cursor (project_id, seq) values (${project.id}, 1) on conflict (project_id) do nothing`;
  await sql`
    insert into org_target (project_id, region_id, activity_id, week_start, target, rule_id)
    values (${project.id}, ${region!.id}, ${activity!.id}, '2026-10-12', 1, ${planRule!.id})`;
  await sql`
    insert into config_ref (project_id, holder_kind, holder_id, target_kind, target_id, usage)
    values (${project.id}, 'TEMPLATE', ${template!.id}, 'ACTIVITY', ${activity!.id}, 'COLUMN')`;
  const [target] = await sql<{ id: number }[]>`
    insert into activity_flow (project_id, name, status, version, owner_id, created_by, created_at, updated_by, updated_at)
    values (${project.id}, ${`${mark} target`}, 'released', 1, ${pm.id}, ${pm.id}, now(), ${pm.id}, now()) returning id`;
  const [mapping] = await sql<{ id: number }[]>`
    insert into retention_mapping (project_id, name, from_flow_id, to_flow_id, updated_by, updated_at)
    values (${project.id}, ${mark}, ${flow!.id}, ${target!.id}, ${pm.id}, now()) returning id`;
  await sql`insert into retention_mapping_row values (${mapping!.id}, ${project.id}, ${activity!.id}, ${activity!.id}, true, true, true, true, true, true)`;
  const submitter = await makeMember(sql, project.id, "PM");
  const [change] = await sql<{ id: number }[]>`
    insert into du_change (project_id, number, kind, delivery_type, reason, mapping_id, mapping_name, needs_approval, status, submitter_id, submitted_at, approver_id, comment)
    values (${project.id}, 1, 'unbind', ${mark.slice(0, 40)}, ${mark}, ${mapping!.id}, ${mark}, true, 'approving', ${submitter.id}, now(), ${pm.id}, ${mark}) returning id`;
  await sql`
    insert into du_change_item (change_id, project_id, du_id, old_flow_id, result, impact)
    values (${change!.id}, ${project.id}, ${du!.id}, ${flow!.id}, 'pending', '{}')`;
  await sql`
    insert into du_change_event (project_id, change_id, event, actor_id, to_user_id, comment, at)
    values (${project.id}, ${change!.id}, 'submit', ${submitter.id}, ${pm.id}, ${mark}, now())`;
  const [tempMilestone] = await sql<{ id: number }[]>`
    insert into temp_milestone (project_id, name, product_code, product, deliverable, status, created_by, created_at)
    values (${project.id}, ${mark}, ${mark}, ${mark}, ${mark}, 'released', ${pm.id}, now()) returning id`;
  await sql`
    insert into temp_milestone_du (temp_milestone_id, du_id, project_id, plan_date) values (${tempMilestone!.id}, ${du!.id}, ${project.id}, '2026-10-14')`;
  const [milestone] = await sql<{ id: number }[]>`
    insert into milestone (project_id, number, name_zh, name_en, name_ja, flag, color, sort, enabled)
    values (${project.id}, ${mark}, ${mark}, ${mark}, ${mark}, 'normal', 'c1', 1, true) returning id`;
  await sql`
    insert into milestone_info (project_id, milestone_id, delivery_type, target, temp_milestone_id, date_field)
    values (${project.id}, ${milestone!.id}, ${mark}, 'temp_milestone', ${tempMilestone!.id}, 'plan_end')`;
  await sql`
    insert into milestone_mapping (project_id, milestone_id, flow_id, activity_id) values (${project.id}, ${milestone!.id}, ${flow!.id}, ${activity!.id})`;
  const [tempProcess] = await sql<{ id: number }[]>`
    insert into temp_process (project_id, name, flow_id, steps, status)
    values (${project.id}, ${mark}, ${flow!.id}, ${sql.json([{ workOrderName: mark, ownerRole: "TL", days: 1 }])}, 'released') returning id`;
  const [tempOrder] = await sql<{ id: number }[]>`
    insert into work_order (project_id, number, du_id, name, status, assignee_id, temp, temp_process_id, temp_start, temp_end)
    values (${project.id}, 2, ${du!.id}, ${mark}, 'assigned', ${pm.id}, true, ${tempProcess!.id}, '2026-10-14', '2026-10-14') returning id`;
  const [tab] = await sql<{ id: number }[]>`
    insert into multi_dim_tab (project_id, alias, dimension, show_rate, show_amount, visible, sort)
    values (${project.id}, ${mark.slice(0, 40)}, 'town', true, true, true, 1) returning id`;
  await sql`insert into multi_dim_tab_activity (tab_id, activity_id, sort) values (${tab!.id}, ${activity!.id}, 1)`;
  await sql`insert into multi_dim_global (project_id, default_tab_id) values (${project.id}, ${tab!.id})`;
  const [replication] = await sql<{ id: number }[]>`
    insert into replication_log (project_id, at, actor_id, source_flow_id, source_name, target_name, activity_count, status, detail)
    values (${project.id}, now(), ${pm.id}, ${flow!.id}, ${mark}, ${mark}, 1, 'done', ${sql.json([{ activity: mark, outcome: "matched", code: null, params: {} }])})
    returning id`;
  const [cluster] = await sql<{ id: number }[]>`
    insert into cluster (project_id, name, region_id, priority, cutover_activity_id, color)
    values (${project.id}, ${mark}, ${region!.id}, 1, ${activity!.id}, 'c1') returning id`;
  await sql`update du set cluster_id = ${cluster!.id} where id = ${du!.id}`;
  const nobody = sql.json({ userIds: [pm.id], groupIds: [], roles: [], addresses: [] });
  const [mailRule] = await sql<{ id: number }[]>`
    insert into mail_rule (project_id, name, rule_type, activity_ids, attribute_ids, date_fields, valid_begin, valid_end, frequency, send_time, send_range, region_ids, receivers,
      subject, content, responsible_id, status, armed_local, created_by, created_at, updated_by, updated_at)
    values (${project.id}, ${mark}, 'CHANGE_ACT_DATE', ${[activity!.id]}, ${[attribute!.id]}, '{planEnd}', '2026-01-01', '2026-12-31', ${sql.json({ kind: "DAILY" })}, '08:00',
      'REGION', ${[region!.id]}, ${nobody}, ${mark}, ${mark}, ${pm.id}, 'DISABLED', '2026-01-01', ${pm.id}, now(), ${pm.id}, now()) returning id`;
  const [deviationRemind] = await sql<{ id: number }[]>`
    insert into deviation_remind (project_id, name, region_id, activity_id, deviation_days, roles, user_ids, group_ids, frequency, send_time, valid_begin, valid_end, status,
      armed_local, created_by, created_at, updated_by, updated_at)
    values (${project.id}, ${mark}, ${region!.id}, ${activity!.id}, 3, '{TL}', ${[pm.id]}, '{}', ${sql.json({ kind: "DAILY" })}, '08:00', '2026-01-01', '2026-12-31', 'DISABLED',
      '2026-01-01', ${pm.id}, now(), ${pm.id}, now()) returning id`;
  await sql`
    insert into rfi_remind (project_id, state_id, min_days, max_days, remind_types, exception_receivers, status, armed_local, created_by, created_at, updated_by, updated_at)
    values (${project.id}, ${mark.slice(0, 40)}, 5, 15, '{MAIL}', ${nobody}, 'DISABLED', '2026-01-01', ${pm.id}, now(), ${pm.id}, now())`;
  await sql`
    insert into rem_fire (project_id, kind, rule_id, occurrence_local, fired_at, result) values (${project.id}, 'RULE', ${mailRule!.id}, '2026-01-01 08:00', now(), 'NOTHING')`;
  const [dependency] = await sql<{ id: number }[]>`
    insert into dep_rule (project_id, flow_id, target_kind, target_id, target_event, status, created_by, created_at, updated_by, updated_at)
    values (${project.id}, ${flow!.id}, 'ACTIVITY', ${activity!.id}, 'START', 'EXPIRED', ${pm.id}, now(), ${pm.id}, now()) returning id`;
  await sql`
    insert into dep_rule_prereq (rule_id, project_id, seq, kind, object_id, event)
    values (${dependency!.id}, ${project.id}, 1, 'ATTRIBUTE', ${attribute!.id}, 'MAINTAIN')`;
  const [warning] = await sql<{ id: number }[]>`
    insert into warning_config (project_id, flow_id, anchor_activity_id, field_a, alert_activity_id, field_b, operator, days, level, message, sort_no,
      created_by, created_at, updated_by, updated_at)
    values (${project.id}, ${flow!.id}, ${activity!.id}, 'planStart', ${activity!.id}, 'planEnd', 'GE', 0, 'DEFAULT', ${mark}, 1, ${pm.id}, now(), ${pm.id}, now())
    returning id`;
  const [networkRegion] = await sql<{ id: number }[]>`
    insert into network_region (project_id, name, source, region_id) values (${project.id}, ${mark}, 'MANUAL', ${region!.id}) returning id`;
  const [resource] = await sql<{ id: number }[]>`
    update resource set contractor = ${mark}, visa_type = ${mark}, skills = ${[mark]}, updated_by = ${pm.id} where project_id = ${project.id} and user_id = ${pm.id} returning id`;
  await sql`insert into res_setting (project_id) values (${project.id})`;
  const [group] = await sql<{ id: number }[]>`
    insert into res_group (project_id, name, scenario, contractor, created_by, created_at, updated_by, updated_at)
    values (${project.id}, ${mark}, ${mark}, ${mark}, ${pm.id}, now(), ${pm.id}, now()) returning id`;
  await sql`
    insert into res_group_member (group_id, resource_id, project_id, member_type, is_leader) values (${group!.id}, ${resource!.id}, ${project.id}, ${mark}, true)`;
  const [company] = await sql<
    { id: number }[]
  >`insert into subcontractor (project_id, code, name) values (${project.id}, 'WHOLE', ${mark}) returning id`;
  const newcomer = await makeUser(sql, { kind: "subcontractor", name: mark });
  await makeResource(sql, project.id, newcomer.id, { subcontractorId: company!.id, status: "PENDING" });
  const [introduction] = await sql<{ id: number }[]>`
    insert into res_introduction (project_id, subcontractor_id, user_ids, applicant_id, reason, created_at)
    values (${project.id}, ${company!.id}, ${[newcomer.id]}, ${pm.id}, ${mark}, now()) returning id`;
  await sql`insert into res_assignment (project_id, activity_id, required_skill) values (${project.id}, ${activity!.id}, ${mark})`;
  await sql`insert into isolation (project_id, enabled, version, updated_at) values (${project.id}, false, 1, now())`;
  const [detail] = await sql<{ id: number }[]>`
    insert into isolation_detail (project_id, attribute_id, value, subcontractor_id, created_at)
    values (${project.id}, ${attribute!.id}, ${mark}, ${company!.id}, now()) returning id`;
  const [type] = await sql<{ id: number }[]>`
    insert into subcon_type (project_id, name, activity_ids, updated_at) values (${project.id}, ${mark}, ${[activity!.id]}, now()) returning id`;
  const [setting] = await sql<{ id: number }[]>`
    insert into subcon_setting (project_id, subcontractor_id, updated_at) values (${project.id}, ${company!.id}, now()) returning id`;
  await sql`insert into subcon_config (setting_id, project_id, key, value) values (${setting!.id}, ${project.id}, 'selfDispatch', true)`;
  await sql`
    with made as (
      insert into subcon_capacity (project_id, setting_id, region_id, subcon_type_id, baseline, upper_cap, lower_limit, lead_time_weeks, increase_period_weeks,
        increase_per_cycle, redundancy_ratio, start_week)
      values (${project.id}, ${setting!.id}, ${region!.id}, ${type!.id}, 10, 18, 5, 2, 2, 3, 120, '2026-10-11') returning id
    ) insert into subcon_capacity_week (capacity_id, project_id, week_start, value) select id, ${project.id}, '2026-10-18', 7 from made`;
  const [cycle] = await sql<{ id: number }[]>`
    insert into project_cycle (project_id, project_number, updated_at) values (${project.id}, ${mark}, now()) returning id`;
  await sql`
    insert into project_phase (project_id, cycle_id, code, name, start_date, end_date) values (${project.id}, ${cycle!.id}, 'P1', ${mark}, '2026-10-01', '2026-11-01')`;
  const [siteType] = await sql<
    { id: number }[]
  >`insert into site_type (project_id, name, updated_at) values (${project.id}, ${mark}, now()) returning id`;
  await sql`
    with made as (insert into site_dimension (project_id, name, sort_no) values (${project.id}, ${mark}, 1) returning id)
    insert into sub_site_type (project_id, site_type_id, dimension_id, name, percentage, sort_no) select ${project.id}, ${siteType!.id}, id, ${mark}, 100, 0 from made`;
  await sql`insert into project_currency (project_id, code, updated_at) values (${project.id}, 'EUR', now())`;
  await sql`insert into cluster_rate (project_id, kind, value, updated_at) values (${project.id}, 'INTEGER', 80, now())`;
  const [engineVersion] = await sql<{ id: number }[]>`
    insert into engine_plan_version (project_id, version_name, description, source, is_current, inputs_changed_at, created_by, created_at, updated_by, updated_at)
    values (${project.id}, ${mark}, ${mark}, 'page_input', true, now(), ${pm.id}, now(), ${pm.id}, now()) returning id`;
  const [warehouse] = await sql<{ id: number }[]>`
    insert into engine_warehouse (project_id, name, principal_name, priority, type, region, created_by, created_at, updated_by, updated_at)
    values (${project.id}, ${mark}, ${mark}, 1, 'regional', ${mark}, ${pm.id}, now(), ${pm.id}, now()) returning id`;
  await sql`
    insert into engine_setting (version_id, project_id, direction, plan_start_date, horizon_days, sort_by_rfi, enable_eomonth, enable_cluster, damage_rate,
      reuse_rate, buffer_rate, activity_anchor, gap_policy, currency, evaluation_limit, time_budget_s, seed, islands, use_exact, updated_by, updated_at)
    values (${engineVersion!.id}, ${project.id}, 'forward', '2026-10-20', 100, false, false, false, 0, 1, 0, ${mark}, 'flag', 'USD', 100, 10, 1, 1, false,
      ${pm.id}, now())`;
  await sql`
    with made as (
      insert into engine_activity (project_id, version_id, workflow_name, activity_name, sort, duration_days, material_related, need_subcontractor, disassembly,
        assembly, created_by, created_at, updated_by, updated_at)
      select ${project.id}, ${engineVersion!.id}, ${mark}, ${mark} || n, n, 1, false, false, false, false, ${pm.id}, now(), ${pm.id}, now()
      from generate_series(1, 2) n returning id),
    pair as (select min(id) as one, max(id) as other from made),
    a as (insert into engine_activity_pre (engine_activity_id, pre_engine_activity_id, project_id, relation, offset_days)
      select other, one, ${project.id}, 'FS', 0 from pair),
    b as (insert into engine_input_state (version_id, block, project_id, upload_status, updated_at)
      values (${engineVersion!.id}, 'du', ${project.id}, 'completed', now())),
    c as (insert into engine_inventory_sync (version_id, project_id, state, started_at) values (${engineVersion!.id}, ${project.id}, 'failed', now()))
    insert into engine_activity_link (engine_activity_id, other_engine_activity_id, kind, project_id) select one, other, 'co_team', ${project.id} from pair`;
  await sql`
    with made as (select ${project.id}::bigint as p, ${engineVersion!.id}::bigint as v, ${pm.id}::bigint as u, ${mark} as m, now() as t),
    a as (insert into engine_warehouse_mapping (project_id, source_system, source_code, warehouse_id, created_by, created_at, updated_by, updated_at)
      select p, m, m, ${warehouse!.id}, u, t, u, t from made),
    b as (insert into engine_skill_resource (project_id, version_id, skill_type, resource_name, region, team_count, created_by, created_at, updated_by, updated_at)
      select p, v, m, m, m, 1, u, t, u, t from made),
    c as (insert into engine_du_material (project_id, version_id, du_id, item_code, description, install_qty, created_by, created_at, updated_by, updated_at)
      select p, v, ${du!.id}, m, m, 1, u, t, u, t from made),
    d as (insert into engine_inventory (project_id, version_id, warehouse_id, item_code, inventory_qty, created_by, created_at, updated_by, updated_at)
      select p, v, ${warehouse!.id}, m, 1, u, t, u, t from made),
    f as (insert into engine_du (project_id, version_id, du_id, workflow_name, du_type, allow_direct_moving, cluster, in_scope, created_by, created_at, updated_by, updated_at)
      select p, v, ${du!.id}, m, 'both', false, m, true, u, t, u, t from made),
    e as (insert into engine_item_substitute (project_id, version_id, design_item_code, design_qty, design_priority, group_name, warehouse_item_code,
      warehouse_qty, substitution_priority, created_by, created_at, updated_by, updated_at)
      select p, v, m, 1, 1, m, m, 1, 1, u, t, u, t from made)
    insert into engine_reuse_material (project_id, version_id, item_code, material_category, created_by, created_at, updated_by, updated_at)
      select p, v, m, m, u, t, u, t from made`;
  const [engineRun] = await sql<{ id: number }[]>`
    insert into engine_run (project_id, version_id, status, phase, percent, snapshot_sha256, code_version, seed, evaluation_limit, time_budget_s, islands,
      former_status, has_output, finished_at, diagnosis, requested_by_id, created_at)
    values (${project.id}, ${engineVersion!.id}, 'success', 'done', 100, ${"0".repeat(64)}, ${mark}, 1, 100, 10, 1, 'setting', true, now(),
      ${sql.json({ rows: [], counts: {} })}, ${pm.id}, now()) returning id`;
  await sql`
    with made as (select ${project.id}::bigint as p, ${engineRun!.id}::bigint as r, ${du!.id}::bigint as d, ${mark} as m),
    a as (insert into engine_run_flow (run_id, project_id, workflow_name, activity_names, slots) select r, p, m, array[m], '{1}' from made),
    b as (insert into engine_run_pool (run_id, project_id, idx, skill_type, resource_name, region, team_count, held_days, open_days)
      select r, p, 1, m, m, m, 1, '{1}', '{5}' from made),
    c as (insert into engine_out_du (run_id, project_id, du_id, workflow_name, region, rank, starts, ends, pools, teams, bindings, binding_refs, fixed,
      first_start, last_end, anchor_end, due_date, late_days, has_gap, cluster)
      select r, p, d, m, m, 0, '{9800}', '{9801}', '{1}', '{1}', '{0}', '{0}', B'0', '2026-10-31', '2026-11-01', '2026-11-01', null, 0, true, m from made),
    e as (insert into engine_out_alloc (run_id, project_id, du_id, design_item_code, item_code, qty, covers_qty, source, warehouse_id, warehouse_name,
      available_date, need_date) select r, p, d, m, m, 1, 1, 'stock', ${warehouse!.id}, m, '2026-10-31', '2026-10-31' from made),
    f as (insert into engine_out_mrp (run_id, project_id, item_code, region, day, opening, gross_req, inbound, reuse_in, issued, closing, net_req)
      select r, p, m, m, '2026-10-31', 1, 2, 0, 0, 1, 0, 1 from made)
    insert into engine_out_gap (run_id, project_id, du_id, item_code, required_qty, covered_qty, short_qty, need_date, reason)
      select r, p, d, m, 2, 1, 1, '2026-10-31', 'none_left' from made`;
  return {
    id: project.id,
    number: project.number,
    pm,
    numbers: {
      du: du!.id,
      site: site!.id,
      flow: flow!.id,
      draft: draft!.id,
      node: node!.id,
      activity: activity!.id,
      attribute: attribute!.id,
      dutab: duTab!.id,
      lookuplist: lookup!.id,
      choice: choice!.id,
      permission: permission!.id,
      region: region!.id,
      batch: batch!.id,
      calendar: calendar!.id,
      user: pm.id,
      mail: mail!.id,
      optout: optout!.id,
      notice: notice!.id,
      job: job!.id,
      order: order!.id,
      request: request!.id,
      version: version!.id,
      template: template!.id,
      planRule: planRule!.id,
      ruleRun: ruleRun!.id,
      target: target!.id,
      mapping: mapping!.id,
      change: change!.id,
      subflow: subFlow!.id,
      step: step!.id,
      rule: rule!.id,
      ownerRule: ownerRule!.id,
      run: run!.id,
      milestone: milestone!.id,
      tempMilestone: tempMilestone!.id,
      tempProcess: tempProcess!.id,
      tempOrder: tempOrder!.id,
      tab: tab!.id,
      replication: replication!.id,
      distribution: distribution!.id,
      feedback: feedback!.id,
      permit: permit!.id,
      subcontractor: company!.id,
      detail: detail!.id,
      subcontype: type!.id,
      cycle: cycle!.id,
      sitetype: siteType!.id,
      cluster: cluster!.id,
      mailRule: mailRule!.id,
      deviationRemind: deviationRemind!.id,
      dependency: dependency!.id,
      warning: warning!.id,
      networkRegion: networkRegion!.id,
      resource: resource!.id,
      group: group!.id,
      company: company!.id,
      introduction: introduction!.id,
      engineVersion: engineVersion!.id,
      engineRun: engineRun!.id,
      warehouse: warehouse!.id,
    },
    keys,
  };
}

/** Fingerprint of all rows of a project, wherever a table carries its id; logs of attempts from outside do not count. */
export async function projectPrint(sql: Sql, projectId: number): Promise<Record<string, string>> {
  const tables = await sql<{ name: string }[]>`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
    where a.attname = 'project_id' and not a.attisdropped and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname <> 'audit_log' order by 1`;
  const prints: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await sql<{ print: string }[]>`
      select coalesce(md5(string_agg(t::text, '|' order by t::text)), '-') as print from ${sql(name)} t where project_id = ${projectId}`;
    prints[name] = row!.print;
  }
  const [nodes] = await sql<{ print: string }[]>`
    select coalesce(md5(string_agg(n::text, '|' order by n.id)), '-') as print from flow_activity n join activity_flow f on f.id = n.flow_id where f.project_id = ${projectId}`;
  prints.flow_activity = nodes!.print;
  return prints;
}
