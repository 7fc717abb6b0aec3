import "server-only";
import type { Declaration } from "#lib/core/action.ts";
import { AddressBook } from "#lib/core/address.ts";
import type { Route } from "#lib/core/route.ts";

/** The areas' modules of calls, loaded at the first call. */
export const callModules: Record<string, () => Promise<Record<string, unknown>>> = {
  access: () => import("#lib/access/actions.ts"),
  "access/delegations": () => import("#lib/access/delegations/actions.ts"),
  "access/matrix": () => import("#lib/access/matrix/actions.ts"),
  "access/member-sheet": () => import("#lib/access/member-sheet/actions.ts"),
  "access/members": () => import("#lib/access/members/actions.ts"),
  "activity-flows": () => import("#lib/activity-flows/actions.ts"),
  "activity-flows/approvals": () => import("#lib/activity-flows/approvals/actions.ts"),
  "activity-flows/binding": () => import("#lib/activity-flows/binding/actions.ts"),
  "activity-flows/changes": () => import("#lib/activity-flows/changes/actions.ts"),
  "activity-flows/copies": () => import("#lib/activity-flows/copies/actions.ts"),
  "activity-flows/du-relations": () => import("#lib/activity-flows/du-relations/actions.ts"),
  "activity-flows/flow-rules": () => import("#lib/activity-flows/flow-rules/actions.ts"),
  "activity-flows/flow-sheet": () => import("#lib/activity-flows/flow-sheet/actions.ts"),
  "activity-flows/graph": () => import("#lib/activity-flows/graph/actions.ts"),
  "activity-flows/library": () => import("#lib/activity-flows/library/actions.ts"),
  "activity-flows/replications": () => import("#lib/activity-flows/replications/actions.ts"),
  "activity-flows/release": () => import("#lib/activity-flows/release/actions.ts"),
  "activity-flows/retention-mappings": () => import("#lib/activity-flows/retention-mappings/actions.ts"),
  "activity-flows/rule-runs": () => import("#lib/activity-flows/rule-runs/actions.ts"),
  "activity-flows/sub-flows": () => import("#lib/activity-flows/sub-flows/actions.ts"),
  "activity-flows/sub-steps": () => import("#lib/activity-flows/sub-steps/actions.ts"),
  attributes: () => import("#lib/attributes/actions.ts"),
  "attributes/defaults": () => import("#lib/attributes/defaults/actions.ts"),
  "attributes/enums": () => import("#lib/attributes/enums/actions.ts"),
  "attributes/lookups": () => import("#lib/attributes/lookups/actions.ts"),
  "attributes/names": () => import("#lib/attributes/names/actions.ts"),
  "attributes/permissions": () => import("#lib/attributes/permissions/actions.ts"),
  "attributes/sheets": () => import("#lib/attributes/sheets/actions.ts"),
  "dependency-rules": () => import("#lib/dependency-rules/actions.ts"),
  "dimension-views": () => import("#lib/dimension-views/actions.ts"),
  "dimension-views/counts": () => import("#lib/dimension-views/counts/actions.ts"),
  "dimension-views/table-export": () => import("#lib/dimension-views/table-export/actions.ts"),
  "dimension-views/clusters": () => import("#lib/dimension-views/clusters/actions.ts"),
  "du-tabs": () => import("#lib/du-tabs/actions.ts"),
  "du-tabs/rows": () => import("#lib/du-tabs/rows/actions.ts"),
  "du-tabs/sheets": () => import("#lib/du-tabs/sheets/actions.ts"),
  imports: () => import("#lib/imports/actions.ts"),
  "imports/file": () => import("#lib/imports/file/actions.ts"),
  logs: () => import("#lib/logs/actions.ts"),
  "logs/audit": () => import("#lib/logs/audit/actions.ts"),
  "logs/log-export": () => import("#lib/logs/log-export/actions.ts"),
  "logs/plan-batches": () => import("#lib/logs/plan-batches/actions.ts"),
  "logs/replication-log": () => import("#lib/logs/replication-log/actions.ts"),
  "logs/template-log": () => import("#lib/logs/template-log/actions.ts"),
  milestones: () => import("#lib/milestones/actions.ts"),
  "milestones/copies": () => import("#lib/milestones/copies/actions.ts"),
  "milestones/du-dates": () => import("#lib/milestones/du-dates/actions.ts"),
  "milestones/erp-export": () => import("#lib/milestones/erp-export/actions.ts"),
  "milestones/mapping": () => import("#lib/milestones/mapping/actions.ts"),
  "milestones/processes": () => import("#lib/milestones/processes/actions.ts"),
  "milestones/temporary": () => import("#lib/milestones/temporary/actions.ts"),
  "owners/du-owners": () => import("#lib/owners/du-owners/actions.ts"),
  "owners/owner-rules": () => import("#lib/owners/owner-rules/actions.ts"),
  "owners/owner-runs": () => import("#lib/owners/owner-runs/actions.ts"),
  "owners/owner-sheets": () => import("#lib/owners/owner-sheets/actions.ts"),
  "owners/region-owners": () => import("#lib/owners/region-owners/actions.ts"),
  "owners/replacement": () => import("#lib/owners/replacement/actions.ts"),
  "plan-rules/execution": () => import("#lib/plan-rules/execution/actions.ts"),
  "plan-rules/reverts": () => import("#lib/plan-rules/reverts/actions.ts"),
  "plan-rules/rule-set": () => import("#lib/plan-rules/rule-set/actions.ts"),
  "plan-rules/targets": () => import("#lib/plan-rules/targets/actions.ts"),
  "plan-versions": () => import("#lib/plan-versions/actions.ts"),
  "plan-versions/comparison": () => import("#lib/plan-versions/comparison/actions.ts"),
  "plan-versions/distributions": () => import("#lib/plan-versions/distributions/actions.ts"),
  "plan-versions/feedback": () => import("#lib/plan-versions/feedback/actions.ts"),
  "plan-versions/progress": () => import("#lib/plan-versions/progress/actions.ts"),
  "plan-versions/restores": () => import("#lib/plan-versions/restores/actions.ts"),
  "plan-versions/version-export": () => import("#lib/plan-versions/version-export/actions.ts"),
  "planning-engine/activities": () => import("#lib/planning-engine/activities/actions.ts"),
  "planning-engine/dismantling": () => import("#lib/planning-engine/dismantling/actions.ts"),
  "planning-engine/input-check": () => import("#lib/planning-engine/input-check/actions.ts"),
  "planning-engine/inputs": () => import("#lib/planning-engine/inputs/actions.ts"),
  "planning-engine/inventory-sync": () => import("#lib/planning-engine/inventory-sync/actions.ts"),
  "planning-engine/prefill": () => import("#lib/planning-engine/prefill/actions.ts"),
  "planning-engine/output-charts": () => import("#lib/planning-engine/output-charts/actions.ts"),
  "planning-engine/output-facts": () => import("#lib/planning-engine/output-facts/actions.ts"),
  "planning-engine/output-material": () => import("#lib/planning-engine/output-material/actions.ts"),
  "planning-engine/outputs": () => import("#lib/planning-engine/outputs/actions.ts"),
  "planning-engine/runs": () => import("#lib/planning-engine/runs/actions.ts"),
  "planning-engine/sheets": () => import("#lib/planning-engine/sheets/actions.ts"),
  "planning-engine/versions": () => import("#lib/planning-engine/versions/actions.ts"),
  "planning-engine/warehouses": () => import("#lib/planning-engine/warehouses/actions.ts"),
  regions: () => import("#lib/regions/actions.ts"),
  "regions/networks": () => import("#lib/regions/networks/actions.ts"),
  "reminders/deviations": () => import("#lib/reminders/deviations/actions.ts"),
  "reminders/du-notifications": () => import("#lib/reminders/du-notifications/actions.ts"),
  "reminders/looks": () => import("#lib/reminders/looks/actions.ts"),
  "reminders/mail-templates": () => import("#lib/reminders/mail-templates/actions.ts"),
  "reminders/notices": () => import("#lib/reminders/notices/actions.ts"),
  "reminders/outbox": () => import("#lib/reminders/outbox/actions.ts"),
  "resources/capacity": () => import("#lib/resources/capacity/actions.ts"),
  "resources/isolation": () => import("#lib/resources/isolation/actions.ts"),
  "resources/project-cycle": () => import("#lib/resources/project-cycle/actions.ts"),
  "resources/project-money": () => import("#lib/resources/project-money/actions.ts"),
  "resources/site-types": () => import("#lib/resources/site-types/actions.ts"),
  "resources/subcontractors": () => import("#lib/resources/subcontractors/actions.ts"),
  "reminders/rfi": () => import("#lib/reminders/rfi/actions.ts"),
  "reminders/rules": () => import("#lib/reminders/rules/actions.ts"),
  "reminders/settings": () => import("#lib/reminders/settings/actions.ts"),
  "reminders/switching": () => import("#lib/reminders/switching/actions.ts"),
  "reminders/warning-config": () => import("#lib/reminders/warning-config/actions.ts"),
  "resources/assignment": () => import("#lib/resources/assignment/actions.ts"),
  "resources/candidates": () => import("#lib/resources/candidates/actions.ts"),
  "resources/groups": () => import("#lib/resources/groups/actions.ts"),
  "resources/introductions": () => import("#lib/resources/introductions/actions.ts"),
  "resources/pool": () => import("#lib/resources/pool/actions.ts"),
  "resources/pool-sheet": () => import("#lib/resources/pool-sheet/actions.ts"),
  "resources/settings": () => import("#lib/resources/settings/actions.ts"),
  "resources/transfers": () => import("#lib/resources/transfers/actions.ts"),
  "rollout-plan": () => import("#lib/rollout-plan/actions.ts"),
  "rollout-plan/batches": () => import("#lib/rollout-plan/batches/actions.ts"),
  "rollout-plan/board": () => import("#lib/rollout-plan/board/actions.ts"),
  "rollout-plan/cards": () => import("#lib/rollout-plan/cards/actions.ts"),
  "rollout-plan/columns": () => import("#lib/rollout-plan/columns/actions.ts"),
  "rollout-plan/du-export": () => import("#lib/rollout-plan/du-export/actions.ts"),
  "rollout-plan/du-tree": () => import("#lib/rollout-plan/du-tree/actions.ts"),
  "rollout-plan/dus": () => import("#lib/rollout-plan/dus/actions.ts"),
  "rollout-plan/plan-export": () => import("#lib/rollout-plan/plan-export/actions.ts"),
  "rollout-plan/edits": () => import("#lib/rollout-plan/edits/actions.ts"),
  "rollout-plan/exception-list": () => import("#lib/rollout-plan/exception-list/actions.ts"),
  "rollout-plan/feeds": () => import("#lib/rollout-plan/feeds/actions.ts"),
  "rollout-plan/filters": () => import("#lib/rollout-plan/filters/actions.ts"),
  "rollout-plan/gantt": () => import("#lib/rollout-plan/gantt/actions.ts"),
  "rollout-plan/saved-views": () => import("#lib/rollout-plan/saved-views/actions.ts"),
  "rollout-plan/permits": () => import("#lib/rollout-plan/permits/actions.ts"),
  "rollout-plan/map-points": () => import("#lib/rollout-plan/map-points/actions.ts"),
  "rollout-plan/tiles": () => import("#lib/rollout-plan/tiles/actions.ts"),
  "rollout-plan/two-networks": () => import("#lib/rollout-plan/two-networks/actions.ts"),
  "rollout-plan/undos": () => import("#lib/rollout-plan/undos/actions.ts"),
  scheduling: () => import("#lib/scheduling/actions.ts"),
  "scheduling/calendar": () => import("#lib/scheduling/calendar/actions.ts"),
  "scheduling/calendar-sheet": () => import("#lib/scheduling/calendar-sheet/actions.ts"),
  "scheduling/holidays": () => import("#lib/scheduling/holidays/actions.ts"),
  "scheduling/locks": () => import("#lib/scheduling/locks/actions.ts"),
  "scheduling/plan-changes": () => import("#lib/scheduling/plan-changes/actions.ts"),
  "scheduling/releases": () => import("#lib/scheduling/releases/actions.ts"),
  session: () => import("#lib/session/actions.ts"),
  "session/sign-ins": () => import("#lib/session/sign-ins/actions.ts"),
  "session/tokens": () => import("#lib/session/tokens/actions.ts"),
  settings: () => import("#lib/settings/actions.ts"),
  "settings/closing": () => import("#lib/settings/closing/actions.ts"),
  tasks: () => import("#lib/tasks/actions.ts"),
  templates: () => import("#lib/templates/actions.ts"),
  "templates/applications": () => import("#lib/templates/applications/actions.ts"),
  "templates/parts": () => import("#lib/templates/parts/actions.ts"),
  "templates/sharing": () => import("#lib/templates/sharing/actions.ts"),
  "work-orders": () => import("#lib/work-orders/actions.ts"),
  "work-orders/na-requests": () => import("#lib/work-orders/na-requests/actions.ts"),
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

let book: Promise<AddressBook> | undefined;

/** Every declared call with the area it belongs to; of some areas only those are loaded. */
export async function allCalls(
  of: readonly string[] = Object.keys(callModules),
): Promise<{ area: string; name: string; declaration: Declaration }[]> {
  const areas = await Promise.all(
    of.map(async (area) => {
      const exported = (await callModules[area]?.()) ?? {};
      return Object.entries(exported)
        .filter(([, value]) => typeof value === "function" && "declaration" in value)
        .map(([name, value]) => ({ area, name, declaration: (value as unknown as { declaration: Declaration }).declaration }));
    }),
  );
  return areas.flat();
}

/** All calls by address, made once. */
export function addressBook(): Promise<AddressBook> {
  book ??= allCalls().then((calls) => new AddressBook(calls.map((call) => call.declaration)));
  return book;
}
