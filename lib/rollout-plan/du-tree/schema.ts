import { z } from "zod";

/** A node as the reply names it; activities have no children. */
const parent = z.string().regex(/^(r:\d{1,15}|s:\d{1,15}:\d{1,15}|d:\d{1,15})$/);
const node = z.string().regex(/^(r:\d{1,15}|s:\d{1,15}:\d{1,15}|d:\d{1,15}|a:\d{1,15}:\d{1,4})$/);

export const TreeInput = z.strictObject({
  /** Node whose children are asked for; the regions without it. */
  parent: parent.optional(),
  /** The last child that came before. */
  after: node.optional(),
});
export type TreeInput = z.output<typeof TreeInput>;
