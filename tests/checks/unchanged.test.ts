import { isDeepStrictEqual } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { allCalls } from "#lib/calls.ts";
import { useDatabase } from "../support/database.ts";
import { makeMember, makeRegion, makeSubcontractor } from "../support/factories.ts";
import { makeAttribute, makeDus, makeFlow } from "../support/plan-factories.ts";
import { planCalls, usePlanProject } from "../support/plan-project.ts";
import { readSource } from "../support/source-files.ts";

const db = useDatabase();
const project = usePlanProject(db);
const { call } = planCalls(db, project);

let other: number;
let north: number;
let company: number;
let attribute: number;
let choice: number;
let zone: number;
let version: number;
let warehouse: number;
let tab: number;
let targetRule: number;
let milestone: number;
let dus: number[];
let member: { id: number; account: string };

beforeAll(async () => {
  await db.owner`update project set country = 'BR' where id = ${project.id}`;
  other = await makeFlow(db.owner, project.id, project.pm.id, project.activities, "Swap");
  north = await makeRegion(db.owner, project.id, "North");
  company = await makeSubcontractor(db.owner, project.id);
  attribute = (await makeAttribute(db.owner, project.id)).id;
  dus = await makeDus(db.owner, project.id, [{}, {}], project.flow);
  member = await makeMember(db.owner, project.id, "TL");
  await db.owner`insert into region_owner (region_id, user_id) values (${north}, ${project.pm.id})`;
  zone = (await makeAttribute(db.owner, project.id)).id;
  await db.owner`update attribute set editable_subcon = false where id = ${zone}`;
  choice = (await makeAttribute(db.owner, project.id, { type: "ENUM" })).id;
  version = await made("engine/version/save", { versionName: "Inputs", source: "page_input" });
  tab = await made("duTabAttr/tab/save", { name: "Doors", keyMode: "SN", sortNo: 2, brazilOnly: false });
  milestone = await made("milestoneConfig/save", {
    milestone: { number: "M0", nameZh: "零", nameEn: "None", nameJa: "", flag: "normal", color: "c1", enabled: true },
    infos: [{ target: "activity", dateField: "plan_end" }],
  });
  targetRule = await made("planAutoRule/save", {
    name: "Targets",
    ruleType: "ORG_TARGET",
    flowId: project.flow.id,
    regionIds: [north],
    effectiveAt: "2026-10-20T08:00:00+08:00",
    expireDate: "2026-12-31",
    autoExecute: false,
    frequency: 24,
    actions: [],
  });
  const main = { name: "Main", priority: 1, type: "central" };
  warehouse = (await call(project.pm, "nc/centerWarehouse/save", { rows: [main] })).data.ids[0];
});

/** What a call made is named by. */
const made = async (address: string, form: Form): Promise<number> => (await call(project.pm, address, form)).data.id;

const activity = (slot: number) => project.activities[slot - 1]!.id;
const daily = { frequency: { kind: "DAILY" }, sendTime: "08:00", validBegin: "2026-10-01T00:00", validEnd: "2026-10-31T23:59" };
const kept = { plan: true, actual: true, owner: true, baseline: true, deliverables: true, attributes: true };

/** What the form of a stored object sends: all it shows, with the id and the revision it was read at. */
type Form = Record<string, unknown>;
type Stored = { id: number | string; rowVersion: number };
type Save = {
  address: string;
  /** Where it is kept. */
  table: string;
  form: () => Form;
  /** The form with the revision in its place; beside the values unless told. */
  with?: (form: Form, stored: Stored) => Form | Promise<Form>;
  /** The form of an object that is there before. */
  first?: (form: Form) => Form | Promise<Form>;
};

/** One for the whole project: it has no id. */
const single = (form: Form, { rowVersion }: Stored) => ({ ...form, rowVersion });
const first = (form: Form) => ({ ...form, rowVersion: 0 });

/** The same again: it has no revision. */
const alike = (form: Form) => form;

