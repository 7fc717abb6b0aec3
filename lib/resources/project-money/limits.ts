/** Currencies a project may have; the first without a choice [RES-16]. */
export const currencies = ["USD", "CNY", "EUR"] as const;
export type Currency = (typeof currencies)[number];
export const rateKinds = ["INTEGER", "REAL"] as const;
export type RateKind = (typeof rateKinds)[number];
/** Bounds of the rate of completed clusters by its kind [RES-33]. */
export const rateBounds = { INTEGER: { min: 0, max: 9999, decimals: 0 }, REAL: { min: 0.01, max: 99.99, decimals: 2 } } as const;
