"use client";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useCallback, useState } from "react";
import { signalAnswer } from "#lib/core/answer-signal.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { failureKind, showFailedAnswer } from "./failure.ts";
import { toast } from "./toast.ts";
import { askToLeave } from "./unsaved.ts";
import { useHref } from "./use-href.ts";

/**
 * Starts an export and says so, with the way to the list where it will be found, or why it was refused: `const [run, busy] = useExport("du/export")`.
 * @param address the call that starts it
 */
export function useExport(address: string): [run: (input: object) => Promise<void>, busy: boolean] {
  const t = useTranslations("ui");
  const href = useHref();
  const router = useRouter();
  const [busy, setBusy] = useState(false);
  const run = useCallback(
    async (input: object) => {
      setBusy(true);
      const answer = signalAnswer(await callDoor(address, input));
      setBusy(false);
      if (failureKind(answer)) showFailedAnswer(answer);
      else if (answer.status >= 400) toast.problem(answer.msg ?? t("export.failed"));
      else {
        const show = () => askToLeave(() => router.push(href("exports")));
        toast.done(t("export.started"), { actions: [{ label: t("export.show"), run: show }] });
      }
    },
    [address, t, href, router],
  );
  return [run, busy];
}
