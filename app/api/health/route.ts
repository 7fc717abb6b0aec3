import { missingParts } from "#lib/core/health.ts";

export const dynamic = "force-dynamic";

/** 200 when web, database, migrations and worker are ready, else 503 with what is missing; needs no sign-in. */
export async function GET(): Promise<Response> {
  const missing = await missingParts();
  const status = missing.length === 0 ? 200 : 503;
  return Response.json({ status, missing }, { status, headers: { "cache-control": "no-store" } });
}
