import { z } from "zod";

export const ListSessions = z.object({});

/** One session, or all but the caller's own. */
export const RevokeSessions = z
  .strictObject({ sid: z.uuid().optional(), others: z.literal(true).optional() })
  .superRefine((given, context) => {
    if ((given.sid === undefined) === (given.others === undefined))
      context.addIssue({ code: "custom", path: ["sid"], params: { code: "VALUE_MISSING" } });
  });
