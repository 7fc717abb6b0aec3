/** Sum of percentages, exact to the hundredth. */
export const percentSum = (percentages: readonly number[]): number =>
  percentages.reduce((sum, value) => sum + Math.round(value * 100), 0) / 100;
