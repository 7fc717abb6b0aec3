import type { Pool } from "#db/client.ts";
import { bindDus } from "#lib/activity-flows/binding/actions.ts";
import { submitDuChange } from "#lib/activity-flows/changes/actions.ts";
import { saveDuRelation } from "#lib/activity-flows/du-relations/actions.ts";
import { saveFlowRule } from "#lib/activity-flows/flow-rules/actions.ts";
import { saveRetentionMapping, suggestRetention } from "#lib/activity-flows/retention-mappings/actions.ts";
import { saveSubFlow } from "#lib/activity-flows/sub-flows/actions.ts";
import { addDays, projectToday } from "#lib/core/clock.ts";
import { saveDependencies } from "#lib/dependency-rules/actions.ts";
import { saveTab } from "#lib/dimension-views/actions.ts";
import { assignDus, saveCluster } from "#lib/dimension-views/clusters/actions.ts";
import { saveMilestone } from "#lib/milestones/actions.ts";
import { saveMapping } from "#lib/milestones/mapping/actions.ts";
import { saveTempMilestone } from "#lib/milestones/temporary/actions.ts";
import { saveOwnerRule } from "#lib/owners/owner-rules/actions.ts";
import { enablePlanRules, savePlanRule } from "#lib/plan-rules/rule-set/actions.ts";
import { sendDistributions } from "#lib/plan-versions/distributions/actions.ts";
import { saveDeviation } from "#lib/reminders/deviations/actions.ts";
import { saveMailRule } from "#lib/reminders/rules/actions.ts";
import { saveWarning } from "#lib/reminders/warning-config/actions.ts";
import { saveCycle } from "#lib/resources/project-cycle/actions.ts";
import { saveSiteTypes } from "#lib/resources/site-types/actions.ts";
import { saveType } from "#lib/resources/subcontractors/actions.ts";
import { setPlanDates } from "#lib/rollout-plan/batches/actions.ts";
import { saveDus } from "#lib/rollout-plan/dus/actions.ts";
import { filterPlan } from "#lib/rollout-plan/filters/actions.ts";
import { submitPermit } from "#lib/rollout-plan/permits/actions.ts";
import { freezeActivities } from "#lib/scheduling/locks/actions.ts";
import { releasePlan } from "#lib/scheduling/releases/actions.ts";
import { saveTemplate } from "#lib/templates/actions.ts";
import { planGrid } from "#lib/templates/limits.ts";
import { acceptOrders, completeOrders, dispatchOrders, startOrders, suspendOrders } from "#lib/work-orders/actions.ts";
import { requestNa } from "#lib/work-orders/na-requests/actions.ts";
import { type Call, callerOf, finishTask } from "./caller.ts";
import { demoNames } from "./demo.ts";
import { everydayNames } from "./everyday-names.ts";
import { type Name, nameText } from "./names.ts";

const { reasons, rules } = everydayNames;

/** What the calls name by id. */
type Places = {
  pool: Pool;
  projectId: number;
  today: string;
  activity: (code: string) => number;
  flow: (name: Name) => number;
  regions: number[];
  company: (code: string) => number;
  user: (account: string) => number;
  /** DUs of a flow, or of one company, whose activity is released and lies ahead, earliest first. */
  waiting: (flow: Name, code: string, limit: number, subcontractorId?: number) => Promise<number[]>;
};

/**
 * Gives the demo project what a team has around its plan: versions, work orders, templates, milestones, rules and the rest, so that no screen has to be imagined.
 * All of it by the calls of the product, in the name of those who would do it.
 * @returns a line that says what was made
 */
export async function seedEveryday(pool: Pool, now: Date): Promise<string> {
  const places = await findPlaces(pool, now);
  if (!places) return "The demo project has its everyday already";
  const call = await callerOf(pool, "pm", now);
  await seedSettings(call, places);
  await seedRules(call, places);
  await seedTemplates(call);
  await seedSites(call, places);
  const released = await seedVersions(call, places);
  await seedWork(call, await callerOf(pool, "subcon", now), places);
  return `Everyday of the team around ${released} released DUs`;
}

