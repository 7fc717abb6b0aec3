import type { AuditEvent } from "./audit-events.ts";
import "server-only";
import type { PendingQuery, Row } from "postgres";
import type { Database, Sql } from "#db/client.ts";
import type { PermissionCode, Role } from "#lib/permissions.ts";
import type { Locale } from "./locale.ts";

/** The signed-in person behind a call. */
export type CtxUser = {
  id: number;
  account: string;
  name: string;
  email: string;
  kind: "employee" | "subcontractor" | "customer";
  country: string;
};

/** The project a call works in. */
export type CtxProject = {
  id: number;
  number: string;
  name: string;
  country: string;
  hostingCountry: string;
  datacenter: string | null;
  customerKind: "standard" | "eu_non_subsidiary";
  status: "active" | "closed";
  tzOffset: number;
};

/** What `can` needs to know of a row to judge a right on "own rows". */
export type OwnedRow = {
  duId?: number | null;
  regionId?: number | null;
  subcontractorId?: number | null;
  duOwner?: boolean;
  userIds?: readonly number[];
};

/** The rows a person reaches: made by the gate only; every `where` starts from it. */
export type Scope = {
  /** Condition on the alias `du`: the project's DUs, not deleted, that the right covers for this person. */
  where: (code: PermissionCode) => PendingQuery<Row[]>;
  /** Whether the right covers every DU of the project; never for the account of a subcontractor. */
  all: (code: PermissionCode) => boolean;
  /** The person works for a company: what is of the whole project is not for him, whatever his rights. */
  apart: boolean;
  /** Condition on the alias `du` for rows that come to a person by name, an order or a request: while isolation is on, a subcontractor's account sees its own alone. */
  named: PendingQuery<Row[]>;
  /** Whether the company with this id may be named to the person: companies learn nothing of one another. */
  company: (id: PendingQuery<Row[]>) => PendingQuery<Row[]>;
  /** Whether the DU with this id may be named where another one refers to it. */
  du: (id: PendingQuery<Row[]>) => PendingQuery<Row[]>;
  /** Equal for two persons exactly when `where` gives them the same rows: the key of shared query results. */
  fingerprint: (code: PermissionCode) => string;
};

/** One line of the audit log: what was written, with old and new values. */
export type AuditEntry = { object: string; before: unknown; after: unknown; event?: AuditEvent };

/** What a call knows: who, where, the connection, the clock. */
export type Ctx = {
  user: CtxUser & { roles: Role[]; currentRole: string; subcontractorId: number | null };
  project: CtxProject;
  scope: Scope;
  /** Drizzle on the call's connection. */
  tx: Database;
  /** postgres.js on the same connection, for set-based work. */
  sql: Sql;
  /** The only clock. */
  now: Date;
  /** The project's day, ISO. */
  today: string;
  locale: Locale;
  requestId: string;
  /** Aborted when the caller has gone. */
  signal: AbortSignal | undefined;
  /** Session the call came by; null for API tokens and jobs. */
  sid: string | null;
  /** Whether a role gives the right at all, or on this row. */
  can: (code: PermissionCode, row?: OwnedRow) => boolean;
  /** Adds a line to the audit log of the same transaction. */
  audit: (object: string, before: unknown, after: unknown, event?: AuditEvent) => void;
  /** An insert of such lines, for the `with` of a statement that alone knows what they tell: `rows` is a query of the columns `object` and `after` (jsonb). */
  auditFrom: (rows: PendingQuery<Row[]>) => PendingQuery<Row[]>;
  /** Runs once the transaction is committed; never when it rolls back. */
  afterCommit: (fn: () => void | Promise<void>) => void;
};

/** A call about the person alone: the project may be absent. */
export type PersonCtx = Omit<Ctx, "project" | "scope" | "user" | "today"> & {
  user: CtxUser;
  project: null;
  /** Project number of the address, unchecked. */
  projectNumber: string | null;
  /** API token the call came by; null for sessions. */
  tokenId: number | null;
  /** Address of the caller. */
  ip: string | null;
};
