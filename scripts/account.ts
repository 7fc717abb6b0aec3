// `npm run account -- <account> --name="…" --email=…`: makes an account and gives it a role in a project. For who works at the machine: nothing of it can be asked for over the network.
import { getSql, transaction } from "#db/client.ts";
import { openAccount } from "#lib/access/accounts/commands.ts";
import { accountKinds } from "#lib/access/accounts/limits.ts";
import { OpenAccount } from "#lib/access/accounts/schema.ts";
import { presentTime } from "#lib/core/present-time.ts";
import { checkInput, readArguments, runCommand } from "./command-line.ts";

const usage = `npm run account -- <account> --name="…" --email=… [--country=CN] [--kind=${accountKinds.join("|")}] [--no-password] [--role=PM --project=<number>]`;
const text = { type: "string" } as const;

await runCommand(usage, "account", async () => {
  const { word, values } = readArguments(process.argv.slice(2), {
    name: text,
    email: text,
    country: text,
    kind: text,
    role: text,
    project: text,
    "no-password": { type: "boolean" },
  });
  const { noPassword, ...given } = values;
  const input = checkInput(OpenAccount, { ...given, account: word, withPassword: noPassword !== true });
  const made = await transaction(getSql(), (sql) => openAccount(sql, input, presentTime()));
  const lines: string[] = [];
  if (!made.isNew) lines.push(`Account ${made.account} is there already${made.active ? "" : ", switched off"}; it stays as it is.`);
  else if (made.password === null) lines.push(`Account ${made.account} made, without password: it signs in by single sign-on.`);
  else lines.push(`Account ${made.account} made. Its password, shown this once: ${made.password}`);
  if (made.role) {
    const { role, project, validFrom, isNew } = made.role;
    lines.push(`${isNew ? "It holds" : "It held already"} the role ${role} in the project ${project}, from ${validFrom} on.`);
  }
  return lines;
});
