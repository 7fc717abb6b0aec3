"use client";
import { Select } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useSession } from "#components/ui/use-session.tsx";
import { formatMinute } from "#lib/core/format.ts";
import type { RunChoice } from "./use-run-choice.ts";

/** The version and the run that are shown. */
export function RunPickers({ choice }: { choice: RunChoice }) {
  const t = useTranslations("outputs");
  const { offset } = useSession();
  return (
    <>
      <Select
        size="xs"
        w={200}
        searchable
        allowDeselect={false}
        aria-label={t("version")}
        data={choice.versions.map(({ id, versionName }) => ({ value: String(id), label: versionName }))}
        value={choice.version ? String(choice.version.id) : null}
        onChange={(value) => value && choice.chooseVersion(Number(value))}
      />
      <Select
        size="xs"
        w={280}
        allowDeselect={false}
        aria-label={t("run")}
        data={choice.runs.map(({ id, status, createdAt, stoppedEarly }) => ({
          value: String(id),
          label: `#${id} ${formatMinute(createdAt, offset)} ${t(stoppedEarly && status === "success" ? "runState.stopped" : `runState.${status}`)}`,
        }))}
        value={choice.run ? String(choice.run.id) : null}
        onChange={(value) => value && choice.chooseRun(Number(value))}
      />
    </>
  );
}
