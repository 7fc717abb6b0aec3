import type { TemplateKind } from "#lib/templates/limits.ts";
import type { NamedTemplate } from "#lib/templates/queries.ts";

export type TemplateNames = { personal: NamedTemplate[]; public: NamedTemplate[]; max: number | null };

/** Key of the list of names, so that a change reads it again. */
export const namesKey = (project: string, kind: TemplateKind): unknown[] => ["template names", project, kind];

/** What is said of a template besides its name. */
export type TemplateTexts = { networkType: string; organisation: string; remark: string };
export const noTexts: TemplateTexts = { networkType: "", organisation: "", remark: "" };

/** The texts that were entered. */
export const enteredTexts = (texts: TemplateTexts): Partial<TemplateTexts> =>
  Object.fromEntries(Object.entries(texts).filter(([, value]) => value.trim() !== ""));
