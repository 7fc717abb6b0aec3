import "server-only";
import type { ImportKind } from "../kind/logic.ts";
import type { ImportKindName } from "../limits.ts";

const kinds: Record<ImportKindName, () => Promise<ImportKind>> = {
  calendar: () => import("#lib/scheduling/calendar-sheet/commands.ts").then((area) => area.calendarImport),
  duRelations: () => import("#lib/activity-flows/du-relations/commands.ts").then((area) => area.duRelationImport),
  dus: () => import("#lib/rollout-plan/du-import/commands.ts").then((area) => area.duImport),
  members: () => import("#lib/access/member-sheet/commands.ts").then((area) => area.memberImport),
  flows: () => import("#lib/activity-flows/flow-sheet/commands.ts").then((area) => area.flowImport),
  duOwners: () => import("#lib/owners/owner-sheets/commands.ts").then((area) => area.duOwnerImport),
  regionOwners: () => import("#lib/owners/owner-sheets/commands.ts").then((area) => area.regionOwnerImport),
  networkRegions: () => import("#lib/regions/network-sheet/commands.ts").then((area) => area.networkRegionImport),
  planFeedback: () => import("#lib/plan-versions/feedback-sheet/commands.ts").then((area) => area.feedbackImport),
  resources: () => import("#lib/resources/pool-sheet/commands.ts").then((area) => area.poolImport),
  reversePlan: () => import("#lib/rollout-plan/plan-import/commands.ts").then((area) => area.foreignPlanImport),
  plan: () => import("#lib/rollout-plan/plan-import/commands.ts").then((area) => area.planImport),
  sites: () => import("#lib/rollout-plan/site-import/commands.ts").then((area) => area.siteImport),
};

/** What an area gives so that its objects can be imported, loaded when it is needed. */
export const loadKind = (name: ImportKindName): Promise<ImportKind> => kinds[name]();
