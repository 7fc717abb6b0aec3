import type { InvalidReason } from "#lib/resources/pool/limits.ts";

/** A person who is owner of something; `invalid` says why he could not be chosen today. */
export type Owner = { userId: number; account: string; name: string; invalid: InvalidReason | null };

/** Accounts of a text of the plan: alone, in brackets behind a name, several with commas or semicolons between them. */
export function accountsOf(text: string): string[] {
  const parts = text.split(/[,;，；、\n]+/).map((part) => /[(（]([^()（）\s]+)[)）]\s*$/.exec(part)?.[1] ?? part.trim());
  return [...new Set(parts.filter(Boolean))];
}

/** People who cannot be chosen, for a refusal that names each with the reason. */
export function refusedAccounts(
  invalid: readonly { account: string; reason: InvalidReason }[],
  word: (reason: InvalidReason) => string,
): string {
  return invalid.map(({ account, reason }) => `${account} (${word(reason)})`).join(", ");
}
