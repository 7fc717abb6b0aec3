"use client";
import "#components/ui/tokens.css";
import "#components/ui/base.css";
import { FatalError } from "#components/shell/fatal-error.tsx";

/** The last net: the frame of the page itself failed. */
export default function GlobalError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <html lang="en" data-mantine-color-scheme="dark" suppressHydrationWarning>
      <body>
        <title>Milepost</title>
        <FatalError digest={error.digest} onRetry={reset} />
      </body>
    </html>
  );
}
