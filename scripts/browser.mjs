// Finds or installs what browser tests need: a Chromium and a font with Chinese and Japanese. Plain Node, no dependency of its own.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { root, runToEnd, versionOf } from "./runtime.mjs";

/** The system's: the shell, which has no windows around its pages and shows them in half the time, before the whole browser. */
const SYSTEM_PACKAGE = "chromium-headless-shell";
const SYSTEM_BROWSERS = [`/usr/bin/${SYSTEM_PACKAGE}`, "/usr/bin/chromium"];
const FONT_PACKAGE = "@expo-google-fonts/noto-sans-sc";
const require = createRequire(join(root, "package.json"));

/** Path of a Chromium: `CHROMIUM_PATH`, the system's, or the packaged one. */
export async function findBrowser() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const installed = SYSTEM_BROWSERS.find(existsSync);
  if (installed) return installed;
  const { default: packaged } = await import(require.resolve("@sparticuz/chromium"));
  return packaged.executablePath();
}

/** Installs the system's Chromium shell as root where there is none, then gives the path and version of the browser to use. */
export async function ensureBrowser(signal) {
  if (!process.env.CHROMIUM_PATH && !existsSync(SYSTEM_BROWSERS[0]) && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    try {
      await runToEnd("apt-get", ["update", "-qq"], { env, signal });
      await runToEnd("apt-get", ["install", "-y", "-qq", "--no-install-recommends", SYSTEM_PACKAGE], { env, signal });
    } catch (error) {
      signal?.throwIfAborted();
      console.log(`  the system's Chromium shell could not be installed (${error.message.split("\n").at(-1)})`);
    }
  }
  const path = await findBrowser();
  const version = versionOf(path);
  if (!version) throw new Error(`The browser ${path} does not run. Set CHROMIUM_PATH to a Chromium.`);
  return { path, version };
}

/** The settings that let the browser draw Chinese and Japanese: none where the system has such a font, else a font of the packages. */
export function ensureFonts(folder) {
  const listed = spawnSync("fc-list", [":lang=zh-cn"], { encoding: "utf8" });
  if (listed.status === 0 && listed.stdout.trim() !== "") return {};
  const fonts = dirname(require.resolve(`${FONT_PACKAGE}/package.json`));
  const file = join(folder, "fonts.conf");
  mkdirSync(join(folder, "font-cache"), { recursive: true });
  writeFileSync(
    file,
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${fonts}/400Regular</dir>
  <dir>${fonts}/700Bold</dir>
  <cachedir>${join(folder, "font-cache")}</cachedir>
</fontconfig>
`,
  );
  return { FONTCONFIG_FILE: file };
}
