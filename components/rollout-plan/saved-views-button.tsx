"use client";

import { Button } from "@mantine/core";
import { IconStack2 } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { DropPanel } from "#components/ui/drop-panel.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import styles from "./plan-bar.module.css";
import type { SavedViews } from "./use-saved-view.ts";

const SavedViewsMenu = onDemand(() => import("./saved-views-menu.tsx").then((module) => module.SavedViewsMenu), ["plan-views"]);

/** Opens the saved views; says which one is open. */
export function SavedViewsButton({ views }: { views: SavedViews }) {
  const t = useTranslations("plan-grid");
  const [opened, setOpened] = useState(false);
  return (
    <DropPanel
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      trapFocus
      padding={0}
      label={t("saved.button")}
      trigger={
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconStack2 size={16} stroke={1.4} />}
          aria-haspopup="dialog"
          aria-expanded={opened}
          onClick={() => setOpened((shown) => !shown)}
        >
          <span className={styles.savedName}>{views.opened?.name ?? t("saved.button")}</span>
        </Button>
      }
    >
      <SavedViewsMenu views={views} onClose={() => setOpened(false)} />
    </DropPanel>
  );
}
