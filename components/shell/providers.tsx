"use client";
import { MantineProvider } from "@mantine/core";
import { setNonce } from "get-nonce";
import { type ReactNode, useCallback, useMemo, useState } from "react";
import { QuestionPlace } from "#components/ui/question-place.tsx";
import { cssVariables, theme } from "#components/ui/theme.ts";
import { ToastPlace } from "#components/ui/toast-place.tsx";
import { UnreadPartsPlace } from "#components/ui/unread-parts-place.tsx";
import { type Skin, SkinContext } from "#components/ui/use-skin.ts";
import { nameOwnAnswers, type OwnCode } from "#lib/core/own-answer.ts";

/** Cookie that keeps the skin, so that the first paint is already right. */
export const skinCookie = "skin";
const yearSeconds = 31_536_000;

type Props = { skin: Skin; nonce: string; answers: Record<OwnCode, string>; children: ReactNode };

/** What every page needs around it: the theme in the person's skin, the nonce for styles made at run time, the texts of answers that never came, toasts. */
export function Providers({ skin: first, nonce: given, answers, children }: Props) {
  const [skin, show] = useState(first);
  // A refresh brings the nonce of another answer; the document accepts that of its own only.
  const [nonce] = useState(given);
  setNonce(nonce);
  nameOwnAnswers(answers);
  const setSkin = useCallback((next: Skin) => {
    show(next);
    // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is not there in every browser
    document.cookie = `${skinCookie}=${next}; path=/; max-age=${yearSeconds}; samesite=lax`;
  }, []);
  const value = useMemo(() => ({ skin, setSkin }), [skin, setSkin]);
  return (
    <SkinContext value={value}>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} forceColorScheme={skin} getStyleNonce={() => nonce}>
        {children}
        <ToastPlace />
        <QuestionPlace />
        <UnreadPartsPlace />
      </MantineProvider>
    </SkinContext>
  );
}
