type JsonSchema = {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  minItems?: number;
  format?: string;
  pattern?: string;
};

/** Ids to put where a field asks for one: numbers by the thing they name, uuids likewise, and the one a bare `id` stands for. */
export type SampleIds = { numbers: Record<string, number>; keys: Record<string, string>; bare: number | string };

/**
 * An input that fits a call's schema, with foreign ids wherever a field asks for an id: `duIds`, `flowId`, `id` ...
 * Optional fields are filled too, so that every id a call can take is tried.
 */
export function sampleInput(schema: unknown, ids: SampleIds, name = ""): unknown {
  const given = schema as JsonSchema;
  if (given.const !== undefined) return given.const;
  if (given.enum) return given.enum[0];
  const choice = given.anyOf ?? given.oneOf;
  if (choice) return sampleInput(choice.find((option) => option.type !== "null") ?? choice[0], ids, name);
  if (given.allOf) return Object.assign({}, ...given.allOf.map((part) => sampleInput(part, ids, name)));
  const type = Array.isArray(given.type) ? given.type[0] : given.type;
  if (type === "object" || given.properties)
    return Object.fromEntries(Object.entries(given.properties ?? {}).map(([key, property]) => [key, sampleInput(property, ids, key)]));
  if (type === "array") return name === "filters" ? [] : [sampleInput(given.items ?? {}, ids, name.replace(/s$/, ""))];
  const id = idFor(name, type, ids);
  if (id !== undefined) return id;
  if (type === "integer" || type === "number") return name === "size" ? 20 : Math.max(given.minimum ?? 1, 1);
  if (type === "boolean") return false;
  if (type === "string")
    return given.format === "date" ? "2026-10-20" : given.format === "uuid" ? ids.keys.task : "x".repeat(Math.max(given.minLength ?? 1, 1));
  return "x";
}

function idFor(name: string, type: string | undefined, ids: SampleIds): number | string | undefined {
  if (name === "id" || name === "ids") return ids.bare;
  const thing = /^(.*?)(Id|Ids)$/.exec(name)?.[1]?.toLowerCase();
  if (!thing) return undefined;
  const pool: Record<string, number | string> = type === "string" ? ids.keys : ids.numbers;
  const found = Object.keys(pool).find((key) => thing.endsWith(key));
  return found ? pool[found] : undefined;
}
