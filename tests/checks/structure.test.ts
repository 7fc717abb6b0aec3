import { describe, expect, test } from "vitest";
import { filesBelow, importsOf, readSource, withoutComments } from "#tests/support/source-files.ts";

/** The files an area may have, and what each may import (besides packages, its own kind's neighbours below, and lib/core). */
const pure = ["limits", "schema", "rules", "logic"];
const pureReach: Record<string, string> = {
  limits: "limits.ts imports nothing",
  schema: "schema.ts is built from limits.ts and its own area's pure functions",
  rules: "rules.ts judges facts with limits.ts, its own area's schema.ts and any logic.ts",
  logic: "logic.ts calculates with limits.ts, its own area's schema.ts and any logic.ts",
};
const areaFiles = [...pure, "queries", "commands", "actions", "routes"];

type Place =
  | { kind: "table" | "core" | "db" | "seed" | "jobs" | "page" | "api" | "app" | "ui" | "grid" | "shell" | "messages" | "other" }
  | { kind: "area"; area: string; node: string; file: string }
  | { kind: "component"; area: string; file: string };

/** Server parts of lib/core: what the browser must never load. */
function isServerCore(path: string): boolean {
  return /^import "server-only";/m.test(readSource(path)) || /from "node:/.test(readSource(path));
}

function placeOf(path: string): Place {
  const parts = path.split("/");
  const [first = "", second = ""] = parts;
  const file = (parts.at(-1) ?? "").replace(/\.tsx?$/, "");
  if (first === "lib" && parts.length === 2) return { kind: "table" };
  if (first === "lib" && second === "core") return { kind: "core" };
  if (first === "lib") return { kind: "area", area: second, node: parts.slice(1, -1).join("/"), file };
  if (first === "db") return { kind: second === "seed" ? "seed" : "db" };
  if (first === "jobs") return { kind: "jobs" };
  if (first === "components" && (second === "ui" || second === "grid" || second === "shell")) return { kind: second };
  if (first === "components") return { kind: "component", area: second, file };
  if (first === "app" && second === "api") return { kind: "api" };
  if (first === "app") return { kind: file === "page" || file === "layout" ? "page" : "app" };
  if (first === "messages") return { kind: "messages" };
  return { kind: "other" };
}

const sources = ["app", "components", "lib", "db", "jobs"].flatMap((folder) => filesBelow(folder, /\.tsx?$/));
const isLocal = (to: string) => /^(app|components|lib|db|jobs|messages|scripts|tests)\/|^(auth|proxy)\.ts$/.test(to);

