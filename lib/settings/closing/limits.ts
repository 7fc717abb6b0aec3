/** Months after its closing at which the network data of a project is deleted. OPS-45 */
export const eraseAfterMonths = 1;
/** Days before it at which the project managers are warned by mail. */
export const warningDays = [14, 3] as const;
/** Years without activity after which personal data is replaced. OPS-46 */
export const personalYears = 5;
