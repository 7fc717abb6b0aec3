"use client";
import { useTranslations } from "next-intl";
import { useEffect } from "react";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { useNewerBuild } from "#components/ui/use-newer-build.ts";

const triedKey = "milepost.chunkRetried";

/** Whether a part of the program could not be loaded: there is no network, or the page is older than the server. */
function isMissingChunk(error: Error): boolean {
  return error.name === "ChunkLoadError" || /loading (css )?chunk|dynamically imported module/i.test(error.message);
}

/** A screen that failed. A part of the program that did not load is tried once more by itself, then a reload is offered. */
export function ScreenError({ error, onRetry }: { error: Error & { digest?: string }; onRetry: () => void }) {
  const t = useTranslations("ui");
  const fatal = useTranslations("fatal");
  const chunk = isMissingChunk(error);
  const updated = useNewerBuild();
  useEffect(() => {
    if (!chunk || sessionStorage.getItem(triedKey) === window.location.pathname) return;
    sessionStorage.setItem(triedKey, window.location.pathname);
    onRetry();
  }, [chunk, onRetry]);
  return (
    <ErrorPanel
      title={chunk ? t("part.unread") : fatal("page")}
      text={chunk ? t(updated ? "part.updated" : "part.check") : fatal("pageText")}
      failed={error.digest ? { status: 500, code: "SYSTEM_FAILURE", requestId: error.digest } : undefined}
      onRetry={chunk ? () => window.location.reload() : onRetry}
    />
  );
}