/** A row of a grid: of a version of the planning engine, or of the project as a whole. */
const gridRow = (address: string, table: string, form: Save["form"], ofVersion = true): Save => {
  const rows = (row: Form) => ({ ...(ofVersion && { versionId: version }), rows: [row] });
  return { address, table, form, first: rows, with: (row, stored) => rows({ ...row, ...stored }) };
};

/** The whole to one region: shares are saved together. */
const shares = async (_form: Form, stored?: Stored) => {
  const regions = await db.owner<{ id: number; rowVersion: number }[]>`
    select id, row_version as "rowVersion" from delivery_region where project_id = ${project.id} order by id`;
  return { shares: regions.map((region, at) => ({ ...region, ...(region.id === stored?.id && stored), percentage: at === 0 ? 100 : 0 })) };
};

const saves: Save[] = [
  {
    address: "deliveryRegion/save",
    table: "delivery_region",
    form: () => ({ name: "West", sortNo: 3, networkRegionIds: [] }),
    first: (region) => ({ regions: [region] }),
    with: (region, stored) => ({ regions: [{ ...region, ...stored }] }),
  },
  {
    address: "deliveryRegion/saveShare",
    table: "delivery_region",
    form: () => ({}),
    first: shares,
    with: shares,
  },
  { address: "networkRegion/save", table: "network_region", form: () => ({ name: "Core" }) },
  {
    address: "commomUtil/saveCalendarSetData",
    table: "work_calendar",
    form: () => ({ weekdays: [1, 2, 3, 4, 6], days: [{ day: "2026-12-25", working: false, name: "Holiday" }] }),
    with: single,
  },
  { address: "flow/save", table: "activity_flow", form: () => ({ name: "Draft", description: "New", deliveryTypes: ["5G"] }) },
  {
    address: "activityLibrary/save",
    table: "activity_library",
    form: () => ({ code: "X9", name: "Extra", kind: "normal", automatic: false }),
  },
  {
    address: "duRelation/save",
    table: "du_relation",
    form: () => ({ duId: dus[0], relatedDuId: dus[1], kind: "power", note: "Same mast" }),
  },
  {
    address: "duFlowRule/save",
    table: "du_flow_rule",
    form: () => ({
      name: "North",
      flowId: project.flow.id,
      regionId: north,
      conditions: [{ object: { k: "DU", f: "code" }, operator: "startsWith", values: ["X"], open: 0, close: 0, logic: null }],
    }),
  },
  {
    address: "retentionMapping/save",
    table: "retention_mapping",
    form: () => ({
      name: "All",
      fromFlowId: project.flow.id,
      toFlowId: other,
      isDefault: true,
      rows: [
        { fromActivityId: activity(2), toActivityId: activity(2), ...kept },
        { fromActivityId: activity(1), toActivityId: activity(1), ...kept },
      ],
    }),
  },
  {
    address: "subFlow/save",
    table: "sub_flow",
    form: () => ({ name: "Steps", status: "active" }),
    first: (subFlow) => ({ subFlow, steps: [{ name: "One" }, { name: "Two", weight: 2 }] }),
    with: async (subFlow, stored) => ({
      subFlow: { ...subFlow, ...stored },
      steps: await db.owner`select id, name, weight::float8 from sub_flow_step where sub_flow_id = ${stored.id} order by seq`,
    }),
  },
  {
    address: "planAttr/save",
    table: "attribute",
    form: () => ({ name: "Height", type: "NUMBER", remark: "", defaultValue: "12", flowIds: [other, project.flow.id], required: true }),
  },
  {
    address: "lookupList/save",
    table: "lookup_list",
    form: () => ({ code: "Vendors" }),
    first: (list) => ({ ...list, values: [{ value: "A", children: [{ value: "A1" }] }] }),
    with: async (list, stored) => {
      const { lists } = (await call(project.pm, "lookupList/list")).data;
      return { ...list, ...stored, values: lists.find(({ id }: { id: number }) => id === stored.id).values };
    },
  },
  {
    address: "attrPermission/save",
    table: "attribute_permission",
    form: () => ({
      subjectType: "ROLE",
      role: "TL",
      entries: [
        { attributeId: "*", mode: "RW" },
        { attributeId: attribute, mode: "RO" },
      ],
    }),
  },
  {
    address: "rollPlanDependency/save",
    table: "dep_rule",
    form: () => ({
      flowId: null,
      prerequisites: [{ activityId: activity(1), event: "COMPLETE" }],
      targets: [{ activityId: activity(2), event: "START" }],
      expireDate: "2026-12-31",
    }),
  },
  {
    address: "multiDim/tab/save",
    table: "multi_dim_tab",
    form: () => ({
      alias: "By town",
      dimension: "town",
      activityIds: [activity(5), activity(1)],
      showRate: true,
      showAmount: true,
      global: true,
    }),
  },
  {
    address: "multiDim/global/save",
    table: "multi_dim_global",
    form: () => ({ allowPersonal: true, defaultTabId: null, period: "thisMonth", rowLimit: 20 }),
    first,
    with: single,
  },
  { address: "cluster/save", table: "cluster", form: () => ({ name: "C1", priority: 1, regionId: north, completionRate: 0, color: "c2" }) },
  { address: "duTabAttr/tab/save", table: "du_tab", form: () => ({ name: "Racks", keyMode: "SN", sortNo: 1, brazilOnly: false }) },
  {
    address: "milestoneConfig/save",
    table: "milestone",
    form: () => ({ number: "M1", nameZh: "一", nameEn: "One", nameJa: "", flag: "normal", color: "c1", enabled: true }),
    first: (milestone) => ({ milestone, infos: [{ target: "activity", dateField: "plan_end" }] }),
    with: (milestone, stored) => ({ milestone: { ...milestone, ...stored }, infos: [{ target: "activity", dateField: "plan_end" }] }),
  },
  {
    address: "tempProcess/save",
    table: "temp_process",
    form: () => ({ name: "Rescue", flowId: project.flow.id, steps: [{ workOrderName: "Tow", ownerRole: "TL", days: 2 }] }),
  },
  { address: "tempMilestone/save", table: "temp_milestone", form: () => ({ name: "Road works", productCode: "", product: "Road" }) },
  {
    address: "memberRole/save",
    table: "project_member",
    form: () => ({ validFrom: "2026-10-01", validTo: "2027-03-31" }),
    first: (period) => ({ ...period, userId: member.id, role: "TD" }),
  },
  {
    address: "ownerRule/save",
    table: "owner_rule",
    form: () => ({
      name: "Leads",
      flowIds: [project.flow.id],
      ownerFields: ["PLAN_OWNER"],
      fillMode: "REGION_OWNER",
      conditions: [{ object: { k: "DU", f: "region" }, operator: "EQ", values: [String(north)] }],
    }),
  },
  {
    address: "planAutoRule/save",
    table: "plan_rule",
    form: () => ({
      name: "Install after survey",
      ruleType: "ACT_TO_ACT",
      flowId: project.flow.id,
      regionIds: [north],
      effectiveAt: "2026-10-20T08:00:00+08:00",
      expireDate: "2026-12-31",
      autoExecute: true,
      frequency: 24,
      actions: [
        { sources: [{ k: "ACT", a: activity(1), f: "PLAN_END" }], target: { k: "ACT", a: activity(5), f: "PLAN_END" }, offset: 14 },
      ],
    }),
  },
  {
    address: "dataVersion/plan/save",
    table: "rollout_plan",
    form: () => ({ name: "The plan of the roll-out" }),
    first: async (plan) => ({ ...plan, rowVersion: (await call(project.pm, "dataVersion/plan/find")).data.rowVersion }),
    with: single,
  },
  {
    address: "dataVersion/save",
    table: "plan_version",
    form: () => ({ name: "As agreed", remark: "With the customer" }),
    first: (version) => ({ ...version, kind: "baseline" }),
  },
  {
    address: "emailRemind/save",
    table: "deviation_remind",
    form: () => ({ regionId: north, activityId: activity(3), deviationDays: 3, roles: ["TL"], userIds: [project.pm.id], ...daily }),
  },
  {
    address: "mailTemplate/save",
    table: "mail_template",
    form: () => ({ kind: "DIGEST", lang: "en", subject: "Rules", body: "Rules are out of force" }),
    first,
    with: single,
  },
  {
    address: "rfiRemind/save",
    table: "rfi_remind",
    form: () => ({ stateId: "SP", minDays: 5, maxDays: 15, remindTypes: ["MAIL"] }),
    first: (state) => ({ rows: [state] }),
    with: (state, stored) => ({ rows: [{ ...state, ...stored }] }),
  },
  {
    address: "remSetting/save",
    table: "rem_setting",
    form: () => ({
      senderName: "Roll-out team",
      replyTo: "team@example.com",
      defaultSendTime: "07:30",
      equipmentAccountAttributeId: attribute,
      productNameAttributeId: null,
    }),
    first,
    with: single,
  },
  {
    address: "warningConfig/save",
    table: "warning_config",
    form: () => ({
      anchorActivityId: activity(3),
      fieldA: "actualEnd",
      alertActivityId: activity(5),
      fieldB: "planEnd",
      operator: "GT",
      days: 14,
      level: "DEFAULT",
      message: "{du}: {b}",
    }),
  },
  {
    address: "assignaResource/save",
    table: "res_assignment",
    form: () => ({ types: ["OWN"], requiredSkill: "Rigging", maxDistanceKm: 12.5 }),
    first: (rule) => ({ rows: [{ ...rule, activityId: activity(1), rowVersion: 0 }] }),
    with: (rule, { rowVersion }) => ({ rows: [{ ...rule, activityId: activity(1), rowVersion }] }),
  },
  {
    address: "subconConfig/updateSubconConfig",
    table: "subcon_setting",
    form: () => ({
      subcontractorId: company,
      config: { selfDispatch: true },
      capacity: [
        {
          regionId: north,
          baseline: 10,
          upperCap: 18,
          lowerLimit: 5,
          leadTimeWeeks: 2,
          increasePeriodWeeks: 1,
          increasePerCycle: 2,
          redundancyRatio: 120.5,
          startWeek: "2026-10-11",
          weeks: [{ week: "2026-10-18", value: 12 }],
        },
      ],
    }),
    first,
    with: single,
  },
  { address: "resGroup/save", table: "res_group", form: () => ({ name: "Team", scenario: "Swap", members: [] }) },
  {
    address: "resource/save",
    table: "resource",
    form: () => ({ phone: "86138", contractor: "ACME" }),
    first: async (person) => {
      const [held] =
        await db.owner`select id, row_version as "rowVersion" from resource where project_id = ${project.id} order by id desc limit 1`;
      return { rows: [{ ...person, ...held }] };
    },
    with: (person, stored) => ({ rows: [{ ...person, ...stored }] }),
  },
  {
    address: "projectCycle/save",
    table: "project_cycle",
    form: () => ({
      projectNumber: "P100",
      phases: [
        { code: "B", name: "Build", startDate: "2026-11-01", endDate: "2026-12-31" },
        { code: "S", name: "Survey", startDate: "2026-10-01", endDate: "2026-10-31" },
      ],
    }),
  },
  { address: "projectCurrency/save", table: "project_currency", form: () => ({ code: "EUR", confirm: true }), first, with: single },
  { address: "clusterRate/save", table: "cluster_rate", form: () => ({ kind: "REAL", value: 0.5 }), first, with: single },
  { address: "resSetting/save", table: "res_setting", form: () => ({ keyRoles: ["PM", "TD"] }), first, with: single },
  {
    address: "siteType/save",
    table: "site_type",
    form: () => ({ name: "Macro", subs: [{ dimension: "Scenario", name: "Urban", percentage: 100 }] }),
    first: (type) => ({ dimensions: [{ name: "Scenario" }], base: [], types: [type] }),
    with: (type, stored) => ({ types: [{ ...type, ...stored }] }),
  },
  { address: "subconType/save", table: "subcon_type", form: () => ({ name: "Civil", activityIds: [activity(1)] }) },
  {
    address: "subcontractor/save",
    table: "subcontractor",
    form: () => ({ code: "B1", name: "Bolt", countries: ["JP", "BR"], dpaRequired: true, dpaExpires: "2026-12-31", status: "ACTIVE" }),
  },
  {
    address: "savedView/save",
    table: "saved_view",
    form: () => ({ name: "Cards", state: { view: "card", columns: ["a", "b"] }, shared: false }),
  },
  {
    address: "template/basic/save",
    table: "template",
    form: () => ({
      kind: "grid",
      name: "Daily",
      objectType: "project",
      gridKey: "plan",
      isPublic: false,
      remark: "",
      body: { columns: [{ key: "code", locked: true, width: 180 }] },
    }),
  },
  {
    address: "engine/version/save",
    table: "engine_plan_version",
    form: () => ({ description: "First" }),
    first: (version) => ({ ...version, versionName: "V0", source: "page_input" }),
  },
  {
    address: "engine/version/rename",
    table: "engine_plan_version",
    form: () => ({ versionName: "V2" }),
    first: async (version) => {
      const { id } = (await call(project.pm, "engine/version/save", { versionName: "V1", source: "page_input" })).data;
      return { ...version, id, rowVersion: 1 };
    },
  },
  gridRow("site/save", "customer_site", () => ({ code: "S1", name: "Mast", city: "Kobe", status: "active" }), false),
  gridRow("nc/centerWarehouse/save", "engine_warehouse", () => ({ name: "Side", priority: 2, type: "central", region: "" }), false),
  gridRow(
    "nc/warehouseMapping/save",
    "engine_warehouse_mapping",
    () => ({ sourceSystem: "ERP", sourceCode: "W1", warehouseId: warehouse }),
    false,
  ),
  gridRow("nc/duConfig/save", "engine_du", () => ({ duId: dus[0], workflowName: "NEW", duType: "both", eomonth: "2026-11-02" })),
  gridRow("engine/skillResource/save", "engine_skill_resource", () => ({ skillType: "INST", resourceName: "North", teamCount: 2 })),
  gridRow("nc/duMaterial/save", "engine_du_material", () => ({ duId: dus[0], itemCode: "ANT", installQty: 2.5 })),
  gridRow("nc/inventory/save", "engine_inventory", () => ({ warehouseId: warehouse, itemCode: "ANT", inventoryQty: 4 })),
  gridRow("nc/itemSubstitute/save", "engine_item_substitute", () => ({
    designItemCode: "ANT",
    designQty: 1,
    designPriority: 1,
    groupName: "G1",
    warehouseItemCode: "ANT-2",
    warehouseQty: 2,
    substitutionPriority: 1,
  })),
  gridRow("nc/reuseMaterial/save", "engine_reuse_material", () => ({ itemCode: "ANT", reuseRate: 0.8 })),
  {
    address: "lookupList/import",
    table: "lookup_list",
    form: () => ({ text: "East\nNorth\tN1\n" }),
    first: async (lines) => ({ ...lines, id: await made("lookupList/save", { code: "Areas", values: [] }), rowVersion: 1 }),
  },
  {
    address: "planAttrEnum/save",
    table: "attribute",
    form: () => ({ attributeId: choice }),
    first: (of) => ({ ...of, rowVersion: 1, values: [{ value: "Concrete" }, { value: "Steel", active: false }] }),
    with: async (of, { rowVersion }) => ({
      ...of,
      rowVersion,
      values: await db.owner`select id, value, active from attribute_enum where attribute_id = ${choice} order by sort_no`,
    }),
  },
  {
    address: "attrPermission/addGrant/save",
    table: "attribute_add_grant",
    form: () => ({
      grants: [
        { subjectType: "ROLE", role: "TD" },
        { subjectType: "ACCOUNT", userId: member.id },
      ],
    }),
    first: (named) => ({ ...named, base: [] }),
    with: ({ grants }) => ({ grants: (grants as Form[]).toReversed(), base: grants }),
  },
  {
    address: "duTabAttr/user/save",
    table: "du_tab_user",
    form: () => ({
      tabId: tab,
      users: [
        { role: "TD", mode: "RO" },
        { account: member.account, mode: "RW" },
      ],
    }),
    first: (named) => ({ ...named, base: [] }),
    with: ({ tabId, users }) => ({ tabId, users: (users as Form[]).toReversed(), base: users }),
  },
  {
    address: "orgTarget/save",
    table: "org_target",
    form: () => ({
      ruleId: targetRule,
      spread: true,
      regionId: north,
      activityId: activity(5),
      total: 7,
      from: "2026-10-12",
      to: "2026-10-26",
    }),
    with: ({ ruleId, regionId, activityId }) => ({
      ruleId,
      rows: Object.entries({ "2026-10-26": 2, "2026-10-12": 3, "2026-11-02": null }).map(([weekStart, target]) => ({
        regionId,
        activityId,
        weekStart,
        target,
        base: target,
      })),
    }),
  },
  {
    address: "delegation/save",
    table: "role_delegation",
    form: () => ({ role: "PM", delegateId: member.id, validFrom: "2026-10-14", validTo: "2026-10-20", reason: "" }),
    with: alike,
  },
  {
    address: "milestoneConfig/mapping/save",
    table: "milestone_mapping",
    form: () => ({
      rows: [
        { milestoneId: milestone, flowId: project.flow.id, activityId: activity(4), base: null },
        { milestoneId: milestone, flowId: other, activityId: null, base: null },
      ],
    }),
    with: alike,
  },
  {
    address: "subcon/save",
    table: "isolation_detail",
    form: () => ({ attributeId: zone, value: "Z1", subcontractorId: company }),
    first: (detail) => ({ enabled: true, details: [detail] }),
    with: (detail, { id }) => ({ enabled: true, details: [{ ...detail, id, base: detail }] }),
  },
];