async function findPlaces(pool: Pool, now: Date): Promise<Places | null> {
  const [project] = await pool<{ id: number; milestones: number; tzOffset: number }[]>`
    select id, tz_offset_beijing as "tzOffset", (select count(*)::int from milestone m where m.project_id = p.id) as milestones
    from project p where number = 'DEMO'`;
  if (!project || project.milestones > 0) return null;
  const projectId = project.id;
  const today = projectToday(now, project.tzOffset);
  const ids = async (query: ReturnType<Pool>) => {
    const found = new Map(((await query) as unknown as { key: string; id: number }[]).map(({ key, id }) => [key, id]));
    return (key: string) => found.get(key)!;
  };
  const flow = await ids(pool`select name as key, id from activity_flow where project_id = ${projectId}`);
  const regions = await pool<{ id: number }[]>`select id from delivery_region where project_id = ${projectId} order by sort_no`;
  return {
    pool,
    projectId,
    today,
    activity: await ids(pool`select code as key, id from activity_library where project_id = ${projectId}`),
    flow: (name) => flow(nameText(name)),
    regions: regions.map(({ id }) => id),
    company: await ids(pool`select code as key, id from subcontractor where project_id = ${projectId}`),
    user: await ids(pool`select account as key, id from app_user`),
    waiting: async (name, code, limit, subcontractorId) => {
      const rows = await pool<{ id: number }[]>`
        select p.du_id as id from du_plan p join du d on d.id = p.du_id join du_flow f on f.du_id = p.du_id and f.unbound_at is null
        join activity_library l on l.project_id = p.project_id and l.code = ${code}
        where p.project_id = ${projectId} and f.flow_id = ${flow(nameText(name))} and p.release_state = 1
          and d.subcontractor_id = coalesce(${subcontractorId ?? null}, d.subcontractor_id)
          and p.plan_start[l.slot] > ${today}::date - date '2000-01-01' and coalesce(p.actual_start[l.slot], 0) = 0
        order by p.plan_start[l.slot], p.du_id limit ${limit}`;
      return rows.map(({ id }) => id);
    },
  };
}

/** Milestones, views over them, clusters, phases and kinds. */
async function seedSettings(call: Call, { activity, flow, regions, today, pool, projectId }: Places): Promise<void> {
  const flows = [demoNames.flows.newBuild, demoNames.flows.swap];
  const colours = ["c1", "c2", "c3", "c4"];
  const rows = [];
  for (const [at, [code, [nameZh, nameEn, nameJa]]] of Object.entries(everydayNames.milestones).entries()) {
    const flag = code === "PAC" ? "acceptance" : "normal";
    const milestone = { number: `M${at + 1}`, nameZh, nameEn, nameJa, flag, color: colours[at], enabled: true };
    const { id } = await call(saveMilestone, { milestone });
    const within = code === "RFI" ? flows.slice(0, 1) : flows;
    rows.push(...within.map((name) => ({ milestoneId: id, flowId: flow(name), activityId: activity(code), base: null })));
  }
  await call(saveMapping, { rows });
  await call(saveTempMilestone, { name: nameText(everydayNames.temporary) });
  const shown = ["RFI", "MOS", "INSTALL", "PAC"].map(activity);
  for (const [dimension, alias] of Object.entries(everydayNames.tabs))
    await call(saveTab, { alias: nameText(alias), dimension, activityIds: shown, showRate: true, showAmount: true, global: true });
  const [south] = regions;
  const dus = await pool<{ id: number; east: boolean }[]>`
    select d.id, s.longitude > avg(s.longitude) over () as east from du d join customer_site s on s.id = d.site_id
    where d.project_id = ${projectId} and d.region_id = ${south!} order by d.id limit 80`;
  for (const [at, name] of everydayNames.clusters.entries()) {
    const { id } = await call(saveCluster, {
      name: nameText(name),
      regionId: south,
      priority: at + 1,
      completionRate: 80,
      cutoverActivityId: activity("INSTALL"),
      maxCutoverQty: 4,
      color: colours[at],
    });
    await call(assignDus, { clusterId: id, duIds: dus.filter(({ east }) => east === (at === 0)).map((du) => du.id) });
  }
  const [build, optimise] = everydayNames.phases;
  await call(saveCycle, {
    projectNumber: "DEMO",
    phases: [
      { code: "B", name: nameText(build), startDate: addDays(today, -150), endDate: addDays(today, 120) },
      { code: "O", name: nameText(optimise), startDate: addDays(today, 121), endDate: addDays(today, 210) },
    ],
  });
  const { dimension, urban, dense, suburb } = everydayNames.siteTypes;
  const part = (name: Name, percentage: number) => ({ dimension: nameText(dimension), name: nameText(name), percentage });
  await call(saveSiteTypes, {
    dimensions: [{ name: nameText(dimension) }],
    base: [],
    types: [{ name: nameText(urban), subs: [part(dense, 60), part(suburb, 40)] }],
  });
  await call(saveType, { name: nameText(everydayNames.trade), activityIds: [activity("INSTALL"), activity("DISMANTLE")] });
}

