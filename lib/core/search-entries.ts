/** Entries of a search box: separated by comma, line end or tab, without blanks and repeats. */
export const searchEntries = (text: string): string[] =>
  [...new Set(text.split(/[,，\n\r\t]+/).map((part) => part.trim()))].filter(Boolean);
