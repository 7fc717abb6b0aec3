/** Days a search for the next or last working day goes on before a calendar counts as invalid [SCH-14]. */
export const searchDaysMax = 1095;

/** Working weekdays of a project without calendar, bit 0 = Sunday: Monday to Friday. */
export const defaultWeekdays = 62;

/** All seven weekday bits. */
export const allWeekdays = 127;

/** Single days one calendar may except from its weekdays: thirty years of holidays and moved working days. */
export const calendarDaysMax = 3000;

/** Longest name of a calendar or of one of its days, characters. */
export const calendarNameMax = 100;
