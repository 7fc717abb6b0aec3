/** Cards of a page. */
export const cardsPerPage = 24;
