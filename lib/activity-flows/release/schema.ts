import { z } from "zod";

const id = z.int().min(1);

export const ReleaseFlow = z.strictObject({ id, rowVersion: z.int().min(1) });
