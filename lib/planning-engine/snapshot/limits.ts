/** Form of the frozen input; readers refuse another one. */
export const snapshotFormat = 1;
/** Raised by every change that gives another plan from the same input: a run names it, and is repeated by the same one only. */
export const engineCodeVersion = "1";
/** Days of a calendar before the first date anything keeps. */
export const calendarMargin = 60;
/** Metres of a degree of latitude. */
export const metresPerDegree = 111_195;
/** Ten-thousandths of a rate, hundredths of a quantity. */
export const rateUnit = 10_000;
export const quantityUnit = 100;
export const snapshotDuTypes = ["install", "dismantle", "both"] as const;
/** Order of a DU's items without a design priority. */
export const noPriority = 2_147_483_647;
