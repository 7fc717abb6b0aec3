/** What both did. */
export type InTurn<T> = { product: T[]; bare: T[] };
/** Does it once; told how often it was done before. */
export type Work<T> = (before: number) => Promise<T>;

/** Both some times in turn. */
export async function inTurn<T>(times: number, product: Work<T>, bare: Work<T>): Promise<InTurn<T>> {
  const done: InTurn<T> = { product: [], bare: [] };
  for (let time = 0; time < times; time++) {
    done.product.push(await product(time));
    done.bare.push(await bare(time));
  }
  return done;
}

/**
 * Both in turn until some of the product's count: those right before and right after which the bare work was held up by nothing. Where it was, something else is at work
 * on the machine, and the clock says nothing of the product. What the product itself did is not asked.
 * @param isQuiet whether what the bare work did says that nothing held it up
 * @param counts how many are to count, and how many are done for them at most
 * @returns what counts; all of it, with `told` saying so, where nothing does
 */
export async function besideQuiet<T>(
  product: Work<T>,
  bare: Work<T>,
  isQuiet: (of: T) => boolean,
  counts: { wanted: number; most: number },
): Promise<InTurn<T> & { told: string }> {
  const all: InTurn<T> = { product: [], bare: [] };
  const quiet: InTurn<T> = { product: [], bare: [] };
  let before = await bare(0);
  for (let time = 0; time < counts.most && quiet.product.length < counts.wanted; time++) {
    const given = await product(time);
    const after = await bare(time);
    for (const done of isQuiet(before) && isQuiet(after) ? [all, quiet] : [all]) {
      done.product.push(given);
      done.bare.push(after);
    }
    before = after;
  }
  const times = all.product.length;
  if (quiet.product.length === 0) return { ...all, told: `none of ${times} counts, as the bare one was held up beside each` };
  return { ...quiet, told: `${quiet.product.length} of ${times} count` };
}
