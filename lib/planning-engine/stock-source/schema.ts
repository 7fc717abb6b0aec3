import { z } from "zod";
import { isIsoDay } from "#lib/core/clock.ts";
import { itemCodeChars, quantityMax } from "../inputs/limits.ts";
import { sourceCodeChars, sourceSystemChars } from "../warehouses/limits.ts";
import { cursorChars, stockPageRows } from "./limits.ts";

const code = (max: number) => z.string().trim().min(1).max(max);
const quantity = z.number().min(0).max(quantityMax).nullable().default(null);

/** What another system is asked for: stock of its warehouses, of some items or, where none is named, of all. */
export const StockRequest = z.object({
  project: z.string(),
  sources: z.array(z.object({ system: code(sourceSystemChars), code: code(sourceCodeChars) })),
  items: z.array(code(itemCodeChars)),
  cursor: z.string().max(cursorChars).nullable(),
});
export type StockRequest = z.output<typeof StockRequest>;

/** Stock of an item in a warehouse of the other system, and what is to come. */
export const StockRow = z
  .object({
    system: code(sourceSystemChars),
    code: code(sourceCodeChars),
    itemCode: code(itemCodeChars),
    inventoryQty: quantity,
    planQty: quantity,
    planInboundDate: z.string().refine(isIsoDay).nullable().default(null),
  })
  .refine(({ planQty, planInboundDate }) => (planQty === null) === (planInboundDate === null))
  .refine(({ inventoryQty, planQty }) => inventoryQty !== null || planQty !== null);
export type StockRow = z.output<typeof StockRow>;

/** A page of an answer; without cursor it is the last one. */
export const StockPage = z.object({ rows: z.array(StockRow).max(stockPageRows), cursor: z.string().max(cursorChars).nullable() });

/** A refusal for good. */
export const StockRefusal = z.object({ code: z.string().max(60), msg: z.string().max(300) });
