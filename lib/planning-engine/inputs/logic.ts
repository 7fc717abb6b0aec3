/** A kind of input rows: its table, what a caller reads and writes of it, and which columns are searched. */
export type Block = {
  table: string;
  /** Rows belong to a version, or to the project as a whole. */
  scope: "version" | "project";
  /** Field → column and its type. */
  fields: Record<string, readonly [column: string, type: "text" | "bigint" | "int" | "numeric" | "date" | "boolean"]>;
  search: readonly string[];
  /** What is read beside the fields: field → expression over `r` and the joined tables. */
  shown?: Record<string, string>;
  joins?: string;
  /** Fields that name a row of another table of the project. */
  refers?: Record<string, string>;
  /** What is shown and saved too, as a list of its own tables. */
  lists?: readonly string[];
  /** Order of the rows; by their id without. */
  order?: string;
};

/** Names of the activities a kind of link joins a row `r` with, in the order of the workflow. */
const linked = (
  kind: "co_resource" | "co_team",
) => `coalesce((select jsonb_agg(o.activity_name order by o.sort, o.id) from engine_activity_link l
  join engine_activity o on o.id = case when l.engine_activity_id = r.id then l.other_engine_activity_id else l.engine_activity_id end
  where l.kind = '${kind}' and r.id in (l.engine_activity_id, l.other_engine_activity_id)), '[]')`;

