"use client";
import { Button, Checkbox } from "@mantine/core";
import { IconDownload, IconTableImport, IconUpload } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Confirm } from "#components/ui/confirm.tsx";
import { toast } from "#components/ui/toast.ts";
import { useExport } from "#components/ui/use-export.ts";
import { signalAnswer } from "#lib/core/answer-signal.ts";
import { callDoor } from "#lib/core/call-door.ts";
import type { BlockName } from "#lib/planning-engine/inputs/logic.ts";
import { blockOf } from "./engine-blocks.ts";
import { ImportDialog } from "./import-dialog.tsx";
import classes from "./inputs.module.css";

type Props = { name: BlockName; versionId: number; mayEdit: boolean; reload: () => Promise<void> };

const icon = { size: 16, stroke: 1.4, "aria-hidden": true } as const;

/** What an input can be filled from: the rollout plan, the flows, a workbook; and the workbook it goes out as. */
export function InputVerbs({ name, versionId, mayEdit, reload }: Props) {
  const t = useTranslations("engine-home");
  const common = useTranslations("common");
  const [open, setOpen] = useState<"take" | "import" | null>(null);
  const [refresh, setRefresh] = useState(false);
  const [startExport, exporting] = useExport("engine/input/export");
  const block = blockOf(name);
  const close = () => setOpen(null);
  const source = name === "du" ? "plan" : name === "activity" ? "flows" : null;
  const take = async () => {
    const answer = signalAnswer(
      source === "plan"
        ? await callDoor<{ added: number; changed: number }>("nc/duConfig/takeFromPlan", { versionId, refresh })
        : await callDoor<{ added: number; changed: number }>("engine/activity/takeFromFlows", { versionId }),
    );
    if (!answer.data) return void toast.problem(answer.problems?.[0]?.msg ?? answer.msg ?? t("saving.failed"));
    toast.done(t("take.done", { added: answer.data.added, changed: answer.data.changed }));
    await reload();
  };
  if (!block) return null;
  return (
    <>
      {mayEdit && source ? (
        <Button leftSection={<IconTableImport {...icon} />} onClick={() => setOpen("take")}>
          {t(`take.${source}`)}
        </Button>
      ) : null}
      <Button leftSection={<IconDownload {...icon} />} loading={exporting} onClick={() => void startExport({ versionId, block })}>
        {common("export")}
      </Button>
      {mayEdit ? (
        <Button leftSection={<IconUpload {...icon} />} onClick={() => setOpen("import")}>
          {common("import")}
        </Button>
      ) : null}
      {open === "import" ? (
        <ImportDialog
          versionId={versionId}
          block={block}
          title={t("import.title", { name: t(`blocks.${name}`) })}
          onDone={() => void reload()}
          onClose={close}
        />
      ) : null}
      {source ? (
        <Confirm opened={open === "take"} verb={t(`take.${source}`)} onConfirm={take} onClose={close}>
          <p>{t(`take.text.${source}`)}</p>
          {source === "plan" ? (
            <Checkbox
              className={classes.choice}
              label={t("take.refresh")}
              checked={refresh}
              onChange={(event) => setRefresh(event.currentTarget.checked)}
            />
          ) : null}
        </Confirm>
      ) : null}
    </>
  );
}
