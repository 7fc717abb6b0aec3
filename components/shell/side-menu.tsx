"use client";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useEffect, useMemo, useState } from "react";
import { DropMenu } from "#components/ui/drop-menu.tsx";
import { Hint } from "#components/ui/hint.tsx";
import { useHref } from "#components/ui/use-href.ts";
import { useScreen } from "#components/ui/use-screen.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { type MenuGroup, menuGroupOf, type ScreenKey } from "#lib/screens.ts";
import { menuIcons } from "./menu-icons.tsx";
import { type MenuEntry, menuEntryOf, menuOf } from "./menu-model.ts";
import classes from "./side-menu.module.css";
import { useMenuTitle } from "./use-menu-title.ts";

type Props = { rail: boolean; onFold: () => void };

/** The twelve groups of screens. Wide, the open group shows its screens; folded to a rail, a group opens them beside it. */
export function SideMenu({ rail, onFold }: Props) {
  const t = useTranslations("shell");
  const { can, project } = useSession();
  const here = useScreen();
  const entries = useMemo(() => menuOf(can, project.country), [can, project.country]);
  const group = here ? menuGroupOf(here.screen.key) : null;
  const current = here ? menuEntryOf(here.screen.key) : null;
  const [open, setOpen] = useState<MenuGroup | null>(group);
  useEffect(() => setOpen(group), [group]);
  const Fold = rail ? IconChevronRight : IconChevronLeft;
  const foldName = rail ? t("menu.unfold") : t("menu.fold");

  return (
    <nav className={classes.menu} data-rail={rail || undefined} aria-label={t("menu.label")}>
      {entries.map((entry) =>
        rail ? (
          <RailGroup key={entry.group} entry={entry} on={entry.group === group} current={current} />
        ) : (
          <WideGroup
            key={entry.group}
            entry={entry}
            on={entry.group === group}
            current={current}
            open={entry.group === open}
            onToggle={() => setOpen((before) => (before === entry.group ? null : entry.group))}
          />
        ),
      )}
      <span className={classes.gap} />
      <div className={classes.foot}>
        <button type="button" className={classes.entry} aria-label={foldName} title={foldName} onClick={onFold}>
          <Fold size={16} stroke={1.4} />
          {rail ? null : <span className={classes.name}>{foldName}</span>}
        </button>
      </div>
    </nav>
  );
}

type GroupProps = { entry: MenuEntry; on: boolean; current: ScreenKey | null };

function WideGroup({ entry, on, current, open, onToggle }: GroupProps & { open: boolean; onToggle: () => void }) {
  const t = useTranslations("shell");
  const title = useMenuTitle();
  const href = useHref();
  const Icon = menuIcons[entry.group];
  const name = t(`menu.${entry.group}`);
  return (
    <div>
      <button type="button" className={classes.entry} data-on={on || undefined} aria-expanded={open} onClick={onToggle}>
        <Icon size={16} stroke={1.4} />
        <span className={classes.name} title={name}>
          {name}
        </span>
      </button>
      {open ? (
        <ul className={classes.sub}>
          {entry.screens.map((screen) => (
            <li key={screen.key}>
              <Link
                className={classes.leaf}
                href={href(screen.key)}
                prefetch={false}
                title={title(screen.key)}
                aria-current={screen.key === current ? "page" : undefined}
              >
                {title(screen.key)}
              </Link>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

function RailGroup({ entry, on, current }: GroupProps) {
  const [opened, setOpened] = useState(false);
  const t = useTranslations("shell");
  const title = useMenuTitle();
  const href = useHref();
  const Icon = menuIcons[entry.group];
  const name = t(`menu.${entry.group}`);
  return (
    <DropMenu
      position="right-start"
      offset={8}
      width={240}
      className={classes.flyout}
      onOpened={setOpened}
      trigger={
        <Hint label={name} position="right" disabled={opened}>
          <button type="button" className={classes.entry} data-on={on || undefined} aria-label={name}>
            <Icon size={16} stroke={1.4} />
          </button>
        </Hint>
      }
      entries={[
        { title: name },
        ...entry.screens.map((screen) => ({
          key: screen.key,
          text: title(screen.key),
          href: href(screen.key),
          current: screen.key === current ? ("page" as const) : undefined,
        })),
      ]}
    />
  );
}
