import type { Sql } from "#db/client.ts";
import { addDays } from "#lib/core/clock.ts";
import { named, nameText } from "./names.ts";

/** Skills of the demo's crews, and what its groups are called. */
export const crewNames = {
  skills: {
    rigging: named("登高作业", "Rigging", "高所作業"),
    transmission: named("传输", "Transmission", "伝送"),
    power: named("电源", "Power", "電源"),
  },
  groups: { first: named("珠江一队", "Pearl team 1", "珠江第1班"), second: named("岭南二队", "Lingnan team 2", "嶺南第2班") },
} as const;

const { rigging, transmission, power } = crewNames.skills;

/** Crew members who never sign in: company, own name, skills, days until their authorisation ends, base. */
const crew = [
  ["ZJ", "刘建国 Liu Jianguo", [rigging], 320, [113.32, 23.12]],
  ["ZJ", "何伟 He Wei", [rigging, power], 300, [113.94, 22.53]],
  ["ZJ", "梁志强 Liang Zhiqiang", [transmission], 21, [113.12, 23.02]],
  ["ZJ", "郭丽 Guo Li", [power], 210, [113.75, 23.04]],
  ["LN", "曾文杰 Zeng Wenjie", [rigging], 180, [116.68, 23.35]],
  ["LN", "邓涛 Deng Tao", [transmission, power], 5, [116.35, 23.55]],
  ["LN", "冯雪 Feng Xue", [power], -3, [113.26, 23.13]],
  ["KT", "山本 大輔 Yamamoto Daisuke", [rigging, transmission], 250, [139.76, 35.68]],
  ["KT", "中村 葵 Nakamura Aoi", [power], 150, [139.63, 35.44]],
  ["NW", "Tom Hughes", [rigging], 90, [-2.24, 53.48]],
  ["NW", "Amira Khan", [transmission], 270, [-0.12, 51.5]],
] as const;

/** Puts crews of the demo's companies into its pool, most of them in a group. */
export async function seedCrews(
  sql: Sql,
  projectId: number,
  { companies, pm, today, now }: { companies: ReadonlyMap<string, number>; pm: number; today: string; now: Date },
): Promise<void> {
  const users = await sql<{ id: number }[]>`
    insert into app_user ${sql(
      crew.map(([, name], index) => {
        const account = `crew${String(index + 1).padStart(2, "0")}`;
        return {
          account,
          name,
          email: `${account}@demo.milepost.example`,
          kind: "subcontractor",
          country: "CN",
          employee_id: `C-${1001 + index}`,
        };
      }),
    )}
    on conflict ((lower(account))) do update set name = excluded.name returning id`;
  const people = await sql<{ id: number }[]>`
    insert into resource ${sql(
      crew.map(([company, , skills, left, [longitude, latitude]], index) => ({
        project_id: projectId,
        user_id: users[index]!.id,
        type: "SUBCONTRACT",
        subcontractor_id: companies.get(company)!,
        phone: `86138${String(10_000 + index * 37)}`,
        auth_start: addDays(today, left - 340),
        auth_end: addDays(today, left),
        skills: skills.map(nameText),
        longitude,
        latitude,
        availability: left < 0 ? "N" : "Y",
        last_activity_at: now,
      })) as never,
    )} returning id`;
  const groups = await sql<{ id: number }[]>`
    insert into res_group ${sql(
      Object.values(crewNames.groups).map((name) => ({
        project_id: projectId,
        name: nameText(name),
        created_by: pm,
        created_at: now,
        updated_by: pm,
        updated_at: now,
      })),
    )} returning id`;
  await sql`
    insert into res_group_member ${sql(
      people.slice(0, 7).map(({ id }, index) => ({
        group_id: groups[index < 4 ? 0 : 1]!.id,
        resource_id: id,
        project_id: projectId,
        is_leader: index === 0 || index === 4,
      })),
    )}`;
}
