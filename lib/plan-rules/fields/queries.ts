import "server-only";
import type { Ctx } from "#lib/core/ctx.ts";
import { loadMessages } from "#lib/core/messages.ts";
import type { ObjectType } from "#lib/plan-rules/conditions/limits.ts";
import type { ConditionObject } from "#lib/plan-rules/conditions/logic.ts";
import { listConditionObjects } from "#lib/plan-rules/conditions/queries.ts";
import { actDates, dateColumns, targetDates, type ValueKind } from "#lib/plan-rules/limits.ts";
import { type FieldRef, fieldKey, valueKind } from "#lib/plan-rules/logic.ts";
import { columnTitles, listPlanAttributes, type PlanAttribute } from "#lib/rollout-plan/columns/queries.ts";
import { activityStatuses } from "#lib/rollout-plan/plan-rows/logic.ts";

/** A field that rules read or fill. */
export type RuleField = {
  key: string;
  ref: FieldRef;
  title: string;
  kind: ValueKind;
  /** Whether a rule may fill it. */
  fillable: boolean;
  choices?: { value: string; title: string }[];
};

/** Everything rules of a flow can look at and fill. */
export type FieldCatalog = {
  objects: ConditionObject[];
  fields: RuleField[];
  /** Activities of the flow in its order. */
  activities: { id: number; slot: number; name: string }[];
  attributes: PlanAttribute[];
};

const objectTypes: Record<ValueKind, ObjectType> = {
  day: "date",
  datetime: "datetime",
  time: "time",
  number: "number",
  text: "text",
  enum: "choice",
};

/**
 * Fields of DUs, of the activities of a flow, and attributes of both levels that are shown to the caller, by key, with the choices there are now.
 * @param flowId none: fields of DUs alone
 */
export async function listFieldCatalog(ctx: Ctx, flowId: number | null): Promise<FieldCatalog> {
  const { sql, project, locale } = ctx;
  const [dus, attributes, activities, people] = await Promise.all([
    listConditionObjects(ctx),
    listPlanAttributes(ctx),
    sql<FieldCatalog["activities"]>`
      select l.id, l.slot, l.name from flow_activity n join activity_library l on l.id = n.activity_id join activity_flow f on f.id = n.flow_id
      where n.flow_id = ${flowId} and f.project_id = ${project.id} order by n.seq, n.id`,
    sql<{ id: number; name: string }[]>`
      select u.id, u.name from app_user u where u.id in (select user_id from project_member where project_id = ${project.id}) order by u.name collate natural_order, u.id`,
  ]);
  const titles = columnTitles(ctx);
  const words = loadMessages(locale);
  const statuses = (words.ui as { status: Record<string, string> }).status;
  const own = (words["plan-rules"] as { field: Record<string, string> }).field;
  const statusChoices = activityStatuses.map((value) => ({ value, title: statuses[value.toLowerCase()] ?? value }));
  const personChoices = people.map(({ id, name }) => ({ value: String(id), title: name }));
  const fixedChoices = ["Y", "N"].map((value) => ({ value, title: own[value] ?? value }));
  const attributeChoices = ({ enums }: PlanAttribute) => enums.map(({ id, value }) => ({ value: String(id), title: value }));
  const objects: ConditionObject[] = [...dus];
  const fields: RuleField[] = [];
  for (const attribute of attributes.filter(({ level }) => level === "DU")) {
    const kind = valueKind(attribute.type);
    fields.push({
      key: `a${attribute.id}`,
      ref: { k: "ATTR", key: `a${attribute.id}` },
      title: attribute.name,
      kind,
      fillable: true,
      ...(kind === "enum" ? { choices: attributeChoices(attribute) } : {}),
    });
  }
  for (const { id, name } of activities) {
    const add = (
      field: RuleField["ref"] & { k: "ACT" },
      title: string,
      type: ObjectType,
      choices?: ConditionObject["choices"],
      lookup = false,
    ) => {
      const offered = choices ? { choices, ...(lookup ? { lookup } : {}) } : {};
      objects.push({ key: fieldKey(field), ref: field, title: `${name} · ${title}`, type, ...offered });
    };
    for (const f of actDates) {
      const ref = { k: "ACT", a: id, f } as const;
      const title = titles.activity(dateColumns[f] as Parameters<typeof titles.activity>[0]);
      add(ref, title, "date");
      const fillable = (targetDates as readonly string[]).includes(f);
      fields.push({ key: fieldKey(ref), ref, title: `${name} · ${title}`, kind: "day", fillable });
    }
    add({ k: "ACT", a: id, f: "STATUS" }, titles.activity("status"), "choice", statusChoices);
    add({ k: "ACT", a: id, f: "FIX_PLAN" }, own.fixPlan ?? "", "choice", fixedChoices);
    add({ k: "ACT", a: id, f: "PLAN_OWNER" }, titles.activity("planOwner"), "choice", personChoices);
    add({ k: "ACT", a: id, f: "ACTUAL_OWNER" }, titles.activity("actualOwner"), "choice", personChoices);
    for (const attribute of attributes.filter(({ level }) => level === "ACTIVITY")) {
      const ref = { k: "ACT", a: id, f: "ATTR", key: `a${attribute.id}` } as const;
      const kind = valueKind(attribute.type);
      const choices = kind === "enum" ? attributeChoices(attribute) : undefined;
      add(ref, attribute.name, objectTypes[kind], choices, attribute.type === "LOOKUP_ENUM");
      fields.push({
        key: fieldKey(ref),
        ref,
        title: `${name} · ${attribute.name}`,
        kind,
        fillable: true,
        ...(choices ? { choices } : {}),
      });
    }
  }
  return { objects, fields, activities: [...activities], attributes };
}
