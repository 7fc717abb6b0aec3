import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { ExportMembers } from "#lib/access/members/schema.ts";
import { filterChars } from "#lib/core/filter-limits.ts";
import { errorText } from "#lib/core/texts.ts";
import { zodProblems } from "#lib/core/zod-problems.ts";
import { ExportAudit } from "#lib/logs/audit/schema.ts";
import { ExportPlanLog } from "#lib/logs/log-export/schema.ts";
import { ListBatches } from "#lib/logs/plan-batches/schema.ts";
import { ExportReplications } from "#lib/logs/replication-log/schema.ts";
import { ExportTemplateLog } from "#lib/logs/template-log/schema.ts";
import { ExportErp } from "#lib/milestones/erp-export/schema.ts";
import { ExportDuOwners } from "#lib/owners/du-owners/schema.ts";
import { ExportRegionOwners } from "#lib/owners/region-owners/schema.ts";
import { ExportChanges } from "#lib/plan-rules/execution/schema.ts";
import { ExportVersion } from "#lib/plan-versions/version-export/schema.ts";
import { ExportDus, ExportSites } from "#lib/rollout-plan/du-export/schema.ts";

/** Conditions of that many characters, as JSON has them. */
const filters = (field: string, type: string, chars: number) => {
  const given = (value: string) => [{ field, type, values: [value, "x"] }];
  return given("x".repeat(chars - JSON.stringify(given("")).length));
};

describe("conditions in a body have 3,000 characters at most, one more is refused [OPS-31]", () => {
  test.each<[string, z.ZodType, string, string, object]>([
    ["DUs", ExportDus, "code", "in", {}],
    ["sites", ExportSites, "city", "in", {}],
    ["ERP milestones", ExportErp, "code", "in", { milestoneIds: [1] }],
    ["the audit log", ExportAudit, "object", "like", {}],
    ["the plan log", ExportPlanLog, "field", "in", {}],
    ["batches of the plan log", ListBatches, "field", "in", {}],
    ["the replication log", ExportReplications, "flow", "like", {}],
    ["the template log", ExportTemplateLog, "name", "like", {}],
    ["owners of DUs", ExportDuOwners, "owner", "like", {}],
    ["owners of regions", ExportRegionOwners, "blank", "eq", {}],
    ["members", ExportMembers, "name", "like", {}],
    ["changes by plan rules", ExportChanges, "reason", "in", {}],
    ["a plan version", ExportVersion, "region", "in", { id: 1 }],
  ])("%s", (_, schema, field, type, rest) => {
    expect(schema.safeParse({ ...rest, filters: filters(field, type, filterChars) }).error?.issues).toBeUndefined();
    const input = { ...rest, filters: filters(field, type, filterChars + 1) };
    const parsed = schema.safeParse(input);
    expect(parsed.success ? [] : zodProblems(parsed.error, input)).toEqual([
      { path: "filters", code: "FILTER_TOO_LONG", params: { field: "filters", max: 3000 } },
    ]);
  });

  test("what a search box looks for does not count", () => {
    const searched = { field: "search", type: "like", values: ["y".repeat(filterChars)] };
    for (const schema of [ExportDus, ExportDuOwners])
      expect(
        schema.safeParse({ filters: [searched, ...filters(schema === ExportDus ? "code" : "owner", "in", filterChars)] }).error?.issues,
      ).toBeUndefined();
    expect(ExportDus.safeParse({ filters: [searched, ...filters("code", "in", filterChars + 1)] }).success).toBe(false);
  });

  test("the refusal names the bound", () => {
    expect(errorText("en", "FILTER_TOO_LONG", { max: filterChars })).toBe("The filter is too long: at most 3,000 characters");
  });
});
