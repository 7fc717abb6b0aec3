/** How the days of a text cell are written; typed days need no answer. */
export const dateFormats = ["ymd", "dmy", "mdy"] as const;
export type DateFormat = (typeof dateFormats)[number];

/** First and last day an imported date may hold, as ISO days (RPL, cell rules). */
export const firstDate = "2000-01-02";
export const lastDate = "2089-09-17";

/** Rows a worker keeps as it has read and judged them for the application that mostly follows, and how long. */
export const keptRowsMax = 10_000;
export const keptMs = 300_000;
