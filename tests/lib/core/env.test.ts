import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { readEnv } from "#lib/core/env.ts";

const least = { DATABASE_URL: "postgres://app:pw@db:5432/milepost", AUTH_SECRET: "s".repeat(32) };

describe("settings", () => {
  test("have defaults for everything but database and secret", () => {
    expect(readEnv(least)).toMatchObject({
      PORT: 3000,
      DATA_DIR: resolve(".data"),
      SAMPLE_DATA: resolve("../shared/data"),
      DATABASE_OWNER_URL: least.DATABASE_URL,
      AUTH_URL: "http://localhost:3000",
      MAIL_PER_MINUTE: 600,
      SMTP_URL: undefined,
      STORAGE_URL: undefined,
      DEMO: false,
      MILEPOST_TEST: false,
    });
  });

  test("count as absent when they are empty", () => {
    expect(readEnv({ ...least, PORT: "", SMTP_URL: "", DATABASE_OWNER_URL: "" })).toMatchObject({ PORT: 3000, SMTP_URL: undefined });
  });

  test("keep what is given", () => {
    const owner = "postgresql://owner:pw@db/milepost";
    expect(readEnv({ ...least, PORT: "8080", DATABASE_OWNER_URL: owner, DEMO: "1", MAIL_PER_MINUTE: "0" })).toMatchObject({
      PORT: 8080,
      DATABASE_OWNER_URL: owner,
      DEMO: true,
      MAIL_PER_MINUTE: 0,
      AUTH_URL: "http://localhost:8080",
    });
  });

  test.each([
    ["PORT", "abc"],
    ["PORT", "0"],
    ["PORT", "65536"],
    ["DATABASE_URL", "mysql://app@db/milepost"],
    ["DATABASE_URL", ""],
    ["DATABASE_OWNER_URL", "milepost"],
    ["AUTH_SECRET", "s".repeat(31)],
    ["AUTH_SECRET", ""],
    ["AUTH_URL", "milepost.example.com"],
    ["SMTP_URL", "http://mail.example.com"],
    ["STORAGE_URL", "ftp://files.example.com"],
    ["MAIL_PER_MINUTE", "-1"],
    ["DEMO", "yes"],
    ["MILEPOST_TEST_CLOCK", "yesterday"],
  ])("%s = %j is refused by name", (name, value) => {
    expect(() => readEnv({ ...least, [name]: value })).toThrow(new RegExp(`Wrong settings.*\\n  ${name} (must|is missing)`));
  });

  test("of single sign-on belong together", () => {
    const some = { ...least, OIDC_ISSUER: "https://login.example.com" };
    expect(() => readEnv(some)).toThrow(/OIDC_CLIENT_ID is missing/);
    expect(() => readEnv({ ...some, OIDC_CLIENT_ID: "milepost" })).toThrow(/OIDC_CLIENT_SECRET is missing/);
    expect(readEnv({ ...some, OIDC_CLIENT_ID: "milepost", OIDC_CLIENT_SECRET: "x" })).toMatchObject({ OIDC_CLIENT_ID: "milepost" });
  });

  test("all wrong ones are named at once", () => {
    expect(() => readEnv({ PORT: "x" })).toThrow(/PORT must[\s\S]*DATABASE_URL is missing[\s\S]*AUTH_SECRET is missing/);
  });

  test("a fixed clock works in tests only", () => {
    const clock = { ...least, MILEPOST_TEST_CLOCK: "2026-10-14T02:00:00Z" };
    expect(readEnv(clock).MILEPOST_TEST_CLOCK).toBeUndefined();
    expect(readEnv({ ...clock, MILEPOST_TEST: "1" }).MILEPOST_TEST_CLOCK).toBe("2026-10-14T02:00:00Z");
  });
});
