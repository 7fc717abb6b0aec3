import type { Page } from "playwright";
import { callFromPage } from "./plan-page.ts";

/** A released flow of activities, finish to start in their order, made as the person of the page; answers its id. */
export async function makeFlowByCall(
  page: Page,
  name: string,
  activities: readonly (readonly [name: string, days: number])[],
  anchor: string,
): Promise<number> {
  const flow = await callFromPage<{ id: number; rowVersion: number }>(page, "flow/save", { name, deliveryTypes: [] });
  const graph = await callFromPage<{ rowVersion: number }>(page, "flow/graph/save", {
    flowId: flow.id,
    rowVersion: flow.rowVersion,
    nodes: activities.map(([title, leadTimeDays], index) => ({
      key: `k${index}`,
      code: `A${index}`,
      name: title,
      leadTimeDays,
      isAnchor: title === anchor,
    })),
    relations: activities.slice(1).map((_, index) => ({ pre: `k${index}`, node: `k${index + 1}`, type: "FS", offset: 0 })),
  });
  await callFromPage(page, "flow/release", { id: flow.id, rowVersion: graph.rowVersion });
  return flow.id;
}
