import { holderNamesMax, type TargetKind, type Usage } from "./limits.ts";

/** One thing that a holder names. */
export type ConfigRef = { kind: TargetKind; id: number; usage: Usage };

/** Names for a refusal: each once, the first of them, then how many more. */
export function holderNames(names: readonly string[]): string {
  const all = [...new Set(names)];
  const more = all.length - holderNamesMax;
  return all.slice(0, holderNamesMax).join(", ") + (more > 0 ? ` +${more}` : "");
}
