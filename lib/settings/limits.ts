/** Limits a project may set: the installation's value and the range. OPS-10 OPS-11 OPS-19 OPS-43 */
export const limitSettings = {
  "attribute.customMax": { value: 10, min: 1, max: 50 },
  "attribute.totalMax": { value: 300, min: 50, max: 1000 },
  "edit.du": { value: 10_000, min: 1_000, max: 10_000 },
  "export.du": { value: 9_999, min: 100, max: 9_999 },
  "export.rows": { value: 2_000, min: 100, max: 2_000 },
  "rule.validMax": { value: 50, min: 1, max: 200 },
  "select.du": { value: 200, min: 20, max: 200 },
} as const;
export type LimitKey = keyof typeof limitSettings;
export const limitKeys = Object.keys(limitSettings) as LimitKey[];

/** Switches of a project; each is off until somebody turns it on. OPS-07 OPS-40 */
export const switchKeys = ["dataControl", "planChangeControl", "customerDataControl", "page.rows500"] as const;
export type SwitchKey = (typeof switchKeys)[number];
/** Switches of which only one may be on. OPS-41 */
export const exclusiveSwitches: readonly SwitchKey[] = ["dataControl", "planChangeControl"];

/** How long a process trusts what it has read of limits and switches, in seconds: the promise is three minutes. OPS-42 */
export const trustSeconds = 60;

/** Longest text of an error report, its code and its screen. */
export const reportChars = 2_000;
export const reportCodeChars = 60;
export const reportScreenChars = 200;
