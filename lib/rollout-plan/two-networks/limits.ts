/** Rows one call saves, activities it shows, and pairs of one page. */
export const jointRowsMax = 200;
export const jointActivitiesMax = 60;
export const pairsPerPage = 100;
/** Characters of a product line. */
export const lineChars = 80;
