import { z } from "zod";
import { cardsPerPage } from "./limits.ts";

export const CardsInput = z.strictObject({
  queryId: z.uuid(),
  page: z.int().min(1).max(1_000_000),
  size: z.int().min(1).max(cardsPerPage),
});
export type CardsInput = z.output<typeof CardsInput>;