/** Calls that need more than a form to be brought to this refusal: the tests that do so. */
const provenElsewhere: Record<string, string> = {
  "dataControl/save": "settings",
  "dataVersion/restore": "plan-versions/restores",
  "du/migrate": "rollout-plan/dus",
  "du/save": "rollout-plan/dus",
  "duSubStep/save": "activity-flows/sub-steps",
  "engine/activity/save": "planning-engine/activities",
  "engine/setting/save": "planning-engine/versions",
  "import/apply": "activity-flows/flow-sheet",
  "pageMax/save": "settings",
  "rolePermission/save": "access/matrix",
  "rolloutPlan/batch/setAttribute": "rollout-plan/batches",
  "rolloutPlan/batch/setDate": "rollout-plan/batches",
  "rolloutPlan/batch/setOwner": "rollout-plan/batches",
  "rolloutPlan/save": "rollout-plan/edits",
  savePlanChange: "scheduling/plan-changes",
  "template/plan/apply": "templates/applications",
};

/** Saves that name what they change by what stood there: the tests that refuse them once others have changed it. */
const basedOnValues: Record<string, string> = {
  "attrPermission/addGrant/save": "attributes/permissions/calls",
  "duSubStep/save": "activity-flows/sub-steps/calls",
  "duTabAttr/user/save": "du-tabs/calls",
  "milestoneConfig/mapping/save": "milestones/mapping/calls",
  "orgTarget/save": "plan-rules/targets/commands",
  "subcon/save": "resources/isolation/isolation",
};

