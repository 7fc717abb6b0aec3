/** Row texts a process keeps. */
export const keptTextsMax = 20_000;
/** DUs whose attributes a process keeps. */
export const keptAttributesMax = 10_000;
