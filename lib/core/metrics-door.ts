import "server-only";
import { createHash, timingSafeEqual } from "node:crypto";
import { env } from "./env.ts";
import { installationGauges } from "./gauges.ts";
import { log } from "./log.ts";
import { metricsText } from "./metrics.ts";

const digest = (text: string) => createHash("sha256").update(text).digest();

/** Answers a scrape that brings the token; without a token in the settings there is nothing at this address. */
export async function answerMetrics(request: Request): Promise<Response> {
  const wanted = env().METRICS_TOKEN;
  if (!wanted) return new Response(null, { status: 404 });
  const given = /^Bearer\s+(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
  if (!timingSafeEqual(digest(given), digest(wanted)))
    return new Response(null, { status: 401, headers: { "www-authenticate": "Bearer" } });
  // A database that does not answer hides its own figures, not those of this process.
  const [gauges, up] = await installationGauges().then(
    (found) => [found, 1] as const,
    (error) => {
      log.warn({ error }, "metrics: the database does not answer");
      return [[], 0] as const;
    },
  );
  const database = { name: "milepost_database_up", help: "Whether the database answers.", type: "gauge", values: [{ value: up }] } as const;
  return new Response(metricsText([{ ...database, values: [...database.values] }, ...gauges]), {
    headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8", "cache-control": "no-store" },
  });
}
