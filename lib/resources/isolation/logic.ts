/** A value of an attribute that gives the DUs which have it to a company. */
export type IsolationMatch = { key: string; value: string; company: number };

/** What keeps the companies of a project apart, for one person. */
export type Isolation = {
  /** The account is a subcontractor's: it sees the DUs of its company alone, whatever its roles. */
  bound: boolean;
  /** The data processing agreement the company needs has ended or was never made. */
  dpaEnded: boolean;
  enabled: boolean;
  /** Raised by every change of the switch or the details. */
  version: number;
  matches: IsolationMatch[];
};

/** Values by attribute key. */
export function valuesByKey(matches: readonly IsolationMatch[]): [key: string, values: string[]][] {
  return [...Map.groupBy(matches, ({ key }) => key)].map(([key, rows]) => [key, rows.map(({ value }) => value)]);
}
