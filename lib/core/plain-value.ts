import { z } from "zod";

/**
 * A schema that tells values as plain as nearly all are by one look, where the parser makes several objects of each: of thousands in a file or in what is pasted
 * that is a good part of all garbage. Any other value is read by the schema as it was, with its refusals.
 * @param isPlain whether the schema takes a value as it is; no for what it would change or may refuse
 */
export function plainValue<Schema extends z.ZodType>(schema: Schema, isPlain: (value: unknown) => boolean): Schema {
  const { run } = schema._zod;
  schema._zod.run = (payload, ctx) => (isPlain(payload.value) ? payload : run(payload, ctx));
  return schema;
}

/** An array whose items are told by one look each. @param isPlain as of `plainValue`, of an item */
export const plainList = <Item extends z.ZodType>(item: Item, isPlain: (value: unknown) => boolean): z.ZodArray<Item> =>
  plainValue(z.array(item), (value) => Array.isArray(value) && value.every(isPlain));

// No white space by any reading, as nearly all signs are; what stands between these ranges may be.
const isInk = (code: number): boolean => (code > 0x20 && code < 0xa0) || (code > 0x3000 && code < 0xfe00);

/** Whether a value is a text of one to `max` characters that trimming leaves as it is. */
export const isPlainText = (value: unknown, max: number): boolean =>
  typeof value === "string" &&
  value.length > 0 &&
  value.length <= max &&
  isInk(value.charCodeAt(0)) &&
  isInk(value.charCodeAt(value.length - 1));
