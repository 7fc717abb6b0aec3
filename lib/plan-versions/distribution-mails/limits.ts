/** Answers one mail lists; of more it gives the number. */
export const mailLinesMax = 50;