/** Why an import is not allowed, with where the code belongs; null when it is. */
function refusal(from: string, to: string): string | null {
  const here = placeOf(from);
  const there = placeOf(to);
  if (to.startsWith("tests/")) return "product code never imports tests";
  if (there.kind === "table" || there.kind === "messages" || /\.css$/.test(to)) return null;
  // The components of a sub-area may stand in a folder of its own name.
  const own = (area: string) => there.kind === "area" && (there.area === area || there.node.endsWith(`/${area}`));
  const file = there.kind === "area" ? there.file : "";
  const toDb = there.kind === "db" || there.kind === "seed";

  switch (here.kind) {
    case "area": {
      if (pure.includes(here.file)) {
        if (there.kind === "core")
          return isServerCore(to)
            ? `${here.file}.ts runs in the browser too; what needs the server belongs in queries.ts or commands.ts`
            : null;
        if (toDb) return "only queries.ts and commands.ts touch the database";
        if (there.kind !== "area") return "the pure files of an area know no screens and no jobs";
        if (file === "limits" && here.file !== "limits") return null;
        if (here.file !== "limits" && own(here.area) && ["schema", "logic"].includes(file)) return null;
        if (["rules", "logic"].includes(here.file) && file === "logic") return null;
        return `${pureReach[here.file]}; move what is needed there or pass it in as an argument`;
      }
      if (there.kind === "core") return null;
      if (here.file === "queries") {
        if (there.kind === "db") return null;
        if (own(here.area) && pure.includes(file)) return null;
        return ["queries", "logic", "limits"].includes(file)
          ? null
          : "queries.ts reads: other areas are read through their queries.ts; writing belongs in commands.ts";
      }
      if (here.file === "commands") {
        if (there.kind === "db") return null;
        if (own(here.area) && file !== "actions") return null;
        return ["queries", "commands", "logic", "limits"].includes(file)
          ? null
          : "commands.ts uses other areas through their queries.ts and commands.ts only";
      }
      if (here.file === "routes")
        return own(here.area) || there.kind === "db"
          ? null
          : "routes.ts declares doors beside JSON: schema, queries and commands of its own area and lib/core/route.ts";
      if (here.file === "actions")
        return own(here.area) && file !== "actions"
          ? null
          : "actions.ts only declares: schema, queries and commands of its own area and lib/core/action.ts";
      return null;
    }
    case "core":
    case "table":
      return there.kind === "component" || there.kind === "ui" || there.kind === "page" ? "lib knows no components" : null;
    case "db":
      return there.kind === "db" || there.kind === "core" ? null : "db/ knows tables and connections, no area";
    case "component":
    case "grid":
    case "ui":
    case "shell": {
      const area = here.kind === "component" ? here.area : here.kind === "shell" ? "session" : "";
      if (toDb || there.kind === "jobs") return "components read through queries.ts in their page or callDoor in the browser";
      if (there.kind === "page" || there.kind === "app" || there.kind === "api" || to === "auth.ts")
        return "components know no routes; the page hands in what they need";
      if (there.kind === "core") return isServerCore(to) && !isServerOnly(from) ? "this part of lib/core runs on the server only" : null;
      if (there.kind === "ui" || (there.kind === "grid" && here.kind !== "ui") || there.kind === "other") return null;
      if (there.kind === here.kind && here.kind !== "component") return null;
      if (there.kind === "component") {
        if (here.kind === "component" && there.area === here.area) return null;
        return there.file.endsWith("-picker")
          ? null
          : "of another area a component may use a -picker only; hand the rest in from the page as entries { key, right, label, dialog }";
      }
      if (there.kind === "area") {
        if (pure.includes(file))
          return own(area) || file === "limits" || file === "logic"
            ? null
            : "of another area a component may read limits.ts and logic.ts only";
        if (file === "actions") return own(area) ? null : "a component calls its own area's actions only";
        return "a component never loads queries.ts or commands.ts: the page reads, or callDoor does (import type is fine)";
      }
      return "not a place for components to look";
    }
    case "page":
      if (toDb) return "pages read through lib/*/queries.ts";
      if (there.kind === "area" && !["queries", "limits", "logic", "schema"].includes(file))
        return "a page reads through queries.ts; forms and buttons call actions.ts from components";
      return there.kind === "jobs" ? "pages start background work through commands.ts" : null;
    case "jobs":
      if (there.kind === "component" || there.kind === "ui" || there.kind === "page") return "jobs know no screens";
      if (there.kind === "area" && file === "actions") return "a job calls one command, not an action";
      return null;
    default:
      return null;
  }
}

function isServerOnly(path: string): boolean {
  return /^import "server-only";/m.test(readSource(path)) || (/\.tsx$/.test(path) && !/^"use client";/.test(readSource(path)));
}

