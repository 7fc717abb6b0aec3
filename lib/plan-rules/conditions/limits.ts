/** Condition rows of one rule, and parentheses before or behind one row. */
export const conditionRowsMax = 10;
export const parenthesesMax = 3;
/** Values of one row, and the length of a text among them. */
export const conditionValuesMax = 50;
export const conditionTextChars = 250;

/** Signs that no name and no typed text of a rule may hold, besides control characters. */
export const specialCharacters = "<>\"'\\;%&$#{}[]|^~!?*=`";

export const objectTypes = ["text", "number", "date", "time", "datetime", "choice"] as const;
export type ObjectType = (typeof objectTypes)[number];

/** What can be asked of an object of each type. */
export const operators = {
  text: ["eq", "ne", "contains", "notContains", "startsWith", "endsWith", "in", "isEmpty", "isNotEmpty"],
  number: ["eq", "ne", "gt", "ge", "lt", "le", "between", "isEmpty", "isNotEmpty"],
  date: ["eq", "ne", "before", "onOrBefore", "after", "onOrAfter", "between", "isEmpty", "isNotEmpty"],
  time: ["eq", "ne", "before", "onOrBefore", "after", "onOrAfter", "between", "isEmpty", "isNotEmpty"],
  datetime: ["eq", "ne", "before", "onOrBefore", "after", "onOrAfter", "between", "isEmpty", "isNotEmpty"],
  choice: ["in", "notIn", "isEmpty", "isNotEmpty"],
} as const satisfies Record<ObjectType, readonly string[]>;
export const operatorNames = [...new Set(Object.values(operators).flat())];
export type Operator = (typeof operatorNames)[number];

export const logics = ["AND", "OR"] as const;
export type Logic = (typeof logics)[number];
