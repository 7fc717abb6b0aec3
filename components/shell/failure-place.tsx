"use client";
import { useTranslations } from "next-intl";
import { FailureDialog } from "#components/ui/failure-dialog.tsx";
import { DeniedWays } from "./denied-ways.tsx";

/** The dialog of a failure; one for want of a right leads on as the refusal of a screen does. */
export function FailurePlace() {
  const t = useTranslations("shell.denied");
  return (
    <FailureDialog
      waysOf={({ kind, text, code }) =>
        kind === "noAuthorisation" ? <DeniedWays mailOf={(asked) => t("mailCall", { ...asked, answer: text ?? code })} /> : null
      }
    />
  );
}
