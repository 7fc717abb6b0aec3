"use client";
import { Button } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { signOutTo } from "./doors.tsx";
import type { ShellDoors } from "./shell-data.ts";

type Props = { text: string; requestId?: string | undefined; doors: ShellDoors };

/** In place of a project that cannot be entered: the reason, another project, another person. */
export function ProjectRefused({ text, requestId, doors }: Props) {
  const t = useTranslations("shell");
  return (
    <EmptyState
      level={1}
      icon={<IconLock size={28} stroke={1} aria-hidden="true" />}
      title={t("refused.title")}
      text={
        <>
          {text}
          {requestId ? (
            <>
              <br />
              {t("refused.number", { number: requestId })}
            </>
          ) : null}
        </>
      }
    >
      <Button variant="filled" component="a" href="/?choose=project">
        {t("refused.projects")}
      </Button>
      <Button onClick={() => void signOutTo(doors, `${window.location.pathname}${window.location.search}`)}>{t("denied.other")}</Button>
    </EmptyState>
  );
}
