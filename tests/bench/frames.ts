import { line, median, quantile } from "./measure.ts";
import { besideQuiet, type InTurn, type Work } from "./quiet.ts";

/** Frames a second of a browser without a screen. */
const cappedRate = 60;
/** Of 240 frames one that takes as long as two passes for the rate, as it passes for the longest. */
const nearlyRate = cappedRate - 0.3;
const longestMs = 34;

/** Milliseconds of each frame of one way scrolled through. */
export type Pass = { times: number[] };

/** Frames a second. */
const rate = ({ times }: Pass) => 1000 / (times.reduce((sum, time) => sum + time, 0) / times.length);

const keepsRate = (pass: Pass) => rate(pass) >= nearlyRate && Math.max(...pass.times) <= longestMs;

/** Passes of a view beside which a plain page kept the rate the browser is capped at. */
export const quietPasses = <P extends Pass>(product: Work<P>, bare: Work<P>) =>
  besideQuiet(product, bare, keepsRate, { wanted: 3, most: 6 });

/** The lines of the report about the frames of a view. */
export function frameLines(name: string, { product, bare, told }: InTurn<Pass> & { told: string }): void {
  const rates = (of: Pass[]) => of.map((pass) => rate(pass).toFixed(2)).join(", ");
  console.log(`${name}, frames a second of each pass: ${rates(product)}; bare ${rates(bare)}; ${told}`);
  const times = (of: Pass[]) => of.flatMap((pass) => pass.times);
  line(`${name}, frames a second`, median(product.map(rate)), median(bare.map(rate)), "/s", "60");
  line(`${name}, frame p95`, quantile(times(product), 0.95), quantile(times(bare), 0.95), "ms", "≤ 17 ms");
  line(`${name}, longest frame`, Math.max(...times(product)), Math.max(...times(bare)), "ms", "≤ 34 ms");
}
