"use client";
import { Button } from "@mantine/core";
import { IconWorldQuestion } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { signOutTo } from "./doors.tsx";
import type { ShellDoors } from "./shell-data.ts";

type Props = { projectNumber: string; text: string; doors: ShellDoors };

/** Asked before data of another country is shown: the person declares that the approval exists, or the login ends. */
export function CrossBorder({ projectNumber, text, doors }: Props) {
  const t = useTranslations("shell");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const confirm = async () => {
    setBusy(true);
    const answer = await callDoor("session/crossBorderConfirm", { projectNumber, approved: true }, { projectNumber });
    if (answer.status < 400) return window.location.reload();
    setBusy(false);
    setProblem(answer.msg ?? t("failed"));
  };
  return (
    <EmptyState
      level={1}
      icon={<IconWorldQuestion size={28} stroke={1} aria-hidden="true" />}
      title={t("border.title")}
      text={
        <>
          {text}
          <br />
          {t("border.text")}
          <span role="alert">
            {problem ? (
              <>
                <br />
                {problem}
              </>
            ) : null}
          </span>
        </>
      }
    >
      <Button onClick={() => void signOutTo(doors, "/")}>{t("border.decline")}</Button>
      <Button variant="filled" loading={busy} onClick={confirm}>
        {t("border.confirm")}
      </Button>
    </EmptyState>
  );
}
