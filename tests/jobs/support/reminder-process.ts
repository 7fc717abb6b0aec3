// A worker of its own process that ticks once at a given moment, to be killed.
import { endSql, getSql } from "#db/client.ts";
import { fireReminders } from "#lib/reminders/firing/commands.ts";

process.stdout.write("ready\n");
const made = await fireReminders(getSql(), new Date(process.argv[2] ?? ""));
process.stdout.write(`made ${made}\n`);
await endSql();
