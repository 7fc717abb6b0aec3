import type { Skin } from "#components/ui/use-skin.ts";
import type { Bootstrap } from "#lib/session/queries.ts";

/** What the shell of a project needs to know, read once when the project is entered. */
export type ShellData = Bootstrap & {
  managers?: { name: string; email: string }[];
  skin: Skin;
  /** Whether the menu is folded to its rail; null while the person has not chosen. */
  menuFolded: boolean | null;
  /** Rows a list shows at first; null while the person has not chosen. */
  rowsPerPage: number | null;
  /** Steps of unsaved edits that can be taken back; null while the person has not chosen. */
  undoSteps: number | null;
};

/** Sign-in and sign-out, given to the shell by the page above it. */
export type ShellDoors = {
  signIn: (input: { account: string; password: string }) => Promise<{ status: number; msg?: string }>;
  signOut: () => Promise<void>;
};
