/** Milliseconds of one run. */
export async function once(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** The middle of the list. */
export function median(values: number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The value below which that part of the list lies. */
export function quantile(values: readonly number[], part: number): number {
  return [...values].sort((left, right) => left - right)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? Number.NaN;
}

/**
 * Medians of two works run in turn, after a few runs that do not count: what one run suffers from the machine, its neighbour suffers too.
 * @param prepare what a person would have done before, such as typing: not timed
 */
export async function pair(
  runs: number,
  product: () => Promise<unknown>,
  bare: () => Promise<unknown>,
  prepare: () => void = () => {},
): Promise<{ product: number; bare: number }> {
  const times: { product: number[]; bare: number[] } = { product: [], bare: [] };
  for (let run = -3; run < runs; run++) {
    prepare();
    const left = await once(product);
    const right = await once(bare);
    if (run < 0) continue;
    times.product.push(left);
    times.bare.push(right);
  }
  return { product: median(times.product), bare: median(times.bare) };
}

/** Runs a second of a work done by several callers at once for some seconds. */
export async function throughput(callers: number, seconds: number, work: () => Promise<unknown>): Promise<number> {
  const end = performance.now() + seconds * 1000;
  let done = 0;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() < end) {
        await work();
        done++;
      }
    }),
  );
  return done / seconds;
}

/** One line of the report: the product's figure, the bare limit of the same run, their ratio and the goal for it. */
export function line(name: string, product: number, bare: number, unit: string, goal: string): void {
  const figure = (value: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(2));
  console.log(
    `${name.padEnd(46)} ${figure(product).padStart(9)} ${unit.padEnd(5)} bare ${figure(bare).padStart(9)}   ratio ${(product / bare).toFixed(2).padStart(6)}   goal ${goal}`,
  );
}
