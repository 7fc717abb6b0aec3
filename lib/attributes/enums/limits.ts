/** Choices a page of an attribute's list may have. */
export const choicePageMax = 500;
