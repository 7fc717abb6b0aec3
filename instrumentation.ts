/** Runs once when a web process starts; the code that needs Node is loaded there only. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { startWebProcess } = await import("#lib/core/web-process.ts");
  startWebProcess();
}

/** A page or action that failed: one line with the number its error dialog shows and the id of the request. */
export async function onRequestError(error: unknown, request: { headers: NodeJS.Dict<string | string[]> }, context: { routePath: string }) {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { logPageError } = await import("#lib/core/page-error.ts");
  logPageError(error, request.headers, context.routePath);
}
