"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { DropPanel } from "#components/ui/drop-panel.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import { BarButton } from "./bar-button.tsx";

const SearchList = onDemand(() => import("#components/ui/search-list.tsx").then((module) => module.SearchList));

/** The choice that stands for the DU itself. */
const byDu = "";

type Props = {
  activities: readonly { activityId: number; name: string }[];
  /** null: by the status of the DU. */
  activityId: number | null;
  onChange: (activityId: number | null) => void;
};

/** What the points of the map are coloured by: the status of the DU, or that of one activity. */
export function ColourPicker({ activities, activityId, onChange }: Props) {
  const t = useTranslations("plan-map");
  const [opened, setOpened] = useState(false);
  const [openings, setOpenings] = useState(0);
  const options = [
    { value: byDu, label: t("byDu") },
    ...activities.map((activity) => ({ value: String(activity.activityId), label: activity.name })),
  ];
  const value = activityId === null ? byDu : String(activityId);
  return (
    <DropPanel
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      width={260}
      trapFocus
      padding={8}
      label={t("colour")}
      trigger={
        <BarButton
          label={t("colour")}
          value={options.find((option) => option.value === value)?.label ?? t("byDu")}
          aria-haspopup="dialog"
          aria-expanded={opened}
          onClick={() => {
            setOpened(!opened);
            setOpenings(openings + 1);
          }}
        />
      }
    >
      <SearchList
        // One that fades away still holds the last word.
        key={openings}
        label={t("colour")}
        nothing={t("noActivity")}
        options={options}
        value={value}
        onChoose={(chosen) => {
          onChange(chosen === byDu ? null : Number(chosen));
          setOpened(false);
        }}
        onLeave={() => setOpened(false)}
      />
    </DropPanel>
  );
}
