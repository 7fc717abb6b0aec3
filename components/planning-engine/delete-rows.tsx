"use client";
import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { Confirm } from "#components/ui/confirm.tsx";
import { toast } from "#components/ui/toast.ts";
import { signalAnswer } from "#lib/core/answer-signal.ts";
import { callDoor } from "#lib/core/call-door.ts";
import type { BlockName } from "#lib/planning-engine/inputs/logic.ts";
import { inputBlocks } from "./input-blocks.ts";
import type { InputDesk } from "./input-desk.ts";

type Props = { name: BlockName; desk: InputDesk; onDone: () => Promise<void>; onClose: () => void };

/** Deletes the chosen rows; stock that was synchronised into a warehouse goes with it once that is confirmed too. [ENG-31] [ENG-36] */
export function DeleteRows({ name, desk, onDone, onClose }: Props) {
  const t = useTranslations("engine-home.deleting");
  const { grid, rows, edits } = desk;
  const [syncRows, setSyncRows] = useState(0);
  /** The first question leads to the second one. */
  const goesOn = useRef(false);
  const keys = grid.rows.list;
  const drafts = keys.filter((key) => rows.draft(key));
  const ids = keys.filter((key) => !rows.draft(key)).map(Number);

  const remove = async (confirm: boolean) => {
    if (ids.length > 0) {
      const answer = signalAnswer(
        await callDoor<{ deleted: number }>(`${inputBlocks[name].door}/delete`, { ids, ...(confirm && { confirm }) }),
      );
      if (answer.code === "CONFIRM_REQUIRED") {
        goesOn.current = true;
        return setSyncRows((answer.beside as { syncRows: number }).syncRows);
      }
      goesOn.current = false;
      if (answer.status >= 400) return void toast.problem(answer.problems?.[0]?.msg ?? answer.msg ?? t("failed"));
    }
    const lost = new Set(keys);
    edits.revert([...edits.all()].filter(({ rowKey }) => lost.has(rowKey)));
    rows.drop(new Set(drafts));
    grid.rows.clear();
    toast.done(t("done", { count: keys.length }));
    await onDone();
  };
  const verb = t("verb", { count: keys.length });
  if (syncRows > 0)
    return (
      <Confirm key="stock" opened verb={t("stockVerb")} title={t("stockTitle")} danger onConfirm={() => remove(true)} onClose={onClose}>
        {t("stockText", { count: syncRows })}
      </Confirm>
    );
  return (
    <Confirm opened verb={verb} danger onConfirm={() => remove(false)} onClose={() => !goesOn.current && onClose()}>
      {t("text")}
    </Confirm>
  );
}
