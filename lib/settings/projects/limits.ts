/** Longest name of a project and of its data centre. */
export const projectNameChars = 200;
export const datacenterChars = 60;
/** The data centre of a project for which none is named: without one nobody may enter it. */
export const ownDatacenter = "main";
/** Hours the clock of a project can be ahead of Beijing's, or behind it, and the parts of an hour it goes in. SES-07 */
export const beijingHoursMin = -20;
export const beijingHoursMax = 6;
export const beijingHoursStep = 0.25;
