import { describe, expect, test } from "vitest";
import { findScreens, readQuery } from "#components/shell/command-index.ts";
import { menuEntryOf, nearestScreens } from "#components/shell/menu-model.ts";
import { loadTitles } from "#components/shell/screen-titles.ts";

describe("command box", () => {
  test("a screen is found by its title in any of the three languages, and shown by the one that was typed", async () => {
    const index = await loadTitles("en");
    const hit = (text: string) => findScreens(index, text)[0];
    expect(hit("dependency")).toMatchObject({ key: "dependencyRules", title: "Dependency Rules", from: 0 });
    expect(hit("依赖规则")).toMatchObject({ key: "dependencyRules", title: "依赖规则配置" });
    expect(hit("依存ルール")).toMatchObject({ key: "dependencyRules", title: "依存ルール設定" });
    expect(hit("no such screen")).toBeUndefined();
  });

  test("a beginning goes before the beginning of a word, and both before the rest; the page's language before the others", () => {
    const index = [
      { key: "limits", titles: ["Submap", "x"] },
      { key: "planLog", titles: ["Big map", "x"] },
      { key: "map", titles: ["Map", "x"] },
      { key: "issues", titles: ["x", "Map"] },
    ] as const;
    expect(
      findScreens(
        index.map((entry) => ({ key: entry.key, titles: [...entry.titles] })),
        "map",
      ).map((found) => found.key),
    ).toEqual(["map", "planLog", "limits", "issues"]);
  });

  test("every screen has its title in three languages in the index", async () => {
    expect((await loadTitles("ja")).filter((entry) => entry.titles.length !== 3 || entry.titles.some((title) => !title))).toEqual([]);
  });

  test.each([
    ["> save", "commands", "save"],
    ["#GD-104", "dus", "GD-104"],
    ["  map ", "all", "map"],
  ])("%s", (typed, kind, text) => {
    expect(readQuery(typed)).toEqual({ kind, text });
  });
});

describe("menu", () => {
  test("a screen outside the menu stands under the nearest one above it that is in it", () => {
    expect(menuEntryOf("checkItems")).toBe("checkItems");
    expect(menuEntryOf("editSlaTemplate")).toBe("slaTemplates");
    expect(menuEntryOf("constructionDetail")).toBe("construction");
    expect(menuEntryOf("dataConfig")).toBe("dataControl");
  });

  test("an unknown address offers the screens with the likest words, permitted ones only", () => {
    expect(nearestScreens("etm/checkItem", () => true)[0]?.key).toBe("checkItems");
    expect(nearestScreens("planlogs", () => true)[0]?.key).toBe("planLog");
    expect(nearestScreens("etm/checkItem", () => false)).toEqual([]);
    expect(nearestScreens("zzz", () => true)).toEqual([]);
  });
});
