import "server-only";
import { getMessages } from "next-intl/server";
import type { ReactNode } from "react";
import { MoreTexts } from "#components/ui/more-texts.tsx";
import { type Messages, pickMessages } from "#lib/core/message-tree.ts";

/** Gives the components inside the texts they are written in, by name (`access`, `scheduling.lock`), beside those every page has. */
export async function Texts({ names, children }: { names: readonly string[]; children: ReactNode }) {
  const all = (await getMessages()) as Messages;
  return <MoreTexts texts={pickMessages(all, names)}>{children}</MoreTexts>;
}
