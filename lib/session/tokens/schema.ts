import { z } from "zod";
import { tokenDays, tokenNameChars } from "../limits.ts";

export const ListTokens = z.object({});
export const MakeToken = z.strictObject({
  name: z.string().trim().min(1).max(tokenNameChars),
  days: z.int().min(1).max(tokenDays).default(tokenDays),
});
export const RevokeToken = z.strictObject({ id: z.int().min(1) });
