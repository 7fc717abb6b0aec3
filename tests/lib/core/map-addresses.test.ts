import { describe, expect, it } from "vitest";
import { readEnv } from "#lib/core/env.ts";
import { mapAddresses } from "#lib/core/map-addresses.ts";

describe("where a map comes from", () => {
  it("is the style, then the origins it reads from, each once", () => {
    expect(mapAddresses("https://maps.example.com/a/style.json")).toEqual({
      style: "https://maps.example.com/a/style.json",
      origins: ["https://maps.example.com"],
    });
    expect(mapAddresses(" https://m.example.com/s.json  https://t.example.com:8443/x https://m.example.com ")?.origins).toEqual([
      "https://m.example.com",
      "https://t.example.com:8443",
    ]);
  });

  it.each([
    "",
    "style.json",
    "javascript:alert(1)",
    "https://m.example.com/s.json data:x",
    "https://m.example.com/s.json *",
  ])("is not %j", (setting) => expect(mapAddresses(setting)).toBeNull());

  it("stops the start where it is wrong", () => {
    const given = { DATABASE_URL: "postgres://localhost/x", AUTH_SECRET: "x".repeat(32) };
    expect(readEnv({ ...given, MAP_STYLE_URL: "https://m.example.com/s.json" }).MAP_STYLE_URL).toBe("https://m.example.com/s.json");
    expect(() => readEnv({ ...given, MAP_STYLE_URL: "https://m.example.com/s.json; script-src *" })).toThrow("MAP_STYLE_URL");
  });
});
