/** What something is called in Chinese, English and Japanese. */
export type Name = readonly [zh: string, en: string, ja: string];

/** A name; where Chinese and Japanese write it alike, two forms serve all three languages. */
export const named = (zh: string, en: string, ja = zh): Name => [zh, en, ja];

/** The one text a name is stored as: every form once, in a fixed order, so that it reads in each language of the product. */
export const nameText = (name: Name): string => [...new Set(name)].join(" ");
