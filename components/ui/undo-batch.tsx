"use client";
import { Button } from "@mantine/core";
import { IconArrowBackUp } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { callDoor } from "#lib/core/call-door.ts";
import { formatSpan } from "#lib/core/format.ts";
import { undoMinutes } from "#lib/rollout-plan/undos/limits.ts";
import { withQuestions } from "./questions.ts";
import { toast } from "./toast.ts";

type Props = {
  batchId: number;
  /** When the batch was written. */
  finishedAt: Date | null;
  verb: string;
  onUndone?: () => void;
};

/** Takes what a task wrote into the plan back, all of it, while that is possible. */
export function UndoBatch({ batchId, finishedAt, verb, onUndone }: Props) {
  const t = useTranslations("ui.undo");
  const [now, setNow] = useState(() => Date.now());
  const [state, setState] = useState<"ready" | "busy" | "done">("ready");
  const left = new Date(finishedAt ?? 0).getTime() + undoMinutes * 60_000 - now;
  const counting = state === "ready" && left > 0;
  useEffect(() => {
    if (!counting) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [counting]);
  const undo = async () => {
    setState("busy");
    const answer = await withQuestions((confirmed) => callDoor<{ saved: number }>("rolloutPlan/undo", { batchId, confirmed }));
    setState(answer.data ? "done" : "ready");
    if (!answer.data) return toast.problem(answer.msg ?? t("failed"));
    toast.done(t("done", { count: answer.data.saved }));
    onUndone?.();
  };
  if (left <= 0 && state === "ready") return null;
  return (
    <Button
      leftSection={<IconArrowBackUp size={16} stroke={1.4} />}
      title={left > 0 ? t("left", { time: formatSpan(left) }) : undefined}
      loading={state === "busy"}
      disabled={state === "done"}
      onClick={() => void undo()}
    >
      {verb}
    </Button>
  );
}
