/** Days after which an order that nobody accepted is brought to mind. */
export const acceptDays = 2;
/** Days before its plan end from which an order is brought to mind. */
export const dueDays = 3;
