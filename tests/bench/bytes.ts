import { openBrowser } from "../support/chromium.ts";
import { signedIn } from "./grid.ts";
import type { Installation } from "./installation.ts";
import { line } from "./measure.ts";

/** What a signed-in person's browser with an empty cache is sent until the first rows of the plan stand there, by kind. */
export async function benchBytes(installation: Installation): Promise<void> {
  const browser = await openBrowser();
  try {
    const page = await signedIn(browser, installation);
    await page.goto("about:blank");
    const network = await page.context().newCDPSession(page);
    await network.send("Network.enable");
    await network.send("Network.setCacheDisabled", { cacheDisabled: true });
    const kinds = new Map<string, string>();
    const bytes = new Map<string, number>();
    network.on("Network.responseReceived", ({ requestId, type }) => kinds.set(requestId, type));
    network.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      const kind = kinds.get(requestId) ?? "Other";
      bytes.set(kind, (bytes.get(kind) ?? 0) + encodedDataLength);
    });
    await page.goto(`${installation.address}/LARGE`);
    await page.locator("[role=gridcell][aria-colindex='2']").first().waitFor();
    await page.locator("[role=grid] [inert]").waitFor({ state: "detached" });
    const kilobytes = (count: number) => count / 1000;
    for (const [kind, count] of [...bytes].sort((left, right) => right[1] - left[1]))
      console.log(`  ${kind.padEnd(44)} ${kilobytes(count).toFixed(1).padStart(9)} kB`);
    const total = [...bytes.values()].reduce((sum, count) => sum + count, 0);
    line("signed-in user to first rows, cold cache", kilobytes(total), 400, "kB", "≤ 1");
  } finally {
    await browser.close();
  }
}
