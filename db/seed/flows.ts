import type { Sql } from "#db/client.ts";
import { type Name, named, nameText } from "./names.ts";

/** An activity of a demo flow: code, name, kind, lead time in working days, predecessors as `code type offset`. */
export type SeedActivity = {
  code: string;
  name: Name;
  kind?: string;
  lead: number;
  after?: string[];
  anchor?: boolean;
  milestone?: boolean;
  /** NA of it has to be approved. */
  naApproval?: boolean;
};

export const newBuild: SeedActivity[] = [
  { code: "SURVEY", name: named("勘察", "Survey", "現調"), lead: 3 },
  { code: "DESIGN", name: named("设计", "Design", "設計"), lead: 6, after: ["SURVEY FS 1"] },
  { code: "PERMIT", name: named("许可", "Permit", "許可"), lead: 15, after: ["DESIGN FS 0"] },
  { code: "CIVIL", name: named("土建", "Civil works", "土木"), lead: 10, after: ["PERMIT FS 0"] },
  { code: "POWER", name: named("引电", "Power", "引込"), lead: 8, after: ["CIVIL SS 4"], naApproval: true },
  { code: "RFI", name: named("可安装", "RFI", "設置可"), kind: "rfi", lead: 0, after: ["CIVIL FS 0", "POWER FS 0"], milestone: true },
  { code: "MOS", name: named("到货", "MOS", "納入"), kind: "mos", lead: 1, after: ["RFI FS 0"], anchor: true, milestone: true },
  { code: "INSTALL", name: named("安装", "Installation", "設置"), kind: "ic", lead: 4, after: ["MOS FS 0"] },
  { code: "COMMISSION", name: named("调测", "Commissioning", "調整"), lead: 3, after: ["INSTALL SS 2", "INSTALL FF 1"] },
  { code: "INTEGRATION", name: named("入网", "Integration", "接続"), lead: 2, after: ["COMMISSION FS 0"] },
  { code: "QUALITY", name: named("质量", "Quality", "品質"), lead: 3, after: ["COMMISSION FF 2"] },
  { code: "PAC", name: named("初验", "PAC", "仮検収"), kind: "pac", lead: 0, after: ["INTEGRATION FS 5", "QUALITY FS 0"], milestone: true },
];

export const swap: SeedActivity[] = [
  { code: "SURVEY", name: named("勘察", "Survey", "現調"), lead: 2 },
  { code: "DESIGN", name: named("设计", "Design", "設計"), lead: 4, after: ["SURVEY FS 0"] },
  { code: "MOS", name: named("到货", "MOS", "納入"), kind: "mos", lead: 1, after: ["DESIGN FS 5"], anchor: true, milestone: true },
  { code: "INSTALL", name: named("安装", "Installation", "設置"), kind: "ic", lead: 2, after: ["MOS FS 0"] },
  { code: "CUTOVER", name: named("割接", "Cut-over", "切替"), lead: 1, after: ["INSTALL FS 0"], milestone: true },
  { code: "DISMANTLE", name: named("拆旧", "Dismantling", "撤去"), kind: "decom", lead: 2, after: ["CUTOVER FS 3"] },
  { code: "QUALITY", name: named("质量", "Quality", "品質"), lead: 3, after: ["CUTOVER FS 0"] },
  { code: "PAC", name: named("初验", "PAC", "仮検収"), kind: "pac", lead: 0, after: ["QUALITY FS 2", "DISMANTLE FS 0"], milestone: true },
];

/** A released flow with the slot, lead time and position of each activity, in order. */
export type SeededFlow = { id: number; activities: { slot: number; activity: SeedActivity }[] };

/** Puts the activities that are missing into the project's library and makes a released flow of them. */
export async function seedFlow(
  sql: Sql,
  projectId: number,
  ownerId: number,
  name: Name,
  activities: SeedActivity[],
  now: Date,
): Promise<SeededFlow> {
  const [last] = await sql<
    { slot: number }[]
  >`select coalesce(max(slot), 0)::int as slot from activity_library where project_id = ${projectId}`;
  const known = await sql<{ code: string }[]>`select code from activity_library where project_id = ${projectId}`;
  const missing = activities.filter(({ code }) => !known.some((row) => row.code === code));
  const added = missing.map(({ code, name, kind }, index) => ({
    project_id: projectId,
    slot: (last?.slot ?? 0) + index + 1,
    code,
    name: nameText(name),
    kind: kind ?? "normal",
  }));
  if (added.length > 0) await sql`insert into activity_library ${sql(added as never)}`;
  const library = await sql<
    { id: number; slot: number; code: string }[]
  >`select id, slot, code from activity_library where project_id = ${projectId}`;
  const entry = new Map(library.map((row) => [row.code, row]));
  const [flow] = await sql<{ id: number }[]>`
    insert into activity_flow (project_id, name, status, version, owner_id, created_by, created_at, updated_by, updated_at)
    values (${projectId}, ${nameText(name)}, 'released', 1, ${ownerId}, ${ownerId}, ${now}, ${ownerId}, ${now}) returning id`;
  const nodes = await sql<{ id: number; activity_id: number }[]>`
    insert into flow_activity ${sql(
      activities.map((activity, index) => ({
        flow_id: flow!.id,
        activity_id: entry.get(activity.code)!.id,
        name: nameText(activity.name),
        seq: index + 1,
        lead_time_days: activity.lead,
        is_anchor: activity.anchor ?? false,
        is_milestone: activity.milestone ?? false,
        na_needs_approval: activity.naApproval ?? false,
      })) as never,
    )} returning id, activity_id`;
  const node = new Map(nodes.map((row) => [row.activity_id, row.id]));
  const relations = activities.flatMap((activity) =>
    (activity.after ?? []).map((text) => {
      const [code, type, offset] = text.split(" ") as [string, string, string];
      return {
        flow_id: flow!.id,
        pre_node_id: node.get(entry.get(code)!.id),
        node_id: node.get(entry.get(activity.code)!.id),
        type,
        offset_days: Number(offset),
      };
    }),
  );
  await sql`insert into flow_relation ${sql(relations as never)}`;
  return { id: flow!.id, activities: activities.map((activity) => ({ slot: entry.get(activity.code)!.slot, activity })) };
}
