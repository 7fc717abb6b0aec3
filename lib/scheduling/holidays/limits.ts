/** Years whose holidays can be asked for: those whose days a calendar can hold. */
export const holidayYearMin = 2000;
export const holidayYearMax = 2089;
/** Years taken over at a time. */
export const holidayYearsMax = 10;
/** Longest code of a country or of an area within it, characters. */
export const holidayCodeMax = 20;
