import { describe, expect, it, test } from "vitest";
import {
  effectiveMode,
  type ModeFacts,
  type PermissionEntry,
  type Permissions,
  type PersonKind,
  permittedMode,
} from "#lib/attributes/modes/logic.ts";

const open: ModeFacts = {
  type: "TEXT",
  visibleCustomer: false,
  visibleSubcon: false,
  editableSubcon: false,
  own: null,
  hasWriters: false,
  personControl: false,
  listed: false,
};
const nothing: Permissions = { account: null, roles: [null] };
const mode = (facts: Partial<ModeFacts>, kind: PersonKind = "employee", permissions = nothing) =>
  effectiveMode(12, { ...open, ...facts }, kind, permissions);
const entry = (attributeId: number | "*", given: PermissionEntry["mode"]): PermissionEntry => ({ attributeId, mode: given });

describe("effective mode of an attribute", () => {
  test.each([
    ["nothing said", {}, "employee", "RW"],
    ["type read only", { type: "READ_ONLY" }, "employee", "RO"],
    ["customer, not visible", {}, "customer", "HIDDEN"],
    ["customer, visible", { visibleCustomer: true }, "customer", "RO"],
    ["customer, visible to subcontractors only", { visibleSubcon: true, editableSubcon: true }, "customer", "HIDDEN"],
    ["subcontractor, not visible", { visibleCustomer: true }, "subcontractor", "HIDDEN"],
    ["subcontractor, visible", { visibleSubcon: true }, "subcontractor", "RO"],
    ["subcontractor, editable", { visibleSubcon: true, editableSubcon: true }, "subcontractor", "RW"],
    ["named read only", { own: "RO" }, "employee", "RO"],
    ["named read-write", { own: "RW", hasWriters: true }, "employee", "RW"],
    ["others are named read-write", { hasWriters: true }, "employee", "RO"],
    ["person control, not listed", { personControl: true }, "employee", "RO"],
    ["person control, listed", { personControl: true, listed: true }, "employee", "RW"],
    ["listed without person control", { listed: true }, "employee", "RW"],
  ] as const)("%s [ATT-28] [ATT-29]", (_name, facts, kind, expected) => {
    expect(mode(facts, kind)).toBe(expected);
  });

  it("takes the lowest of all layers: TL, role row RW, person control on and not listed is read only [ATT-28]", () => {
    expect(mode({ personControl: true }, "employee", { account: null, roles: [[entry(12, "RW")]] })).toBe("RO");
    expect(mode({ visibleSubcon: true }, "subcontractor", { account: null, roles: [[entry(12, "HIDDEN")]] })).toBe("HIDDEN");
    expect(mode({}, "customer", { account: [entry("*", "RW")], roles: [] })).toBe("HIDDEN");
  });
});

describe("permission of a person [ATT-25]", () => {
  it("an entry of the attribute goes before that of all", () => {
    expect(permittedMode({ account: [entry("*", "HIDDEN"), entry(12, "RO")], roles: [] }, 12)).toBe("RO");
    expect(permittedMode({ account: [entry(13, "RO"), entry("*", "HIDDEN")], roles: [] }, 12)).toBe("HIDDEN");
  });

  it("the account's row goes before those of the roles, and says nothing of attributes it does not name", () => {
    expect(permittedMode({ account: [entry(12, "HIDDEN")], roles: [[entry(12, "RW")]] }, 12)).toBe("HIDDEN");
    expect(permittedMode({ account: [entry(13, "HIDDEN")], roles: [[entry(12, "HIDDEN")]] }, 12)).toBe("RW");
  });

  it("of several roles the most permissive counts, a role without an entry as read-write", () => {
    expect(permittedMode({ account: null, roles: [[entry(12, "HIDDEN")], [entry(12, "RO")]] }, 12)).toBe("RO");
    expect(permittedMode({ account: null, roles: [[entry(12, "HIDDEN")], null] }, 12)).toBe("RW");
    expect(permittedMode({ account: null, roles: [[entry(12, "HIDDEN")], [entry(13, "RO")]] }, 12)).toBe("RW");
    expect(permittedMode({ account: null, roles: [] }, 12)).toBe("RW");
  });
});
