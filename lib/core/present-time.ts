import { env } from "./env.ts";

/** The present moment: the clock of the machine, or the moment a test has set. Everything due or valid is judged by the `now` made here. */
export function presentTime(): Date {
  const settings = env();
  return settings.MILEPOST_TEST && settings.MILEPOST_TEST_CLOCK ? new Date(settings.MILEPOST_TEST_CLOCK) : new Date();
}
