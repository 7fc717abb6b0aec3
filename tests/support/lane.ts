import { inject } from "vitest";

/** What the browser suites of one lane share: a pair of web and worker with a database of their own. */
export type Lane = {
  /** Folder of the pair below `.data-test`. */
  name: string;
  /** Address of its web process. */
  baseUrl: string;
  /** Owner login of its database: suites make their own projects there. */
  ownerUrl: string;
  /** What its session cookies are sealed with. */
  authSecret: string;
};

declare module "vitest" {
  export interface ProvidedContext {
    lanes: Lane[];
  }
}

/** The lane this suite runs in. Suites of one lane run one after another; lanes share nothing but the machine. */
export function ownLane(): Lane {
  const lane = inject("lanes")[Number(process.env.VITEST_POOL_ID) - 1];
  if (!lane) throw new Error(`There is no lane ${process.env.VITEST_POOL_ID}.`);
  return lane;
}
