import { z } from "zod";
import { listInput } from "#lib/core/paging.ts";
import { bindDusMax } from "./limits.ts";

const id = z.int().min(1);
const duIds = z
  .array(id)
  .min(1)
  .refine((ids) => ids.length <= bindDusMax, { params: { code: "TOO_MANY_DU", max: bindDusMax } })
  .transform((ids) => [...new Set(ids)]);

export const BindDus = z.strictObject({ duIds, flowId: id });

/** DUs with their flow; `bound` false gives those without one. */
export const ListDuFlows = listInput(
  {
    search: ["like", "in"],
    code: ["like", "in"],
    name: ["like"],
    bound: ["eq"],
    flowId: ["eq", "in"],
    source: ["eq", "in"],
    regionId: ["eq", "in", "empty"],
    deliveryType: ["eq", "in"],
    siteId: ["eq"],
  },
  { sortable: ["code", "name", "region", "flow", "boundAt"] },
);
