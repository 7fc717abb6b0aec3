import { shareMax, wholeShare } from "./limits.ts";

/** A percentage in hundredths of a percent. */
export const hundredths = (percentage: number): number => Math.round(percentage * 100);

/** Whether a number is a share: 0 to 100 with at most two decimals. [REG-06] */
export const isShare = (percentage: number): boolean =>
  percentage >= 0 && percentage <= shareMax && Math.abs(percentage * 100 - hundredths(percentage)) < 1e-6;

/** Sum of percentages in hundredths of a percent, without the errors of binary fractions. */
export const shareSum = (percentages: readonly number[]): number => percentages.reduce((sum, one) => sum + hundredths(one), 0);

/**
 * Divides a whole number by whole weights: each gets its floor, what is left goes to the largest remainders, equal ones in their order.
 * Weights that are all 0 count as equal.
 */
export function largestRemainder(total: number, weights: readonly number[]): number[] {
  const given = weights.some((weight) => weight > 0) ? weights : weights.map(() => 1);
  const sum = given.reduce((all, weight) => all + weight, 0);
  const parts = given.map((weight) => Math.floor((total * weight) / sum));
  const left = total - parts.reduce((all, part) => all + part, 0);
  const rests = given.map((weight, at) => ({ at, rest: (total * weight) % sum })).sort((a, b) => b.rest - a.rest || a.at - b.at);
  for (const { at } of rests.slice(0, left)) parts[at] = (parts[at] ?? 0) + 1;
  return parts;
}

/** A whole number divided by the percentages of regions, in their order; shares that were never set count as equal. */
export const splitByShare = (total: number, percentages: readonly number[]): number[] =>
  largestRemainder(total, percentages.map(hundredths));

/** Percentages that are as equal as two decimals allow: the first regions get what does not divide. */
export const equalShares = (count: number): number[] => sharesByCount(new Array<number>(count).fill(1));

/** Percentages in the proportion of counts; equal where nothing is counted. */
export const sharesByCount = (counts: readonly number[]): number[] => largestRemainder(wholeShare, counts).map((part) => part / 100);
