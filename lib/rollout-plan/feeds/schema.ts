import { z } from "zod";

export const NoInput = z.strictObject({});
export const RevokeFeed = z.strictObject({ id: z.int().min(1) });
