import { proveOwnRows } from "../support/own-rows.ts";

proveOwnRows(["PM", "CUSTOMER_PM"]);
