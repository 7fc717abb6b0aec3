import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { type Browser, chromium } from "playwright";
import { findBrowser } from "../../scripts/browser.mjs";

/**
 * What is not wanted of the browser around the page. Of this switch the last one counts, so what Playwright leaves out stands here again. The suggestions
 * below the address bar are pages of their own in newer builds: nobody sees them in a browser without a screen, and each window paid two thirds of its work for them.
 */
const disabledFeatures = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "WebUIOmniboxFullPopup",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
];

/**
 * Starts the Chromium of this machine: `CHROMIUM_PATH`, the system's, or the packaged one. The caller closes it.
 * @param more arguments besides those every browser gets
 */
export async function openBrowser(more: readonly string[] = []): Promise<Browser> {
  const executablePath = await findBrowser();
  // The packaged build unpacks itself there; it is a headless shell and its own arguments break closing a context: these two are all it needs.
  const args = ["--no-sandbox", `--disable-features=${disabledFeatures.join()}`, ...more];
  if (dirname(executablePath) === tmpdir()) args.push("--headless=shell");
  return chromium.launch({ executablePath, args });
}
