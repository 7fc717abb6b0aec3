// `npm run token -- <account>`: prints a new API token of an account, for scripts.
import { endSql, getSql } from "#db/client.ts";
import { AppError } from "#lib/core/error.ts";
import { createApiToken } from "#lib/session/commands.ts";

const [account, name = "command line"] = process.argv.slice(2);
if (!account) {
  console.error("Usage: npm run token -- <account> [name]");
  process.exit(1);
}
try {
  console.log(await createApiToken(getSql(), account, name, new Date()));
} catch (error) {
  if (!(error instanceof AppError)) throw error;
  console.error(`No active account "${account}".`);
  process.exitCode = 1;
} finally {
  await endSql();
}