/** The inputs that are kept as rows. */
export const blocks = {
  du: {
    table: "engine_du",
    scope: "version",
    fields: {
      duId: ["du_id", "bigint"],
      workflowName: ["workflow_name", "text"],
      duType: ["du_type", "text"],
      customerSite: ["customer_site", "text"],
      directMigrationSite: ["direct_migration_site", "text"],
      allowDirectMoving: ["allow_direct_moving", "boolean"],
      region: ["region", "text"],
      longitude: ["longitude", "numeric"],
      latitude: ["latitude", "numeric"],
      cluster: ["cluster", "text"],
      clusterPriority: ["cluster_priority", "int"],
      rfiPriority: ["rfi_priority", "int"],
      planEndDate: ["plan_end_date", "date"],
      icActualEndDate: ["ic_actual_end_date", "date"],
      decomActualEndDate: ["decom_actual_end_date", "date"],
      eomonth: ["eomonth", "date"],
      decomSite: ["decom_site", "text"],
      inScope: ["in_scope", "boolean"],
    },
    search: ["d.code", "d.name", "r.cluster"],
    shown: { duCode: "d.code", duName: "d.name" },
    joins: "join du d on d.id = r.du_id",
    refers: { duId: "du" },
  },
  activity: {
    table: "engine_activity",
    scope: "version",
    fields: {
      workflowName: ["workflow_name", "text"],
      activityName: ["activity_name", "text"],
      sort: ["sort", "int"],
      durationDays: ["duration_days", "int"],
      materialRelated: ["material_related", "boolean"],
      needSubcontractor: ["need_subcontractor", "boolean"],
      disassembly: ["disassembly", "boolean"],
      assembly: ["assembly", "boolean"],
      skillType: ["skill_type", "text"],
      resourceName: ["resource_name", "text"],
    },
    search: ["r.workflow_name", "r.activity_name", "r.skill_type"],
    shown: {
      slot: "r.slot",
      predecessors: `coalesce((select jsonb_agg(jsonb_build_object('activityName', o.activity_name, 'relation', p.relation, 'offsetDays', p.offset_days)
        order by o.sort, o.id) from engine_activity_pre p join engine_activity o on o.id = p.pre_engine_activity_id where p.engine_activity_id = r.id), '[]')`,
      coResource: linked("co_resource"),
      coTeam: linked("co_team"),
    },
    lists: ["predecessors", "coResource", "coTeam"],
    order: "r.workflow_name, r.sort, r.id",
  },
  skillResource: {
    table: "engine_skill_resource",
    scope: "version",
    fields: {
      skillType: ["skill_type", "text"],
      resourceName: ["resource_name", "text"],
      region: ["region", "text"],
      teamCount: ["team_count", "int"],
    },
    search: ["r.skill_type", "r.resource_name"],
  },
  duMaterial: {
    table: "engine_du_material",
    scope: "version",
    fields: {
      duId: ["du_id", "bigint"],
      itemCode: ["item_code", "text"],
      description: ["description", "text"],
      decomQty: ["decom_qty", "numeric"],
      installQty: ["install_qty", "numeric"],
      materialCategory: ["material_category", "text"],
    },
    search: ["d.code", "r.item_code"],
    shown: { duCode: "d.code" },
    joins: "join du d on d.id = r.du_id",
    refers: { duId: "du" },
  },
  inventory: {
    table: "engine_inventory",
    scope: "version",
    fields: {
      warehouseId: ["warehouse_id", "bigint"],
      itemCode: ["item_code", "text"],
      inventoryQty: ["inventory_qty", "numeric"],
      planQty: ["plan_qty", "numeric"],
      planInboundDate: ["plan_inbound_date", "date"],
    },
    search: ["w.name", "r.item_code"],
    shown: { warehouseName: "w.name", origin: "r.origin" },
    joins: "join engine_warehouse w on w.id = r.warehouse_id",
    refers: { warehouseId: "engine_warehouse" },
  },
  itemSubstitute: {
    table: "engine_item_substitute",
    scope: "version",
    fields: {
      designItemCode: ["design_item_code", "text"],
      designDescription: ["design_description", "text"],
      designQty: ["design_qty", "numeric"],
      designPriority: ["design_priority", "int"],
      groupName: ["group_name", "text"],
      warehouseItemCode: ["warehouse_item_code", "text"],
      warehouseDescription: ["warehouse_description", "text"],
      warehouseQty: ["warehouse_qty", "numeric"],
      substitutionPriority: ["substitution_priority", "int"],
    },
    search: ["r.design_item_code", "r.warehouse_item_code", "r.group_name"],
  },
  reuseMaterial: {
    table: "engine_reuse_material",
    scope: "version",
    fields: {
      itemCode: ["item_code", "text"],
      materialCategory: ["material_category", "text"],
      damageRate: ["damage_rate", "numeric"],
      reuseRate: ["reuse_rate", "numeric"],
      bufferRate: ["buffer_rate", "numeric"],
      turnaroundDays: ["turnaround_days", "int"],
    },
    search: ["r.item_code"],
  },
  warehouse: {
    table: "engine_warehouse",
    scope: "project",
    fields: {
      name: ["name", "text"],
      principalName: ["principal_name", "text"],
      priority: ["priority", "int"],
      type: ["type", "text"],
      region: ["region", "text"],
    },
    search: ["r.name"],
  },
  warehouseMapping: {
    table: "engine_warehouse_mapping",
    scope: "project",
    fields: {
      sourceSystem: ["source_system", "text"],
      sourceCode: ["source_code", "text"],
      warehouseId: ["warehouse_id", "bigint"],
    },
    search: ["r.source_system", "r.source_code", "w.name"],
    shown: { warehouseName: "w.name" },
    joins: "join engine_warehouse w on w.id = r.warehouse_id",
    refers: { warehouseId: "engine_warehouse" },
  },
} as const satisfies Record<string, Block>;
export type BlockName = keyof typeof blocks;

/** A row as a caller gives it: with id and revision where it is there already. Fields that are left out are empty. */
export type GivenRow = { id?: number | undefined; rowVersion?: number | undefined } & Record<string, unknown>;

/** Whether a row says anything else than what is stored. */
export function isChanged({ fields, lists = [] }: Block, given: GivenRow, stored: Record<string, unknown>): boolean {
  return (
    Object.keys(fields).some((field) => (given[field] ?? null) !== stored[field]) ||
    lists.some((list) => listText(given[list]) !== listText(stored[list]))
  );
}

/** A list as text that does not depend on its order, nor on that of the fields of its entries. */
function listText(list: unknown): string {
  const entries = (list ?? []) as readonly (string | Record<string, unknown>)[];
  const text = (entry: string | Record<string, unknown>) =>
    typeof entry === "string" ? entry : JSON.stringify(entry, Object.keys(entry).sort());
  return JSON.stringify(entries.map(text).sort());
}

/** Last day of the month a day lies in: what an end of month is kept as. */
export function lastOfMonth(day: string): string {
  const [year = 0, month = 0] = day.split("-").map(Number);
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}
