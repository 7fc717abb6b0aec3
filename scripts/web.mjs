// The web process: calls are answered on their connection, packed files from where they lie, everything else by the framework. Plain Node.
import { createServer } from "node:http";
import { join } from "node:path";
import { parseArgs } from "node:util";
import next from "next";
import { openPackedFiles } from "./packed-files.mjs";
import { root } from "./runtime.mjs";

const port = Number(parseArgs({ options: { port: { type: "string" } } }).values.port);
const app = next({ dir: root, port, dev: false });
await app.prepare();
const answerPage = app.getRequestHandler();
const answerFile = openPackedFiles(join(root, ".next", "static"), "/_next/static/");

const server = createServer(async (request, response) => {
  try {
    // The application puts its door there when it starts (lib/core/web-process.ts).
    if ((await globalThis.milepostDoor?.(request, response)) || (await answerFile(request, response))) return;
    await answerPage(request, response);
  } catch (error) {
    console.error(error);
    if (!response.headersSent) response.statusCode = 500;
    response.end();
  }
});
server.listen(port);

let ending = false;
for (const signal of ["SIGTERM", "SIGINT"]) {
  process.on(signal, () => {
    if (ending) return;
    ending = true;
    server.close(async () => {
      await app.close();
      process.exit(0);
    });
  });
}
