import { readFileSync } from "node:fs";
import { join } from "node:path";

function read(): string | null {
  try {
    return readFileSync(join(process.cwd(), process.env.NEXT_DIST_DIR ?? ".next", "BUILD_ID"), "utf8").trim();
  } catch {
    // While one develops there is none.
    return null;
  }
}

/** The build this process serves, another after each update; null where there is none. */
export const buildId = read();
