import { proveOwnRows } from "../support/own-rows.ts";

proveOwnRows(["SITE_OWNER", "REGION_OWNER", "CUSTOMER"]);