/** What the product does by itself: dates, flows, owners, order, mails and warnings. */
async function seedRules(call: Call, { activity, flow, regions, user, today }: Places): Promise<void> {
  const [newFlow, swapFlow] = [flow(demoNames.flows.newBuild), flow(demoNames.flows.swap)];
  const plan = await call(savePlanRule, {
    name: nameText(rules.plan),
    ruleType: "ACT_TO_ACT",
    flowId: newFlow,
    actions: [
      {
        sources: [{ k: "ACT", a: activity("MOS"), f: "PLAN_END" }],
        offset: 3,
        target: { k: "ACT", a: activity("INSTALL"), f: "PLAN_START" },
      },
    ],
  });
  await call(enablePlanRules, { ids: [plan.id], confirm: true });
  await call(saveFlowRule, {
    name: nameText(rules.flow),
    flowId: newFlow,
    conditions: [{ object: { k: "DU", f: "deliveryType" }, operator: "eq", values: [nameText(demoNames.flows.newBuild)] }],
  });
  await call(saveOwnerRule, {
    name: nameText(rules.owner),
    flowIds: [newFlow, swapFlow],
    activityIds: [activity("PAC")],
    ownerFields: ["PLAN_OWNER"],
    fillMode: "FIXED",
    fillValue: { accounts: ["pm"] },
  });
  await call(saveDependencies, {
    flowId: newFlow,
    prerequisites: [{ activityId: activity("RFI"), event: "COMPLETE" }],
    targets: [{ activityId: activity("INSTALL"), event: "START" }],
  });
  const validity = { validBegin: `${today}T00:00`, validEnd: `${addDays(today, 365)}T23:59` };
  await call(saveMailRule, {
    name: nameText(rules.mail),
    type: "CHANGE_ACT_DATE",
    activityIds: [activity("INSTALL")],
    dateFields: ["planEnd"],
    frequency: { kind: "DAILY" },
    sendTime: "08:30",
    receivers: { roles: ["PM"], userIds: [user("tl")] },
    ...validity,
  });
  await call(saveDeviation, {
    regionId: regions.slice(0, 1),
    activityId: [activity("INSTALL")],
    deviationDays: 3,
    roles: ["PM"],
    userIds: [user("tl")],
    frequency: { kind: "WEEKLY", weekdays: [1] },
    sendTime: "09:00",
    ...validity,
  });
  await call(saveWarning, {
    flowId: newFlow,
    anchorActivityId: activity("INSTALL"),
    fieldA: "planStart",
    alertActivityId: activity("MOS"),
    fieldB: "planEnd",
    operator: "GT",
    days: 14,
    level: "ADVISORY",
    message: nameText(rules.warning),
  });
  const between = { fromFlowId: newFlow, toFlowId: swapFlow };
  const { rows } = await call(suggestRetention, between);
  await call(saveRetentionMapping, { name: nameText(everydayNames.mapping), ...between, isDefault: true, rows });
  await call(saveSubFlow, {
    subFlow: { name: nameText(everydayNames.subFlow) },
    steps: everydayNames.steps.map((step, at) => ({ name: nameText(step), weight: [50, 30, 20][at] })),
  });
}

/** Searches, filters and columns that all may use. */
async function seedTemplates(call: Call): Promise<void> {
  const { late, soon, dates } = everydayNames.templates;
  const shared = { gridKey: planGrid, isPublic: true };
  await call(saveTemplate, {
    kind: "filter",
    name: nameText(late),
    ...shared,
    body: { filters: [{ key: "status", type: "in", values: ["delayed"] }] },
  });
  await call(saveTemplate, {
    kind: "search",
    objectType: "site",
    name: nameText(soon),
    isPublic: true,
    body: { field: "code", values: [], period: { preset: "thisAndNextTwoWeeks" } },
  });
  await call(saveTemplate, {
    kind: "grid",
    name: nameText(dates),
    ...shared,
    body: { columns: [{ key: "code", locked: true }, { key: "name", locked: true }, { key: "status" }, { key: "nextPlanEnd" }] },
  });
}

