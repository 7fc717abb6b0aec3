import { proveOwnRows } from "../support/own-rows.ts";

proveOwnRows(["SUBCON", "SUBCON_PM"]);
