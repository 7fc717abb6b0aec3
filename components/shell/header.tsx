"use client";
import { IconSearch } from "@tabler/icons-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { Hint } from "#components/ui/hint.tsx";
import { Kbd } from "#components/ui/kbd.tsx";
import { useHref } from "#components/ui/use-href.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { roleName } from "#lib/core/format.ts";
import classes from "./header.module.css";
import { LanguageSwitch } from "./language-switch.tsx";
import { Mark } from "./mark.tsx";
import { NoticeBell } from "./notice-bell.tsx";
import { PersonMenu } from "./person-menu.tsx";
import { ProjectClock } from "./project-clock.tsx";
import { ProjectSwitcher } from "./project-switcher.tsx";
import type { ShellData } from "./shell-data.ts";
import { TaskBell } from "./task-bell.tsx";

type Props = { data: ShellData; onCommand: () => void; onSignOut: () => Promise<void> };

/** The line at the top of every screen of a project. */
export function Header({ data, onCommand, onSignOut }: Props) {
  const t = useTranslations("shell");
  const { currentRole, roles } = useSession();
  const href = useHref();
  return (
    <header className={classes.header}>
      <Link className={classes.brand} href={href("rolloutPlan")} prefetch={false} aria-label="Milepost">
        <Mark />
        <span className={classes.brandName}>Milepost</span>
      </Link>
      <ProjectSwitcher />
      <Hint label={t("role", { roles: roles.map(roleName).join(", ") })}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the tool tip names all roles */}
        <span className={classes.role} tabIndex={0}>
          {roleName(currentRole)}
        </span>
      </Hint>
      <button type="button" className={classes.box} aria-haspopup="dialog" aria-keyshortcuts="Control+K" onClick={onCommand}>
        <IconSearch size={16} stroke={1.4} />
        <span>{t("command.open")}</span>
        <Kbd>Ctrl K</Kbd>
      </button>
      <ProjectClock serverTime={data.serverTime} />
      <LanguageSwitch onChoose={(language) => void callDoor("userSetting/saveUserSetting", { settingId: "language", value: language })} />
      <TaskBell />
      <NoticeBell key={data.notices.map((notice) => notice.key).join()} notices={data.notices} />
      <PersonMenu onSignOut={onSignOut} />
    </header>
  );
}
