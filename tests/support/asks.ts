import type { Page } from "playwright";

/** Notes when a page asks an address, from its next opening on, by its own clock: how long the machine takes for it does not count. Gives what reads the moments, in ms. */
export async function noteAsks(page: Page, address: string): Promise<() => Promise<number[]>> {
  await page.addInitScript((part) => {
    const asks: number[] = [];
    const ask = window.fetch;
    window.fetch = (...given) => {
      if (String(given[0]).includes(part)) asks.push(Date.now());
      return ask(...given);
    };
    Object.assign(window, { asks });
  }, address);
  return () => page.evaluate(() => (window as unknown as { asks: number[] }).asks);
}
