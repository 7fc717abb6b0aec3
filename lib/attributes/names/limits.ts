import type { PermissionCode } from "#lib/permissions.ts";

/** Kinds of configuration with a name of their own: where it stands, which rows count, and who may ask. An area whose names are unique adds its line. */
export const namedKinds = {
  ATTRIBUTE: { table: "attribute", name: "name", live: "deleted_at is null", right: "attribute.view" },
  DU_TAB: { table: "du_tab", name: "name", live: "deleted_at is null", right: "attribute.view" },
  FLOW_RULE: { table: "du_flow_rule", name: "name", live: "true", right: "flow.view" },
  GROUP: { table: "res_group", name: "name", live: "true", right: "resource.view" },
  LOOKUP_LIST: { table: "lookup_list", name: "code", live: "true", right: "attribute.view" },
  OWNER_RULE: { table: "owner_rule", name: "name", live: "deleted_at is null", right: "owner.view" },
  REGION: { table: "delivery_region", name: "name", live: "deleted_at is null", right: "region.view" },
  RULE: { table: "plan_rule", name: "name", live: "deleted_at is null", right: "rule.view" },
} as const satisfies Record<string, { table: string; name: string; live: string; right: PermissionCode }>;
export type NamedKind = keyof typeof namedKinds;
/** Longest name that is looked for. */
export const askedNameChars = 250;
