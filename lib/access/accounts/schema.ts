import { z } from "zod";
import { Country } from "#lib/core/country.ts";
import { addressChars } from "#lib/reminders/outbox/limits.ts";
import { GrantableRole } from "../members/schema.ts";
import { accountChars, accountKinds, personNameChars } from "./limits.ts";

/** Lists of people are written with commas and semicolons, a person as `name (account)`; what is erased is called `removed-` and its number. */
const accountPattern = /^(?!removed-)[^\s\p{Cc},;，；、()（）]+$/iu;

const Account = z.string().trim().min(1).max(accountChars).regex(accountPattern);

/** The account that gets another password. */
export const RenewPassword = z.strictObject({ account: Account });

/** An account that may be there already: who it is of is needed for a new one only, the role and its project belong together. */
export const OpenAccount = z
  .strictObject({
    account: Account,
    name: z.string().trim().min(1).max(personNameChars).optional(),
    email: z.string().trim().min(1).max(addressChars).optional(),
    country: Country.optional(),
    kind: z.enum(accountKinds).optional(),
    withPassword: z.boolean(),
    role: GrantableRole.optional(),
    project: z.string().trim().min(1).optional(),
  })
  .superRefine(({ role, project }, context) => {
    const missing = role === undefined ? project !== undefined && "role" : project === undefined && "project";
    if (missing) context.addIssue({ code: "custom", path: [missing], params: { code: "VALUE_MISSING" } });
  });
