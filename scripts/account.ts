// `npm run account -- <account> --name="…" --email=…`: makes an account and gives it a role in a project, or gives it another password. For who works at the machine: nothing of it can be asked for over the network.
import { getSql, transaction } from "#db/client.ts";
import { openAccount, renewPassword } from "#lib/access/accounts/commands.ts";
import { accountKinds } from "#lib/access/accounts/limits.ts";
import { OpenAccount, RenewPassword } from "#lib/access/accounts/schema.ts";
import { presentTime } from "#lib/core/present-time.ts";
import { checkInput, readArguments, runCommand, WrongUse } from "./command-line.ts";

const usage = `npm run account -- <account> --name="…" --email=… [--country=CN] [--kind=${accountKinds.join("|")}] [--no-password] [--role=PM --project=<number>], or npm run account -- <account> --new-password`;
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
    "new-password": { type: "boolean" },
  });
  const { noPassword, newPassword, ...given } = values;
  if (newPassword === true) {
    if (noPassword !== undefined || Object.keys(given).length > 0) throw new WrongUse("--new-password stands alone behind the account.");
    const wanted = checkInput(RenewPassword, { account: word });
    const { account, password, sessions } = await transaction(getSql(), (sql) => renewPassword(sql, wanted, presentTime()));
    return [`Account ${account} has another password, shown this once: ${password}`, `Sessions that ended: ${sessions}.`];
  }
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
