import { describe, expect, it } from "vitest";
import { columnTitle, fillItem, supplyCurve } from "#components/outputs/material-fill.ts";
import type { MaterialItem, MrpRow } from "#lib/planning-engine/outputs/schema.ts";

const row = (region: string, from: string, part: Partial<MrpRow>): MrpRow => ({
  itemCode: "ANT",
  region,
  from,
  opening: 0,
  grossReq: 0,
  inbound: 0,
  reuseIn: 0,
  issued: 0,
  closing: 0,
  netReq: 0,
  needDate: null,
  ...part,
});
const columns = ["2026-03-01", "2026-03-08", "2026-03-15", "2026-03-22"];
const item: MaterialItem = {
  itemCode: "ANT",
  netReq: 1,
  firstNeed: "2026-03-18",
  rows: [
    row("North", "2026-03-08", { opening: 2, grossReq: 2, issued: 2, closing: 0 }),
    row("North", "2026-03-22", { inbound: 4, closing: 4 }),
    row("CENTRAL", "2026-03-15", { opening: 0.1, inbound: 0.2, grossReq: 1, closing: 0.3, netReq: 1 }),
  ],
};

describe("material by bucket", () => {
  it("lets the stock of each region stand on where nothing moves, and adds the regions up", () => {
    const filled = fillItem(item, columns);
    expect(filled.opening).toEqual([2.1, 2.1, 0.1, 0.3]);
    expect(filled.closing).toEqual([2.1, 0.1, 0.3, 4.3]);
    expect(filled.grossReq).toEqual([0, 2, 1, 0]);
    expect(filled.inbound).toEqual([0, 0, 0.2, 4]);
    expect(filled.netReq).toEqual([0, 0, 1, 0]);
  });

  it("adds needs and supply up, the supply from the opening stock on", () => {
    expect(supplyCurve(fillItem(item, columns), columns).map(({ needed, supply }) => [needed, supply])).toEqual([
      [0, 2.1],
      [2, 2.1],
      [3, 2.3],
      [3, 6.3],
    ]);
  });

  it("names a column under its month, a month under its year", () => {
    const week = () => "W11";
    expect(columnTitle("2026-03-08", "day", week)).toEqual({ group: "2026-03", title: "08" });
    expect(columnTitle("2026-03-08", "week", week)).toEqual({ group: "2026-03", title: "W11" });
    expect(columnTitle("2026-03-01", "month", week)).toEqual({ group: "2026", title: "03" });
  });
});
