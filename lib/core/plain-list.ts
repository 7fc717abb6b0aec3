import { z } from "zod";

/**
 * An array whose items are told by one look each where they are as plain as nearly all are. The parser makes three objects of an item: of thousands that are pasted
 * at once, half of all garbage. An array with any other item is read by `item` as a whole, with its refusals.
 * @param isPlain whether `item` takes a value as it is; no for what it would change or may refuse
 */
export function plainList<Item extends z.ZodType>(item: Item, isPlain: (value: unknown) => boolean): z.ZodArray<Item> {
  const list = z.array(item);
  const { run } = list._zod;
  list._zod.run = (payload, ctx) => (Array.isArray(payload.value) && payload.value.every(isPlain) ? payload : run(payload, ctx));
  return list;
}
