import { answerMetrics } from "#lib/core/metrics-door.ts";

export const dynamic = "force-dynamic";

/** Figures of this process and of the installation for Prometheus; only with the token of `METRICS_TOKEN`. */
export const GET = answerMetrics;
