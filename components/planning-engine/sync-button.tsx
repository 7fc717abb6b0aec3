"use client";
import { Button } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import listFrame from "#components/ui/list-frame.module.css";
import { toast } from "#components/ui/toast.ts";
import classes from "./inputs.module.css";
import { useInventorySync } from "./use-inventory-sync.ts";

type Props = { versionId: number; dirty: number; reload: () => Promise<void> };

/** Synchronises the stock, once nothing of it is unsaved; says that it runs and that it failed. [ENG-19] [ENG-33] [ENG-59] [ENG-60] */
export function SyncButton({ versionId, dirty, reload }: Props) {
  const t = useTranslations("engine-home.sync");
  const { status, starting, start } = useInventorySync(versionId, () => void reload());
  const state = status?.state;
  return (
    <>
      {state === "syncing" || state === "failed" ? (
        <span className={state === "failed" ? classes.problem : listFrame.count} role="status">
          {t(state)}
        </span>
      ) : null}
      <Button
        leftSection={<IconRefresh size={16} stroke={1.4} aria-hidden="true" />}
        loading={starting}
        disabled={state === "syncing"}
        title={state === "syncing" ? t("syncing") : undefined}
        onClick={() => (dirty > 0 ? toast.problem(t("dirty")) : void start())}
      >
        {t(state === "failed" ? "retry" : "verb")}
      </Button>
    </>
  );
}