const stale = ["STALE", "CHANGED_MEANWHILE"];

/** Saves of plan cells, each with what stood there: those that others have changed are told in the answer, the others are saved. */
const cellByCell = ["rolloutPlan/save", "savePlanChange"];

/** Saves that only add, so that nothing of others is written over. */
const adding: Record<string, true> = { "apiToken/save": true, "delegation/save": true };

/** Saves with a meaning of their own, which write though nothing differs. */
const ownMeaning = {
  "makes another one each time": ["apiToken/save"],
  "gives activities to the nodes of a flow": ["flow/graph/save", "flow/node/save"],
  "answers row by row": ["duConfig/batchSave", "duTabAttr/saveRow", "regionConfig/batchSave", "specialRolloutPlan/save"],
  "takes over responsibility": ["emailAuto/addAndEditActualTimeRemind", "emailAuto/addAndEditRule"],
  "is an order": ["duFlowRule/saveSort", "ownerRule/saveSort", "planAttr/saveSort", "planAutoRule/saveSort"],
  "keeps what a person chose for himself": [
    "personal/savePosition",
    "personalized/defaultMapping/save",
    "userSetting/saveUserSetting",
    "wbs/saveHomePage",
  ],
};

describe("no call is left out", () => {
  test("each that declares the refusal is driven here or proven elsewhere", async () => {
    const declaring = (await allCalls()).flatMap(({ declaration: { address, errors } }) =>
      errors?.includes("NOTHING_MODIFIED") ? address : [],
    );
    expect([...saves.map(({ address }) => address), ...Object.keys(provenElsewhere)].sort()).toEqual(declaring.sort());
  });

  test.each(Object.entries(provenElsewhere))("%s is proven in the tests of %s", (address, area) => {
    const source = readSource(`tests/lib/${area}/calls.test.ts`);
    expect([address, "NOTHING_MODIFIED"].filter((text) => !source.includes(`"${text}"`))).toEqual([]);
  });

  test("each that saves declares it, or has a meaning of its own", async () => {
    const silent = (await allCalls()).flatMap(({ declaration: { address, errors, kind } }) =>
      kind !== "read" && /(save|addAndEdit)[^/]*$/i.test(address) && !errors?.includes("NOTHING_MODIFIED") ? address : [],
    );
    expect(silent.sort()).toEqual(Object.values(ownMeaning).flat().sort());
  });
});

