import { randomUUID } from "node:crypto";
import { connect } from "#db/client.ts";
import { log } from "#lib/core/log.ts";
import { drainMails } from "#lib/reminders/delivery/commands.ts";

// A worker that sends what waits in the outbox whenever it is asked to, says how many mails the server took and how long it was at it, and ends with its parent.
log.level = "error";
const pool = connect(process.env.DATABASE_URL as string);
process.on("message", async () => {
  const start = performance.now();
  const sent = await drainMails({ pool, workerId: randomUUID(), now: () => new Date(), leaving: new AbortController().signal });
  process.send?.({ sent, ms: performance.now() - start });
});
process.on("disconnect", () => process.exit(0));
process.send?.({});
