/** Characters of the name of a view. */
export const viewNameChars = 100;
/** Views a person keeps in a project. */
export const viewsMax = 50;
