import "server-only";
import type { Pool } from "#db/client.ts";

// What a process may keep in memory of sessions, rights and settings is forgotten as soon as any process changes it; without a notice it ends by its age.
const channel = "trust_changes";
const shared = globalThis as { milepostForget?: Set<() => void> };

function listeners(): Set<() => void> {
  shared.milepostForget ??= new Set();
  return shared.milepostForget;
}

/** Registers what empties a memory of sessions, rights or settings. */
export function onTrustChange(forget: () => void): void {
  listeners().add(forget);
}

/** Forgets whatever this process keeps of sessions, rights and settings. */
export function forgetTrusted(): void {
  for (const forget of listeners()) forget();
}

/**
 * Forgets at every change that a process of the installation makes. Whatever was missed while the connection was lost is forgotten when it is back.
 * @returns ends it
 */
export async function watchTrust(pool: Pool): Promise<() => Promise<void>> {
  const { unlisten } = await pool.listen(channel, forgetTrusted, forgetTrusted);
  return unlisten;
}