describe("structure", () => {
  test("imports follow the table of allowed edges", () => {
    const offenders = sources.flatMap((from) =>
      importsOf(from)
        .filter(({ to, typeOnly }) => !typeOnly && isLocal(to))
        .flatMap(({ to }) => {
          const why = refusal(from, to);
          return why ? [`${from} imports ${to}: ${why}`] : [];
        }),
    );
    expect(offenders).toEqual([]);
  });

  test("the checker of plans shares types with the solver, and no code with anything", () => {
    const offenders = sources
      .filter((path) => /^lib\/planning-engine\/checker/.test(path))
      .flatMap((from) =>
        importsOf(from)
          .filter(
            ({ to, typeOnly }) => !/^lib\/planning-engine\/checker/.test(to) && !(typeOnly && to.startsWith("lib/planning-engine/model/")),
          )
          .map(({ to }) => `${from} imports ${to}`),
      );
    expect(offenders, "a fault they share would be signed").toEqual([]);
  });

  test("areas do not import one another in a circle", () => {
    const edges = new Map<string, Set<string>>();
    for (const from of sources) {
      const here = placeOf(from);
      if (here.kind !== "area") continue;
      for (const { to, typeOnly } of importsOf(from)) {
        const there = placeOf(to);
        if (typeOnly || there.kind !== "area" || there.node === here.node) continue;
        edges.set(here.node, (edges.get(here.node) ?? new Set()).add(there.node));
      }
    }
    expect(circlesOf(edges), "cut the circle: move the shared part to a sub-area both may import, or pass it in").toEqual([]);
  });

  test("an area holds limits, schema, rules, logic, queries, commands, actions, routes and sub-areas of the same files", () => {
    const offenders = sources.filter((path) => {
      const place = placeOf(path);
      return place.kind === "area" && (!areaFiles.includes(place.file) || place.node.split("/").length > 2);
    });
    expect(offenders, `allowed in lib/<area>/ and one level below: ${areaFiles.join(", ")}`).toEqual([]);
  });

  test("no file is called utils, helpers, types or index", () => {
    const offenders = sources.filter(
      (path) => /(^|\/)(utils?|helpers?|types?|index|common|misc)\.tsx?$/.test(path) && path !== "db/schema/index.ts",
    );
    expect(offenders, "name a file by the one thing it does").toEqual([]);
  });

  test("queries and commands stay on the server, actions are marked, pure files need nothing of the server", () => {
    const offenders = sources.flatMap((path) => {
      const place = placeOf(path);
      if (place.kind !== "area") return [];
      const source = readSource(path);
      if (["queries", "commands", "routes"].includes(place.file) && !source.startsWith('import "server-only";'))
        return [`${path}: begin with import "server-only";`];
      if (place.file === "actions" && !source.startsWith('"use server";')) return [`${path}: begin with "use server";`];
      if (pure.includes(place.file) && /from "(node:|server-only|next\/headers)/.test(source))
        return [`${path}: what needs Node belongs in commands.ts or queries.ts`];
      return [];
    });
    expect(offenders).toEqual([]);
  });

  test("everything a caller can reach takes one argument: a caller may forge a second", () => {
    const offenders = sources.flatMap((path) => {
      const source = withoutComments(readSource(path));
      if (!source.trimStart().startsWith('"use server"')) return [];
      const place = placeOf(path);
      const exported = [...source.matchAll(/\nexport\s+(?!type\b)([^\n]+)/g)].map((found) => found[1] ?? "");
      return exported
        .filter((line) =>
          place.kind === "area"
            ? !/^const \w+ = action\(/.test(line)
            : (/^async function \w+\(([^)]*)\)/.exec(line)?.[1] ?? ",").replace(/\{[^}]*\}/g, "").includes(","),
        )
        .map((line) => `${path}: ${line.trim()} (in lib/<area>/actions.ts only export const name = action({ … }))`);
    });
    expect(offenders).toEqual([]);
  });

  test("a page opens, loads and renders in at most 40 lines", () => {
    const offenders = filesBelow("app", /^page\.tsx$/).filter((path) => readSource(path).trimEnd().split("\n").length > 40);
    expect(offenders, "move what is shown to components/<area> and what is read to queries.ts").toEqual([]);
  });

  test("default exports only where the framework asks for them", () => {
    const framework = /^app\/|^lib\/core\/i18n\.ts$/;
    expect(sources.filter((path) => !framework.test(path) && /\nexport default /.test(readSource(path)))).toEqual([]);
  });

  test("only lib/core/workbook.ts and its parts read and write workbooks", () => {
    const offenders = sources.filter(
      (path) => !/^lib\/core\/workbook/.test(path) && importsOf(path).some(({ to }) => /^(hucre|xlsx|papaparse)(\/|$)/.test(to)),
    );
    expect(offenders).toEqual([]);
  });
});

/** Circles of a graph: each strongly connected part with more than one node. */
function circlesOf(edges: Map<string, Set<string>>): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (node: string) => {
    index.set(node, index.size);
    low.set(node, index.get(node) ?? 0);
    stack.push(node);
    for (const next of edges.get(node) ?? []) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(node, Math.min(low.get(node) ?? 0, low.get(next) ?? 0));
    }
    if (low.get(node) !== index.get(node)) return;
    const part = stack.splice(stack.indexOf(node));
    if (part.length > 1) circles.push(part.sort());
  };
  for (const node of edges.keys()) if (!index.has(node)) visit(node);
  return circles;
}
