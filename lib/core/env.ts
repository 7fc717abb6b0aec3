import { resolve } from "node:path";
import { z } from "zod";
import { mapAddresses } from "./map-addresses.ts";

/** Where the settings come from; `process.env` or, in tests, any plain object. */
type Source = Record<string, string | undefined>;

const flag = z
  .enum(["0", "1"], { error: "must be 0 or 1" })
  .default("0")
  .transform((text) => text === "1");

const address = (protocols: RegExp, example: string) =>
  z
    .string()
    .refine((text) => URL.canParse(text) && protocols.test(new URL(text).protocol), { error: `must be an address such as ${example}` });

const folder = (fallback: string) =>
  z
    .string()
    .default(fallback)
    .transform((path) => resolve(/* turbopackIgnore: true */ process.cwd(), path));

const wholeNumber = (least: number, most: number, fallback: number) =>
  z
    .string()
    .default(String(fallback))
    .refine((text) => /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most, {
      error: `must be a whole number from ${least} to ${most}`,
    })
    .transform(Number);

const postgresAddress = address(/^postgres(ql)?:$/, "postgres://login:password@host:5432/database");

/** The address of a map style, then the origins it reads from, between blanks. */
const mapStyle = z.string().refine((text) => mapAddresses(text) !== null, {
  error: "must be addresses such as https://maps.example.com/style.json https://tiles.example.com",
});

const Settings = z
  .object({
    PORT: wholeNumber(1, 65_535, 3000),
    DATA_DIR: folder(".data"),
    DATABASE_URL: postgresAddress,
    DATABASE_OWNER_URL: postgresAddress.optional(),
    SMTP_URL: address(/^smtps?:$/, "smtp://user:password@host:587").optional(),
    STORAGE_URL: address(/^(file|s3):$/, "s3://bucket/prefix?region=eu-central-1 or file:///srv/files").optional(),
    AUTH_URL: address(/^https?:$/, "https://milepost.example.com").optional(),
    AUTH_SECRET: z.string().min(32, { error: "must have at least 32 characters" }),
    OIDC_ISSUER: address(/^https?:$/, "https://login.example.com/realms/telecom").optional(),
    OIDC_CLIENT_ID: z.string().optional(),
    OIDC_CLIENT_SECRET: z.string().optional(),
    SAMPLE_DATA: folder("../shared/data"),
    METRICS_TOKEN: z.string().min(16, { error: "must have at least 16 characters" }).optional(),
    MAIL_FROM: z.string().default("Milepost <milepost@localhost>"),
    MAIL_PER_MINUTE: wholeNumber(0, 100_000, 600),
    MAP_STYLE_URL: mapStyle.optional(),
    INVENTORY_URL: address(/^https?:$/, "https://warehouse.example.com/api").optional(),
    INVENTORY_TOKEN: z.string().optional(),
    DEMO: flag,
    MILEPOST_TEST: flag,
    MILEPOST_TEST_CLOCK: z.iso.datetime({ offset: true, error: "must be a moment such as 2026-03-02T08:00:00Z" }).optional(),
  })
  .superRefine((settings, context) => {
    const oidc = ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"] as const;
    if (oidc.every((name) => settings[name] === undefined)) return;
    for (const name of oidc) {
      if (settings[name] === undefined) {
        context.addIssue({ code: "custom", path: [name], message: `is missing; ${oidc.join(", ")} belong together` });
      }
    }
  })
  .transform((settings) => ({
    ...settings,
    DATABASE_OWNER_URL: settings.DATABASE_OWNER_URL ?? settings.DATABASE_URL,
    AUTH_URL: settings.AUTH_URL ?? `http://localhost:${settings.PORT}`,
    // A fixed clock is for tests; set by mistake in production it must not stop time.
    MILEPOST_TEST_CLOCK: settings.MILEPOST_TEST ? settings.MILEPOST_TEST_CLOCK : undefined,
  }));

/** The checked settings of this process; the names are those of the environment variables. */
export type Env = z.output<typeof Settings>;

/** Checks the settings of a source and gives them typed; throws one error that names every wrong variable. An empty variable counts as absent. */
export function readEnv(source: Source): Env {
  const given = Object.fromEntries(Object.keys(Settings.in.shape).map((name) => [name, source[name] || undefined]));
  const result = Settings.safeParse(given);
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) => {
    const name = String(issue.path[0]);
    return `  ${name} ${given[name] === undefined && !issue.message.startsWith("is missing") ? "is missing" : issue.message}`;
  });
  throw new Error(`Wrong settings (see docs/operations.md):\n${[...new Set(lines)].join("\n")}`);
}

let known: Env | undefined;

/** The settings of this process, read at the first call, so that building needs none. Tests read them anew each time. */
export function env(): Env {
  if (known && !known.MILEPOST_TEST) return known;
  known = readEnv(process.env);
  return known;
}
