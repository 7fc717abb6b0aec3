import { describe, expect, it } from "vitest";
import {
  changedDrafts,
  type Draft,
  draftsOf,
  isEdited,
  mergeDrafts,
  moveTo,
  withPasted,
  withSaved,
} from "#components/regions/region-drafts.ts";
import type { NetworkRegion } from "#lib/regions/networks/queries.ts";
import type { RegionRow } from "#lib/regions/queries.ts";

const networks = [11, 12, 13].map(
  (id): NetworkRegion => ({ id, name: `N${id}`, source: "MANUAL", regionId: null, region: null, duCount: 0, rowVersion: 1 }),
);
const names = new Map(networks.map(({ id, name }) => [id, name]));
const region = (id: number, name: string, networkIds: number[], more: Partial<RegionRow> = {}): RegionRow => ({
  id,
  name,
  sortNo: id,
  percentage: 50,
  status: "ACTIVE",
  rowVersion: 1,
  networkRegions: networks.filter((network) => networkIds.includes(network.id)),
  duCount: 0,
  uses: [],
  ...more,
});
const north = region(1, "North", [11]);
const south = region(2, "South", [12]);
const rename = (drafts: readonly Draft[], key: string, name: string) =>
  drafts.map((draft) => (draft.key === key ? { ...draft, name } : draft));
const merge = (drafts: readonly Draft[], regions: RegionRow[], known = networks) => mergeDrafts(drafts, { regions, networks: known });
const told = (drafts: readonly Draft[]) =>
  drafts.map(
    (draft) => `${draft.name}@${draft.stored?.rowVersion ?? "new"} ${draft.networkRegionIds.join("+")}${isEdited(draft) ? " edited" : ""}`,
  );

describe("drafts of regions that are read again", () => {
  const edited = withPasted(rename(draftsOf([north, south]), "r1", "Far north"), "East");

  it("keep what is edited, and take the rest as it is stored", () => {
    const others = region(2, "Deep south", [12], { rowVersion: 2 });
    expect(told(merge(edited, [north, others, region(3, "West", [13])]))).toEqual([
      "Far north@1 11 edited",
      "Deep south@2 12",
      "West@1 13",
      "East@new  edited",
    ]);
  });

  it("go on from a revision that left their name and network regions as they were", () => {
    const paused = { ...north, status: "INVALID" as const, percentage: 0, rowVersion: 2 };
    const [draft] = merge(edited, [paused, south]);
    expect(draft).toMatchObject({ name: "Far north", stored: paused });
  });

  it("keep the revision they were made upon when others have changed the same, so that they are refused", () => {
    const others = region(1, "Up north", [11], { rowVersion: 2 });
    const merged = merge(edited, [others, south]);
    expect(changedDrafts(merged)).toMatchObject([{ id: 1, name: "Far north", rowVersion: 1 }, { name: "East" }]);
    expect(told(merge(edited, [region(1, "Far north", [11], { rowVersion: 2 }), south]))).toContain("Far north@2 11");
  });

  it("go with their region, and lose network regions that are gone", () => {
    expect(told(merge(edited, [south]))).toEqual(["South@1 12", "East@new  edited"]);
    const left = merge(edited, [region(1, "North", []), south], networks.slice(1));
    expect(told(left)).toEqual(["Far north@1  edited", "South@1 12", "East@new  edited"]);
  });

  it("have each network region once: where it was put here", () => {
    const moved = moveTo(draftsOf([north, south]), [13], "r1");
    expect(told(merge(moved, [north, region(2, "South", [12, 13], { rowVersion: 2 })]))).toEqual([
      "North@1 11+13 edited",
      "South@2 12 edited",
    ]);
  });

  it("are stored once they were saved; what was typed meanwhile goes on from there", () => {
    const stored = [region(1, "Far north", [11], { rowVersion: 2 }), south, region(3, "East", [])];
    const saved = (drafts: readonly Draft[]) => withSaved(drafts, edited.filter(isEdited), [1, 3], names);
    expect(told(saved(edited))).toEqual(["Far north@2 11", "South@1 12", "East@1 "]);
    expect(told(merge(saved(edited), stored))).toEqual(["Far north@2 11", "South@1 12", "East@1 "]);
    const typed = rename(rename(edited, "r1", "Farther north"), edited[2]!.key, "Far east");
    expect(told(merge(saved(typed), stored))).toEqual(["Farther north@2 11 edited", "South@1 12", "Far east@1  edited"]);
    // Read before the answer came: what is stored already is there once.
    expect(told(merge(edited, stored))).toEqual(["Far north@2 11", "South@1 12", "East@1 "]);
  });
});
