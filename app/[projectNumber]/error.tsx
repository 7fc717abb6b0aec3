"use client";
import { ScreenError } from "#components/shell/screen-error.tsx";

/** A screen that failed; the shell around it stays. */
export default function FailedScreen({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return <ScreenError error={error} onRetry={reset} />;
}