describe("no save writes over what others have written", () => {
  test.each(Object.entries(basedOnValues))("%s is refused by the tests of %s", (address, file) => {
    const source = readSource(`tests/lib/${file}.test.ts`);
    expect([address, "STALE"].filter((text) => !source.includes(`"${text}"`))).toEqual([]);
  });

  test("each refuses what is stale, answers it cell by cell, or has nothing of others to lose", async () => {
    const silent = (await allCalls()).flatMap(({ declaration: { address, errors, kind } }) =>
      kind !== "read" && /(save|sort|addAndEdit)[^/]*$/i.test(address) && !errors?.some((code) => stale.includes(code)) ? address : [],
    );
    const known = [...Object.keys(adding), ...cellByCell, ...ownMeaning["keeps what a person chose for himself"]];
    expect(silent.sort()).toEqual(known.sort());
  });
});

describe("a form that is saved as it was read is refused and writes nothing [OPS-21]", () => {
  /** The rows of a table as they are stored. */
  const contents = async (table: string) =>
    (
      await db.owner<{ row: Record<string, number> }[]>`
        select to_jsonb(t) as row from ${db.owner(table)} t where t.project_id = ${project.id} order by 1`
    ).map(({ row }) => row);
  const audits = async () => (await db.owner`select count(*)::int as count from audit_log`)[0]!.count;

  test.each(saves.map((save) => [save.address, save] as const))("%s", async (address, { table, form, first: begin, with: change }) => {
    const before = await contents(table);
    expect(await call(project.pm, address, begin ? await begin(form()) : form())).toMatchObject({ status: 200 });
    const after = await contents(table);
    const row = after.find((one) => !before.some((known) => isDeepStrictEqual(known, one)))!;
    const stored = { id: row.id!, rowVersion: row.row_version! };
    const build = async (of: Stored): Promise<Form> => (change ? change(form(), of) : { ...form(), ...of });
    const again = await build(stored);
    const audited = await audits();
    expect(await call(project.pm, address, again)).toMatchObject({ status: 422, code: "NOTHING_MODIFIED", msg: "Nothing modified" });
    expect(await contents(table)).toEqual(after);
    expect(await audits()).toBe(audited);

    // And one that was read at another revision is refused as stale.
    const other = await build({ ...stored, rowVersion: stored.rowVersion + 1 });
    if (isDeepStrictEqual(other, again)) return expect(Object.keys({ ...basedOnValues, ...adding })).toContain(address);
    expect(await call(project.pm, address, other)).toMatchObject({ status: 409, code: "STALE" });
    expect(await contents(table)).toEqual(after);
    expect(await audits()).toBe(audited);
  });
});
