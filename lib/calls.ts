import "server-only";
import type { Declaration } from "#lib/core/action.ts";
import { AddressBook } from "#lib/core/address.ts";
import type { Route } from "#lib/core/route.ts";

/** The areas' modules of calls, and the first words of their addresses: a call loads the areas of its own word. */
export const callModules: Record<string, { words: readonly string[]; load: () => Promise<Record<string, unknown>> }> = {
  "access/delegations": { words: ["delegation"], load: () => import("#lib/access/delegations/actions.ts") },
  "access/matrix": { words: ["rolePermission"], load: () => import("#lib/access/matrix/actions.ts") },
  "access/member-sheet": { words: ["memberRole"], load: () => import("#lib/access/member-sheet/actions.ts") },
  "access/members": { words: ["memberRole"], load: () => import("#lib/access/members/actions.ts") },
  "activity-flows": { words: ["flow"], load: () => import("#lib/activity-flows/actions.ts") },
  "activity-flows/approvals": { words: ["duChange"], load: () => import("#lib/activity-flows/approvals/actions.ts") },
  "activity-flows/binding": { words: ["duFlow"], load: () => import("#lib/activity-flows/binding/actions.ts") },
  "activity-flows/changes": { words: ["duChange", "duFlow"], load: () => import("#lib/activity-flows/changes/actions.ts") },
  "activity-flows/copies": { words: ["copyAttribute"], load: () => import("#lib/activity-flows/copies/actions.ts") },
  "activity-flows/du-relations": { words: ["duRelation"], load: () => import("#lib/activity-flows/du-relations/actions.ts") },
  "activity-flows/flow-rules": { words: ["duFlowRule"], load: () => import("#lib/activity-flows/flow-rules/actions.ts") },
  "activity-flows/flow-sheet": { words: ["flow"], load: () => import("#lib/activity-flows/flow-sheet/actions.ts") },
  "activity-flows/graph": { words: ["flow", "subFlow"], load: () => import("#lib/activity-flows/graph/actions.ts") },
  "activity-flows/library": { words: ["activityLibrary"], load: () => import("#lib/activity-flows/library/actions.ts") },
  "activity-flows/replications": { words: ["flow", "replicationLog"], load: () => import("#lib/activity-flows/replications/actions.ts") },
  "activity-flows/release": { words: ["flow"], load: () => import("#lib/activity-flows/release/actions.ts") },
  "activity-flows/retention-mappings": {
    words: ["retentionMapping"],
    load: () => import("#lib/activity-flows/retention-mappings/actions.ts"),
  },
  "activity-flows/rule-runs": { words: ["duFlowRule"], load: () => import("#lib/activity-flows/rule-runs/actions.ts") },
  "activity-flows/sub-flows": { words: ["subFlow"], load: () => import("#lib/activity-flows/sub-flows/actions.ts") },
  "activity-flows/sub-steps": { words: ["duSubStep"], load: () => import("#lib/activity-flows/sub-steps/actions.ts") },
  attributes: { words: ["planAttr"], load: () => import("#lib/attributes/actions.ts") },
  "attributes/defaults": { words: ["planAttr"], load: () => import("#lib/attributes/defaults/actions.ts") },
  "attributes/enums": { words: ["planAttrEnum"], load: () => import("#lib/attributes/enums/actions.ts") },
  "attributes/lookups": { words: ["lookupList"], load: () => import("#lib/attributes/lookups/actions.ts") },
  "attributes/names": { words: ["planConfig"], load: () => import("#lib/attributes/names/actions.ts") },
  "attributes/permissions": { words: ["attrPermission"], load: () => import("#lib/attributes/permissions/actions.ts") },
  "attributes/sheets": { words: ["planAttr"], load: () => import("#lib/attributes/sheets/actions.ts") },
  "dependency-rules": { words: ["rollPlanDependency"], load: () => import("#lib/dependency-rules/actions.ts") },
  "dimension-views": { words: ["multiDim"], load: () => import("#lib/dimension-views/actions.ts") },
  "dimension-views/counts": { words: ["multiDim"], load: () => import("#lib/dimension-views/counts/actions.ts") },
  "dimension-views/table-export": { words: ["multiDim"], load: () => import("#lib/dimension-views/table-export/actions.ts") },
  "dimension-views/clusters": { words: ["cluster"], load: () => import("#lib/dimension-views/clusters/actions.ts") },
  "du-tabs": { words: ["duTabAttr", "isBzProject", "findDuSNData", "find"], load: () => import("#lib/du-tabs/actions.ts") },
  "du-tabs/rows": { words: ["duTabAttr"], load: () => import("#lib/du-tabs/rows/actions.ts") },
  "du-tabs/sheets": { words: ["duTabAttr"], load: () => import("#lib/du-tabs/sheets/actions.ts") },
  imports: {
    words: ["flow", "duRelation", "import", "duConfig", "planFeedback", "networkRegion", "regionConfig", "resource"],
    load: () => import("#lib/imports/actions.ts"),
  },
  "imports/file": { words: ["import"], load: () => import("#lib/imports/file/actions.ts") },
  logs: { words: ["planLog"], load: () => import("#lib/logs/actions.ts") },
  "logs/audit": { words: ["audit", "error"], load: () => import("#lib/logs/audit/actions.ts") },
  "logs/log-export": { words: ["planLog"], load: () => import("#lib/logs/log-export/actions.ts") },
  "logs/plan-batches": { words: ["planLog"], load: () => import("#lib/logs/plan-batches/actions.ts") },
  "logs/replication-log": { words: ["replicationLog"], load: () => import("#lib/logs/replication-log/actions.ts") },
  "logs/template-log": { words: ["templateLog"], load: () => import("#lib/logs/template-log/actions.ts") },
  milestones: { words: ["milestoneConfig"], load: () => import("#lib/milestones/actions.ts") },
  "milestones/copies": { words: ["milestoneConfig"], load: () => import("#lib/milestones/copies/actions.ts") },
  "milestones/du-dates": { words: ["milestoneConfig"], load: () => import("#lib/milestones/du-dates/actions.ts") },
  "milestones/erp-export": { words: ["milestoneConfig"], load: () => import("#lib/milestones/erp-export/actions.ts") },
  "milestones/mapping": { words: ["milestoneConfig"], load: () => import("#lib/milestones/mapping/actions.ts") },
  "milestones/processes": { words: ["tempProcess"], load: () => import("#lib/milestones/processes/actions.ts") },
  "milestones/temporary": { words: ["tempMilestone"], load: () => import("#lib/milestones/temporary/actions.ts") },
  "owners/du-owners": { words: ["duConfig"], load: () => import("#lib/owners/du-owners/actions.ts") },
  "owners/owner-rules": { words: ["ownerRule"], load: () => import("#lib/owners/owner-rules/actions.ts") },
  "owners/owner-runs": { words: ["ownerRule"], load: () => import("#lib/owners/owner-runs/actions.ts") },
  "owners/owner-sheets": { words: ["duConfig", "regionConfig"], load: () => import("#lib/owners/owner-sheets/actions.ts") },
  "owners/region-owners": { words: ["regionConfig"], load: () => import("#lib/owners/region-owners/actions.ts") },
  "owners/replacement": { words: ["ownerRule"], load: () => import("#lib/owners/replacement/actions.ts") },
  "plan-rules/execution": { words: ["planAutoRule"], load: () => import("#lib/plan-rules/execution/actions.ts") },
  "plan-rules/reverts": { words: ["planAutoRule"], load: () => import("#lib/plan-rules/reverts/actions.ts") },
  "plan-rules/rule-set": { words: ["planAutoRule", "rollout"], load: () => import("#lib/plan-rules/rule-set/actions.ts") },
  "plan-rules/targets": { words: ["orgTarget"], load: () => import("#lib/plan-rules/targets/actions.ts") },
  "plan-versions": { words: ["dataVersion"], load: () => import("#lib/plan-versions/actions.ts") },
  "plan-versions/comparison": { words: ["dataVersion"], load: () => import("#lib/plan-versions/comparison/actions.ts") },
  "plan-versions/distributions": { words: ["planDistribution"], load: () => import("#lib/plan-versions/distributions/actions.ts") },
  "plan-versions/feedback": { words: ["planFeedback"], load: () => import("#lib/plan-versions/feedback/actions.ts") },
  "plan-versions/progress": { words: ["dataVersion"], load: () => import("#lib/plan-versions/progress/actions.ts") },
  "plan-versions/restores": { words: ["dataVersion"], load: () => import("#lib/plan-versions/restores/actions.ts") },
  "plan-versions/version-export": { words: ["dataVersion"], load: () => import("#lib/plan-versions/version-export/actions.ts") },
  "planning-engine/activities": { words: ["engine"], load: () => import("#lib/planning-engine/activities/actions.ts") },
  "planning-engine/dismantling": { words: ["nc"], load: () => import("#lib/planning-engine/dismantling/actions.ts") },
  "planning-engine/input-check": { words: ["engine"], load: () => import("#lib/planning-engine/input-check/actions.ts") },
  "planning-engine/inputs": { words: ["engine", "nc"], load: () => import("#lib/planning-engine/inputs/actions.ts") },
  "planning-engine/inventory-sync": { words: ["nc"], load: () => import("#lib/planning-engine/inventory-sync/actions.ts") },
  "planning-engine/prefill": { words: ["engine", "nc"], load: () => import("#lib/planning-engine/prefill/actions.ts") },
  "planning-engine/output-charts": { words: ["engine"], load: () => import("#lib/planning-engine/output-charts/actions.ts") },
  "planning-engine/output-facts": { words: ["engine"], load: () => import("#lib/planning-engine/output-facts/actions.ts") },
  "planning-engine/output-material": { words: ["engine", "nc"], load: () => import("#lib/planning-engine/output-material/actions.ts") },
  "planning-engine/outputs": { words: ["engine", "nc"], load: () => import("#lib/planning-engine/outputs/actions.ts") },
  "planning-engine/runs": { words: ["engine"], load: () => import("#lib/planning-engine/runs/actions.ts") },
  "planning-engine/sheets": { words: ["engine"], load: () => import("#lib/planning-engine/sheets/actions.ts") },
  "planning-engine/versions": { words: ["engine"], load: () => import("#lib/planning-engine/versions/actions.ts") },
  "planning-engine/warehouses": { words: ["nc", "commomUtil"], load: () => import("#lib/planning-engine/warehouses/actions.ts") },
  regions: { words: ["deliveryRegion"], load: () => import("#lib/regions/actions.ts") },
  "regions/networks": { words: ["networkRegion"], load: () => import("#lib/regions/networks/actions.ts") },
  "reminders/deviations": { words: ["emailRemind"], load: () => import("#lib/reminders/deviations/actions.ts") },
  "reminders/du-notifications": { words: ["emailAuto"], load: () => import("#lib/reminders/du-notifications/actions.ts") },
  "reminders/looks": { words: ["emailAuto"], load: () => import("#lib/reminders/looks/actions.ts") },
  "reminders/mail-templates": { words: ["mailTemplate"], load: () => import("#lib/reminders/mail-templates/actions.ts") },
  "reminders/notices": { words: ["notice"], load: () => import("#lib/reminders/notices/actions.ts") },
  "reminders/outbox": { words: ["emailAuto", "mail"], load: () => import("#lib/reminders/outbox/actions.ts") },
  "resources/capacity": { words: ["subconConfig"], load: () => import("#lib/resources/capacity/actions.ts") },
  "resources/isolation": { words: ["subcon"], load: () => import("#lib/resources/isolation/actions.ts") },
  "resources/project-cycle": { words: ["projectCycle"], load: () => import("#lib/resources/project-cycle/actions.ts") },
  "resources/project-money": { words: ["projectCurrency", "clusterRate"], load: () => import("#lib/resources/project-money/actions.ts") },
  "resources/site-types": { words: ["siteType"], load: () => import("#lib/resources/site-types/actions.ts") },
  "resources/subcontractors": {
    words: ["subcon", "subcontractor", "subconType"],
    load: () => import("#lib/resources/subcontractors/actions.ts"),
  },
  "reminders/rfi": { words: ["rfiRemind"], load: () => import("#lib/reminders/rfi/actions.ts") },
  "reminders/rules": { words: ["emailAuto"], load: () => import("#lib/reminders/rules/actions.ts") },
  "reminders/settings": { words: ["remSetting"], load: () => import("#lib/reminders/settings/actions.ts") },
  "reminders/switching": { words: ["emailAuto"], load: () => import("#lib/reminders/switching/actions.ts") },
  "reminders/warning-config": { words: ["warningConfig"], load: () => import("#lib/reminders/warning-config/actions.ts") },
  "resources/assignment": { words: ["assignaResource"], load: () => import("#lib/resources/assignment/actions.ts") },
  "resources/candidates": { words: ["resource"], load: () => import("#lib/resources/candidates/actions.ts") },
  "resources/groups": { words: ["resGroup"], load: () => import("#lib/resources/groups/actions.ts") },
  "resources/introductions": { words: ["resource"], load: () => import("#lib/resources/introductions/actions.ts") },
  "resources/pool": { words: ["resource"], load: () => import("#lib/resources/pool/actions.ts") },
  "resources/pool-sheet": { words: ["resource"], load: () => import("#lib/resources/pool-sheet/actions.ts") },
  "resources/settings": { words: ["resSetting"], load: () => import("#lib/resources/settings/actions.ts") },
  "resources/transfers": { words: ["resource"], load: () => import("#lib/resources/transfers/actions.ts") },
  "rollout-plan": { words: ["wbs", "rolloutPlan", "site"], load: () => import("#lib/rollout-plan/actions.ts") },
  "rollout-plan/batches": { words: ["rolloutPlan"], load: () => import("#lib/rollout-plan/batches/actions.ts") },
  "rollout-plan/board": { words: ["rolloutPlan"], load: () => import("#lib/rollout-plan/board/actions.ts") },
  "rollout-plan/cards": { words: ["rolloutPlan"], load: () => import("#lib/rollout-plan/cards/actions.ts") },
  "rollout-plan/columns": { words: ["rolloutPlan"], load: () => import("#lib/rollout-plan/columns/actions.ts") },
  "rollout-plan/du-export": { words: ["site", "du"], load: () => import("#lib/rollout-plan/du-export/actions.ts") },
  "rollout-plan/du-tree": { words: ["rolloutPlan"], load: () => import("#lib/rollout-plan/du-tree/actions.ts") },
  "rollout-plan/dus": { words: ["site", "du"], load: () => import("#lib/rollout-plan/dus/actions.ts") },
  "rollout-plan/plan-export": { words: ["rolloutPlan"], load: () => import("#lib/rollout-plan/plan-export/actions.ts") },
  "rollout-plan/edits": { words: ["rolloutPlan"], load: () => import("#lib/rollout-plan/edits/actions.ts") },
  "rollout-plan/exception-list": { words: ["wbs"], load: () => import("#lib/rollout-plan/exception-list/actions.ts") },
  "rollout-plan/feeds": { words: ["feed"], load: () => import("#lib/rollout-plan/feeds/actions.ts") },
  "rollout-plan/filters": { words: ["wbs", "rolloutPlan"], load: () => import("#lib/rollout-plan/filters/actions.ts") },
  "rollout-plan/gantt": { words: ["rolloutPlan"], load: () => import("#lib/rollout-plan/gantt/actions.ts") },
  "rollout-plan/saved-views": { words: ["savedView"], load: () => import("#lib/rollout-plan/saved-views/actions.ts") },
  "rollout-plan/permits": { words: ["permit"], load: () => import("#lib/rollout-plan/permits/actions.ts") },
  "rollout-plan/map-points": { words: ["rolloutPlan"], load: () => import("#lib/rollout-plan/map-points/actions.ts") },
  "rollout-plan/tiles": { words: ["rolloutPlan"], load: () => import("#lib/rollout-plan/tiles/actions.ts") },
  "rollout-plan/tool-locks": { words: ["rolloutPlan"], load: () => import("#lib/rollout-plan/tool-locks/actions.ts") },
  "rollout-plan/two-networks": { words: ["specialRolloutPlan"], load: () => import("#lib/rollout-plan/two-networks/actions.ts") },
  "rollout-plan/undos": { words: ["rolloutPlan"], load: () => import("#lib/rollout-plan/undos/actions.ts") },
  scheduling: { words: ["rollout"], load: () => import("#lib/scheduling/actions.ts") },
  "scheduling/calendar": { words: ["commomUtil"], load: () => import("#lib/scheduling/calendar/actions.ts") },
  "scheduling/calendar-sheet": { words: ["commomUtil"], load: () => import("#lib/scheduling/calendar-sheet/actions.ts") },
  "scheduling/holidays": { words: ["commomUtil"], load: () => import("#lib/scheduling/holidays/actions.ts") },
  "scheduling/locks": { words: ["plan", "planFreeze", "lockLogic"], load: () => import("#lib/scheduling/locks/actions.ts") },
  "scheduling/plan-changes": { words: ["savePlanChange"], load: () => import("#lib/scheduling/plan-changes/actions.ts") },
  "scheduling/releases": { words: ["rollout"], load: () => import("#lib/scheduling/releases/actions.ts") },
  session: {
    words: ["notice", "session", "userSetting", "timeZone", "personal", "portal", "user", "language", "sso"],
    load: () => import("#lib/session/actions.ts"),
  },
  "session/sign-ins": { words: ["session"], load: () => import("#lib/session/sign-ins/actions.ts") },
  "session/tokens": { words: ["apiToken"], load: () => import("#lib/session/tokens/actions.ts") },
  settings: { words: ["error", "pageMax", "dataControl"], load: () => import("#lib/settings/actions.ts") },
  "settings/closing": { words: ["project"], load: () => import("#lib/settings/closing/actions.ts") },
  tasks: { words: ["task"], load: () => import("#lib/tasks/actions.ts") },
  templates: {
    words: ["personal", "personalized", "template", "getTemplateNames", "validateTemplateName"],
    load: () => import("#lib/templates/actions.ts"),
  },
  "templates/applications": { words: ["template"], load: () => import("#lib/templates/applications/actions.ts") },
  "templates/parts": { words: ["find", "template", "validate"], load: () => import("#lib/templates/parts/actions.ts") },
  "templates/sharing": {
    words: ["personal", "template", "transferCreator", "validateProjectExist"],
    load: () => import("#lib/templates/sharing/actions.ts"),
  },
  "work-orders": { words: ["workOrder"], load: () => import("#lib/work-orders/actions.ts") },
  "work-orders/na-requests": { words: ["activity", "electronFlow"], load: () => import("#lib/work-orders/na-requests/actions.ts") },
};

