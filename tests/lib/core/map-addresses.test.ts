import { NextRequest } from "next/server";
import { describe, expect, it } from "vitest";
import { readEnv } from "#lib/core/env.ts";
import { mapAddresses } from "#lib/core/map-addresses.ts";
import { proxy } from "#proxy.ts";

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

describe("the content security policy", () => {
  const rules = (setting: string) => {
    process.env.MAP_STYLE_URL = setting;
    try {
      const policy = proxy(new NextRequest("http://localhost/P/rollout-plan/map")).headers.get("content-security-policy") ?? "";
      return new Map(policy.split("; ").map((rule) => [rule.split(" ")[0], rule.split(" ").slice(1)]));
    } finally {
      delete process.env.MAP_STYLE_URL;
    }
  };

  it("names no foreign place without a map of others", () => {
    for (const [, places] of rules("")) expect(places.filter((place) => place.includes("//"))).toEqual([]);
  });

  it("lets the map be read from its places, and nothing be run from there", () => {
    const given = rules("https://m.example.com/s.json https://t.example.com");
    const open = [...given].filter(([, places]) => places.some((place) => place.includes("example.com"))).map(([rule]) => rule);
    expect(open).toEqual(["img-src", "connect-src"]);
    expect(given.get("connect-src")).toEqual(["'self'", "blob:", "https://m.example.com", "https://t.example.com"]);
  });
});
