import { bigint, integer, timestamp } from "drizzle-orm/pg-core";

/** A bigint identity as number: ids stay far below 2^53. */
export const id = () => bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity();
/** A reference to a bigint id. */
export const ref = (name: string) => bigint(name, { mode: "number" });
/** A moment. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });
/** Revision of an editable row. */
export const rowVersion = () => integer("row_version").notNull().default(1);
