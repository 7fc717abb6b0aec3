"use client";
import { Button, Modal } from "@mantine/core";
import { IconMapPin, IconPlayerPlay, IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { type KeyboardEvent, type ReactNode, useDeferredValue, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "react";
import { type Command, useOfferedCommands } from "#components/ui/commands.ts";
import { Kbd } from "#components/ui/kbd.tsx";
import { askToLeave } from "#components/ui/unsaved.ts";
import { useHref } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import type { Locale } from "#lib/core/locale.ts";
import { mayOpen, menuGroupOf, type ScreenKey, screens } from "#lib/screens.ts";
import classes from "./command-box.module.css";
import { findScreens, findText, readQuery } from "./command-index.ts";
import { menuIcons } from "./menu-icons.tsx";
import { readPageActions } from "./page-actions.ts";
import { readRecent } from "./recent-screens.ts";
import { loadTitles } from "./screen-titles.ts";
import { useMenuTitle } from "./use-menu-title.ts";

type Item = { key: string; text: ReactNode; icon: ReactNode; side?: ReactNode; href?: string; run?: () => void };
type Group = { name: string; items: Item[] };
/** What was found; whether something is still looked for; and how to look again where that failed. */
type Hits = { groups: Group[]; isLooking: boolean; lookAgain: (() => void) | undefined };
type Du = { id: number; code: string; name: string };

const shownCommands = 6;

/** Jump box: every screen the person may open by its title in any language, verbs of the present screen, DUs, recent screens. */
export function CommandBox({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const t = useTranslations("shell");
  return (
    <Modal.Root opened={opened} onClose={onClose} size={640} yOffset="12vh" zIndex={600} padding={0} transitionProps={{ duration: 90 }}>
      <Modal.Overlay />
      <Modal.Content aria-label={t("command.title")}>
        <Modal.Body>
          <Box onClose={onClose} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function Box({ onClose }: { onClose: () => void }) {
  const t = useTranslations("shell");
  const router = useRouter();
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  // At once: the dialog itself moves the focus a moment later, and what is typed until then would land in the page behind it.
  useLayoutEffect(() => field.current?.focus(), []);
  const id = useId();
  const { groups, isLooking, lookAgain } = useHits(useDeferredValue(typed));
  const items = groups.flatMap((group) => group.items);
  const current = items[Math.min(at, items.length - 1)];
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text starts at its first hit
  useEffect(() => setAt(0), [typed]);
  useEffect(() => {
    list.current?.querySelector(`[data-item="${at}"]`)?.scrollIntoView({ block: "nearest" });
  }, [at]);

  const open = (item: Item | undefined, newTab: boolean) => {
    if (!item) return;
    const { href, run } = item;
    if (href && newTab) window.open(href, "_blank", "noopener");
    else if (href) askToLeave(() => router.push(href));
    onClose();
    run?.();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    // Enter that ends an input method's composition chooses nothing.
    if (event.nativeEvent.isComposing) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step && items.length > 0) setAt((at + step + items.length) % items.length);
    else if (event.key === "Enter") open(current, event.ctrlKey || event.metaKey);
    else return;
    event.preventDefault();
  };

  let index = -1;
  return (
    <>
      <div className={classes.head}>
        <IconSearch size={16} stroke={1.4} aria-hidden="true" />
        <input
          ref={field}
          data-autofocus
          className={classes.input}
          role="combobox"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={current ? `${id}-${current.key}` : undefined}
          aria-label={t("command.open")}
          placeholder={t("command.open")}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <Kbd>Esc</Kbd>
      </div>
      <div className={classes.list} role="listbox" id={`${id}-list`} aria-label={t("command.title")} ref={list}>
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: options of a list box are grouped by role, a fieldset is for forms
          <div key={group.name} role="group" aria-label={group.name}>
            <div className={classes.group} aria-hidden="true">
              {group.name}
            </div>
            {group.items.map((item) => {
              index += 1;
              const own = index;
              return (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the list belong to the text field above it
                <div
                  key={item.key}
                  id={`${id}-${item.key}`}
                  data-item={own}
                  role="option"
                  tabIndex={-1}
                  aria-selected={item === current}
                  className={classes.item}
                  onMouseMove={() => own !== at && setAt(own)}
                  onClick={(event) => open(item, event.ctrlKey || event.metaKey)}
                >
                  {item.icon}
                  <span className={classes.text}>{item.text}</span>
                  {item.side ? <span className={classes.side}>{item.side}</span> : null}
                </div>
              );
            })}
          </div>
        ))}
      </div>
      {lookAgain ? (
        <p className={classes.none} role="alert">
          {t("command.failed")}{" "}
          <Button variant="subtle" size="compact-xs" onClick={lookAgain}>
            {t("notices.again")}
          </Button>
        </p>
      ) : items.length === 0 && !isLooking ? (
        <p className={classes.none} role="status">
          {t("command.none")}
        </p>
      ) : null}
      <div className={classes.foot} aria-hidden="true">
        <span>
          <Kbd>↑</Kbd> <Kbd>↓</Kbd> {t("command.move")}
        </span>
        <span>
          <Kbd>↵</Kbd> {t("command.go")}
        </span>
        <span>
          <Kbd>Ctrl ↵</Kbd> {t("command.newTab")}
        </span>
        <span>
          <Kbd>{">"}</Kbd> {t("command.commands")}
        </span>
        <span>
          <Kbd>#</Kbd> DU
        </span>
      </div>
    </>
  );
}

function useHits(typed: string): Hits {
  const t = useTranslations("shell");
  const { can, project } = useSession();
  const locale = useLocale() as Locale;
  const href = useHref();
  const menuTitle = useMenuTitle();
  const offered = useOfferedCommands();
  // Read once: what lies behind the box stays as it is while it is open.
  const [onPage] = useState(() => readPageActions(document));
  const commands = offered.length > 0 ? offered : onPage;
  const query = readQuery(typed);
  const titles = useQuery({ queryKey: ["titles", locale], queryFn: () => loadTitles(locale), staleTime: Number.POSITIVE_INFINITY });
  const index = useMemo(
    () =>
      (titles.data ?? []).filter(({ key }) =>
        screens.some((screen) => screen.key === key && screen.params.length === 0 && mayOpen(screen, can)),
      ),
    [titles.data, can],
  );
  const asksDus = query.kind !== "commands" && query.text.length >= (query.kind === "dus" ? 1 : 2) && can("rollout.view");
  const dus = useQuery({
    queryKey: ["quickFind", project.number, query.text],
    enabled: asksDus,
    queryFn: async ({ signal }) =>
      dataOf(await callDoor<Du[]>("rolloutPlan/quickFind", { q: query.text }, { signal, cancelKey: "quickFind" })),
    retry: false,
  });
  const failed = [titles, ...(asksDus ? [dus] : [])].filter(({ isError, data }) => isError && !data);

  const screenItem = (key: ScreenKey, title: string, from = 0, to = 0, prefix = ""): Item => {
    const group = menuGroupOf(key);
    const Icon = group ? menuIcons[group] : IconSearch;
    return {
      key: `${prefix}${key}`,
      text: <Marked text={title} from={from} to={to} />,
      icon: <Icon size={16} stroke={1.4} aria-hidden="true" />,
      side: group ? t(`menu.${group}`) : undefined,
      href: href(key),
    };
  };
  const commandItem = (command: Command): Item => {
    const found = findText(command.label, query.text) ?? { from: 0, to: 0 };
    return {
      key: `run-${command.key}`,
      text: <Marked text={command.label} {...found} />,
      icon: <IconPlayerPlay size={16} stroke={1.4} aria-hidden="true" />,
      side: command.shortcut ? <Kbd>{command.shortcut}</Kbd> : undefined,
      run: command.run,
    };
  };

  const groups: Group[] = [];
  if (query.kind === "all" && query.text)
    groups.push({
      name: t("command.pages"),
      items: findScreens(index, query.text).map((hit) => screenItem(hit.key, hit.title, hit.from, hit.to)),
    });
  if (query.kind !== "dus")
    groups.push({
      name: t("command.commands"),
      items: commands
        .filter((command) => findText(command.label, query.text))
        .slice(0, query.kind === "commands" ? undefined : shownCommands)
        .map(commandItem),
    });
  if (query.kind !== "commands" && query.text)
    groups.push({
      name: t("command.dus"),
      items: (dus.data ?? []).map((du) => ({
        key: `du-${du.id}`,
        text: `${du.code} ${du.name ?? ""}`,
        icon: <IconMapPin size={16} stroke={1.4} aria-hidden="true" />,
        side: "DU",
        href: href("rolloutPlan", { query: { du: du.code } }),
      })),
    });
  if (query.kind === "all" && !query.text)
    groups.push({
      name: t("command.recent"),
      items: readRecent(project.number)
        .filter((key) => screens.some((screen) => screen.key === key && mayOpen(screen, can)))
        .map((key) => screenItem(key, menuTitle(key), 0, 0, "recent-")),
    });
  return {
    groups: groups.filter((group) => group.items.length > 0),
    isLooking: titles.isLoading || dus.isLoading,
    lookAgain: failed.length > 0 ? () => failed.forEach(({ refetch }) => void refetch()) : undefined,
  };
}

function Marked({ text, from, to }: { text: string; from: number; to: number }) {
  if (to <= from) return text;
  return (
    <>
      {text.slice(0, from)}
      <mark>{text.slice(from, to)}</mark>
      {text.slice(to)}
    </>
  );
}
