export const groupNameChars = 100;
export const scenarioChars = 200;
export const contractorChars = 200;
export const memberTypeChars = 60;
/** People that come into a group at once. RES-22 */
export const addedMax = 20;
/** Members a group may have. */
export const membersMax = 200;
/** Groups one call deletes. */
export const groupsPerCall = 200;