/** The modules of routes: uploads, downloads and streams, answered by files of their own below app/api. */
export const routeModules: Record<string, { area: string; load: () => Promise<Record<string, unknown>> }> = {
  document: { area: "core", load: () => import("#lib/core/openapi.ts") },
  events: { area: "core", load: () => import("#lib/core/event-stream.ts") },
  tasks: { area: "tasks", load: () => import("#lib/tasks/routes.ts") },
};

/** Every declared route with the area it belongs to. */
export async function allRoutes(): Promise<{ area: string; name: string; route: Route }[]> {
  const modules = await Promise.all(
    Object.values(routeModules).map(async ({ area, load }) =>
      Object.entries(await load())
        .filter(([, value]) => typeof value === "object" && value !== null && "declaration" in value)
        .map(([name, value]) => ({ area, name, route: value as Route })),
    ),
  );
  return modules.flat();
}

/** Every declared call with the area it belongs to; of some areas only those are loaded. */
export async function allCalls(
  of: readonly string[] = Object.keys(callModules),
): Promise<{ area: string; name: string; declaration: Declaration }[]> {
  const areas = await Promise.all(
    of.map(async (area) => {
      const exported = (await callModules[area]?.load()) ?? {};
      return Object.entries(exported)
        .filter(([, value]) => typeof value === "function" && "declaration" in value)
        .map(([name, value]) => ({ area, name, declaration: (value as unknown as { declaration: Declaration }).declaration }));
    }),
  );
  return areas.flat();
}

const books = new Map(Object.values(callModules).flatMap(({ words }) => words.map((word) => [word, null as Promise<AddressBook> | null])));
const noCalls = new AddressBook([]);

/** The calls whose address begins with a word, loaded at the first of them. */
export async function callsBelow(word: string): Promise<AddressBook> {
  if (!books.has(word)) return noCalls;
  let book = books.get(word);
  if (!book) {
    const areas = Object.keys(callModules).filter((area) => callModules[area]?.words.includes(word));
    book = allCalls(areas).then((calls) => new AddressBook(calls.map(({ declaration }) => declaration)));
    books.set(word, book);
  }
  return book;
}
