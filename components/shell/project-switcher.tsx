"use client";
import { IconChevronDown } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { DropPanel } from "#components/ui/drop-panel.tsx";
import { useOpened } from "#components/ui/use-loaded.ts";
import { useSession } from "#components/ui/use-session.tsx";
import headerClasses from "./header.module.css";
import classes from "./project-switcher.module.css";

const loadChoice = () => import("./project-choice.tsx").then((module) => module.ProjectChoice);

/** The project of the page; opens the list of the person's projects. */
export function ProjectSwitcher() {
  const t = useTranslations("shell");
  const { project } = useSession();
  const [opened, setOpened] = useState(false);
  const { Part: Choice } = useOpened(loadChoice, opened, () => setOpened(false));
  return (
    <DropPanel
      // The field of the list takes the focus when the panel opens, so it has to be there.
      opened={opened && Choice !== null}
      onChange={setOpened}
      position="bottom-start"
      trapFocus
      className={classes.panel}
      label={t("projects.title")}
      trigger={
        <button
          type="button"
          className={`${headerClasses.button} ${headerClasses.project}`}
          aria-haspopup="dialog"
          aria-expanded={opened}
          onClick={() => setOpened((before) => !before)}
        >
          <span className="visually-hidden">{t("projects.switch")}</span>
          <span className={headerClasses.quiet}>{project.number}</span> <strong>{project.name}</strong>
          <IconChevronDown size={12} stroke={1.7} />
        </button>
      }
    >
      {Choice && <Choice onChosen={() => setOpened(false)} />}
    </DropPanel>
  );
}