/** A second network on some sites, what belongs together, a permit that is asked for and a flow change that waits for its approval. */
async function seedSites(call: Call, { pool, projectId, flow, user }: Places): Promise<void> {
  const { newBuild, swap } = demoNames.flows;
  const [nr, lte] = demoNames.productLines;
  const owners = await pool<{ id: number; code: string; name: string; siteId: number; regionId: number; subcontractorId: number }[]>`
    select d.id, d.code, d.name, d.site_id as "siteId", d.region_id as "regionId", d.subcontractor_id as "subcontractorId"
    from du d join du_plan p on p.du_id = d.id join du_flow f on f.du_id = d.id and f.unbound_at is null
    where d.project_id = ${projectId} and d.product_line = ${nameText(nr)} and f.flow_id = ${flow(newBuild)} and p.done_count between 1 and 5
    order by d.id limit 12`;
  const second = owners.slice(0, 6);
  await call(saveDus, {
    rows: second.map(({ code, name, siteId, regionId, subcontractorId }) => ({
      code: `${code}-L`,
      name,
      siteId,
      regionId,
      subcontractorId,
      productLine: nameText(lte),
      deliveryType: nameText(swap),
    })),
  });
  const made = await pool<{ id: number; siteId: number }[]>`
    select id, site_id as "siteId" from du where project_id = ${projectId} and code like '%-L' order by id`;
  await call(bindDus, { duIds: made.map(({ id }) => id), flowId: flow(swap) });
  const onSite = new Map(made.map(({ id, siteId }) => [siteId, id]));
  const note = nameText(everydayNames.relation);
  for (const { id, siteId } of second.slice(0, 4))
    await call(saveDuRelation, { duId: id, relatedDuId: onSite.get(siteId)!, kind: "swap_pair", note });
  const rest = owners.slice(6).map(({ id }) => id);
  await call(submitPermit, { duIds: rest.slice(0, 4), kind: "landlord", reason: nameText(reasons.permit) });
  await call(submitDuChange, {
    kind: "change",
    items: rest.slice(4).map((duId) => ({ duId, newFlowId: flow(swap) })),
    reason: nameText(reasons.change),
    approverId: user("pd"),
  });
}

/** A release with its baseline, days that have slipped since, and the released version on its way to a subcontractor. */
async function seedVersions(call: Call, { pool, projectId, flow, waiting, activity, company, today }: Places): Promise<number> {
  const { newBuild, swap } = demoNames.flows;
  const { queryId } = await call(filterPlan, { flowIds: [flow(newBuild), flow(swap)] });
  const given = await call(releasePlan, {
    queryId,
    saveBaseline: true,
    skipSchedule: true,
    versionName: nameText(everydayNames.versions.release),
  });
  if ("taskId" in given) await finishTask(pool, given.taskId);
  const [version] = await pool<{ id: number; count: number }[]>`
    select id, du_count as count from plan_version where project_id = ${projectId} and kind = 'published'`;
  const slipped = await waiting(newBuild, "INSTALL", 24);
  for (const field of ["planEnd", "planStart"])
    await call(setPlanDates, {
      duIds: slipped,
      activityIds: [activity("INSTALL")],
      field,
      mode: "shift",
      value: 3,
      reason: nameText(reasons.slip),
    });
  await call(sendDistributions, {
    versionId: version!.id,
    recipients: [{ subcontractorId: company("ZJ") }],
    dueDate: addDays(today, 5),
    message: nameText(everydayNames.message),
  });
  return version!.count;
}

/** Work orders in each of their states, activities a site does not need, and activities nobody may move. */
async function seedWork(pm: Call, subcon: Call, { pool, waiting, activity, user, company }: Places): Promise<void> {
  const { newBuild } = demoNames.flows;
  const duIds = await waiting(newBuild, "SURVEY", 8, company("ZJ"));
  await pm(dispatchOrders, { duIds, activityIds: [activity("SURVEY")], assigneeId: user("subcon"), confirmUnreleased: true });
  const orders = await pool<{ id: number }[]>`
    select id from work_order where status = 'assigned' and du_id = any(${duIds}::bigint[]) order by id`;
  const ids = orders.map(({ id }) => id);
  // Of each four: one is only sent, one accepted, one begun, one done; one of those accepted has stopped.
  await subcon(acceptOrders, { ids: ids.filter((_, at) => at % 4 > 0) });
  await subcon(startOrders, { ids: ids.filter((_, at) => at % 4 > 1) });
  await subcon(completeOrders, { ids: ids.filter((_, at) => at % 4 === 3) });
  await pm(suspendOrders, { ids: ids.slice(1, 2), reason: nameText(reasons.suspend) });
  // Power works need an approval to be left out, civil works do not.
  for (const code of ["POWER", "CIVIL"])
    await pm(requestNa, {
      duIds: await waiting(newBuild, code, 3),
      activityIds: [activity(code)],
      kind: "NA",
      reason: nameText(reasons.na),
      ...(code === "POWER" ? { approverId: user("pd") } : {}),
    });
  const shipped = await waiting(newBuild, "MOS", 6);
  await pm(freezeActivities, { duIds: shipped, activityIds: [activity("MOS")], reason: nameText(reasons.freeze) });
}
