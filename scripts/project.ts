// `npm run project -- <number> --name="…" --country=CN`: makes an empty project. For who works at the machine: nothing of it can be asked for over the network.
import { getSql, transaction } from "#db/client.ts";
import { presentTime } from "#lib/core/present-time.ts";
import { createProject } from "#lib/settings/projects/commands.ts";
import { CreateProject } from "#lib/settings/projects/schema.ts";
import { checkInput, readArguments, runCommand } from "./command-line.ts";

const usage = `npm run project -- <number> --name="…" --country=CN [--hosting-country=CN] [--datacenter=…] [--hours-from-beijing=-7]`;
const text = { type: "string" } as const;

await runCommand(usage, "number", async () => {
  const { word, values } = readArguments(process.argv.slice(2), {
    name: text,
    country: text,
    "hosting-country": text,
    datacenter: text,
    "hours-from-beijing": text,
  });
  const input = checkInput(CreateProject, { ...values, number: word });
  await transaction(getSql(), (sql) => createProject(sql, input, presentTime()));
  return [`Project ${input.number} made.`];
});
