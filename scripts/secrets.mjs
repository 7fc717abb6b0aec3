// Secrets the installation makes for itself, kept in DATA_DIR/secrets for its own user only. Plain Node, no dependency.
import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** `AUTH_SECRET` and `NEXT_SERVER_ACTIONS_ENCRYPTION_KEY`: those of the environment, else kept or newly made ones. */
export function secrets(dataDir) {
  const folder = join(dataDir, "secrets");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return {
    AUTH_SECRET: process.env.AUTH_SECRET || kept(join(folder, "auth-secret"), () => randomBytes(48).toString("base64url")),
    // Next.js wants an AES key: 32 bytes as base64.
    NEXT_SERVER_ACTIONS_ENCRYPTION_KEY:
      process.env.NEXT_SERVER_ACTIONS_ENCRYPTION_KEY || kept(join(folder, "server-actions-key"), () => randomBytes(32).toString("base64")),
  };
}

function kept(path, make) {
  const side = `${path}.${process.pid}`;
  writeFileSync(side, make(), { mode: 0o600 });
  try {
    // The first of several processes wins; a complete file gets the name or none.
    linkSync(side, path);
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  } finally {
    rmSync(side, { force: true });
  }
  return readFileSync(path, "utf8");
}
