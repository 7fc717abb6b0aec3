"use client";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { toast } from "#components/ui/toast.ts";
import { callDoor } from "#lib/core/call-door.ts";

type Answer = { ids: number[]; rejected: { id: number; msg: string }[] };
/** What a step was refused for, under the names of the rows. */
export type Rejected = { rejected: { key: string; name: string; msg: string }[] };

/** Steps over chosen rows: tells how many were done, keeps what was refused for a dialog, and reads the list again. */
export function useSteps(refresh: () => unknown) {
  const common = useTranslations("common");
  const [rejected, setRejected] = useState<Rejected | null>(null);
  const run = async (
    address: string,
    rows: readonly { id: number; name: string }[],
    done: (count: number) => string,
    clear: () => void,
  ): Promise<void> => {
    const answer = await callDoor<Answer>(address, { ids: rows.map(({ id }) => id) });
    await refresh();
    if (!answer.data) {
      toast.problem(answer.msg ?? common("failed"));
      return;
    }
    clear();
    const names = new Map(rows.map(({ id, name }) => [id, name]));
    if (answer.data.ids.length > 0) toast.done(done(answer.data.ids.length));
    if (answer.data.rejected.length > 0)
      setRejected({ rejected: answer.data.rejected.map(({ id, msg }) => ({ key: String(id), name: names.get(id) ?? String(id), msg })) });
  };
  return { run, rejected, close: () => setRejected(null) };
}
