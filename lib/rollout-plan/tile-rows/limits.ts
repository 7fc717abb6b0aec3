/** Row texts a process keeps. */
export const keptTextsMax = 20_000;
/** DUs whose attributes a process keeps. */
export const keptAttributesMax = 10_000;
/** Activity flows whose orders a process keeps. */
export const keptOrdersMax = 2_000;
/** Rows from which two connections read them side by side. */
export const halvesFrom = 20;
/** Kept results whose DUs a process remembers. */
export const keptIdsMax = 60;
/** Row texts prepared by one statement. */
export const preparedAtOnce = 500;
