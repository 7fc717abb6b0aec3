"use client";
import { createContext, type ReactNode, useContext } from "react";
import type { PermissionCode } from "#lib/permissions.ts";

/** What every part of a page may know of the signed-in person and the project. */
export type SessionFacts = {
  user: { id: number; account: string; name: string };
  project: { number: string; name: string; country: string; status: string };
  /** Valid roles, and the one that labels the person. */
  roles: readonly string[];
  currentRole: string;
  /** Project managers, to whom a request for rights is written. */
  managers: readonly { name: string; email: string }[];
  /** Hours of the project's clock relative to Beijing. */
  offset: number;
  /** Rows a list shows at first, as the person has chosen; undefined while he has not. */
  rowsPerPage: number | undefined;
  /** Rows a page of a list may have, to choose from. */
  pageSizes: readonly number[];
  /** Hides what the server would refuse; the server decides. */
  can: (code: PermissionCode) => boolean;
};

const Context = createContext<SessionFacts | null>(null);

/** Gives the session to everything below. */
export function SessionProvider({ value, children }: { value: SessionFacts; children: ReactNode }) {
  return <Context value={value}>{children}</Context>;
}

/** The signed-in person, the project, the rights. Only inside the shell. */
export function useSession(): SessionFacts {
  const facts = useContext(Context);
  if (!facts) throw new Error("useSession belongs inside the shell of a project");
  return facts;
}
