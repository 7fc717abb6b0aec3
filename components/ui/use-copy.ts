"use client";
import { useTranslations } from "next-intl";
import { copyText } from "./copy-text.ts";
import { toast } from "./toast.ts";

type Copied = {
  /** What is said once it is copied. */
  done: string;
  /** The text stands on the page, where it can be copied by hand. */
  shown?: boolean;
};

/** Copies a text and says so; where the browser does not let it, says that instead and shows the text. */
export function useCopy(): (text: string, copied: Copied) => Promise<void> {
  const t = useTranslations("ui.copy");
  return async (text, { done, shown = false }) => {
    if (await copyText(text)) toast.done(done);
    else toast.problem(shown ? t("byHand") : t("fromHere", { text }));
  };
}
