import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { type Browser, chromium } from "playwright";
import { findBrowser } from "../../scripts/browser.mjs";

/** Starts the Chromium of this machine: `CHROMIUM_PATH`, the system's, or the packaged one. The caller closes it. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = await findBrowser();
  // The packaged build unpacks itself there; it is a headless shell and its own arguments break closing a context: these two are all it needs.
  const args = dirname(executablePath) === tmpdir() ? ["--no-sandbox", "--headless=shell"] : ["--no-sandbox"];
  return chromium.launch({ executablePath, args });
}
