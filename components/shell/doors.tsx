"use client";
import { createContext, type ReactNode, useContext } from "react";
import type { ShellDoors } from "./shell-data.ts";

const Context = createContext<ShellDoors | null>(null);

/** Gives sign-in and sign-out to everything inside the shell. */
export function DoorsProvider({ value, children }: { value: ShellDoors; children: ReactNode }) {
  return <Context value={value}>{children}</Context>;
}

/** Sign-in and sign-out. Only inside the shell. */
export function useDoors(): ShellDoors {
  const doors = useContext(Context);
  if (!doors) throw new Error("useDoors belongs inside the shell of a project");
  return doors;
}

/** Ends the session and goes to the sign-in page, which leads to an address afterwards. */
export async function signOutTo(doors: ShellDoors, to: string): Promise<void> {
  await doors.signOut();
  window.location.assign(`/sign-in?to=${encodeURIComponent(to)}`);
}
