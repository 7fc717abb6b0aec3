"use client";
import { Menu, type MenuProps, Popover, type PopoverProps, Tooltip, type TooltipProps } from "@mantine/core";
import Link from "next/link";
import { type ReactNode, type Ref, type RefObject, useImperativeHandle, useLayoutEffect, useState } from "react";
import type { DropEntry } from "./drop-menu.tsx";
import { useKeptFocus } from "./use-kept-focus.ts";

/** The element of the page that opened this. */
type Target = { target: RefObject<HTMLElement | null> };

const told = ["id", "aria-controls", "aria-expanded", "aria-describedby"] as const;
type Told = Partial<Record<(typeof told)[number], string | boolean>>;

/** Stands for the target, which is in the page already: hands its element on, and writes to it what it has to say. */
function Anchor({ target, ref, ...rest }: Target & Told & { ref?: Ref<HTMLElement> }) {
  useImperativeHandle(ref, () => target.current as HTMLElement, [target]);
  const values = told.map((name) => rest[name]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list always has the same length
  useLayoutEffect(() => {
    told.forEach((name, at) => {
      const value = values[at];
      if (value !== undefined) target.current?.setAttribute(name, String(value));
      else if (name !== "id") target.current?.removeAttribute(name);
    });
  }, [target, ...values]);
  return null;
}

/** A menu below its target. */
export function FloatingMenu({
  target,
  entries,
  className,
  ...rest
}: MenuProps & Target & { entries: readonly DropEntry[]; className?: string }) {
  return (
    <Menu {...rest}>
      <Menu.Target>
        <Anchor target={target} />
      </Menu.Target>
      <Menu.Dropdown {...(className ? { className } : {})}>
        {entries.map((entry, at) => {
          if (entry === "divider") return <Menu.Divider key={`divider ${at}`} />;
          if ("title" in entry) return <Menu.Label key="title">{entry.title}</Menu.Label>;
          const { key, text, icon, href, onClick, current, hint, ...more } = entry;
          const props = { leftSection: icon, "aria-current": current, title: hint, ...more };
          return href === undefined ? (
            <Menu.Item key={key} {...props} onClick={onClick}>
              {text}
            </Menu.Item>
          ) : (
            <Menu.Item key={key} {...props} component={Link} href={href} prefetch={false}>
              {text}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}

type PanelProps = PopoverProps & Target & { label: string; className?: string; padding?: number; children: ReactNode };

/** A panel below its target; one that takes the focus keeps it while its content changes, and gives it back when it closes. */
export function FloatingPanel({ target, label, className, padding, children, ...rest }: PanelProps) {
  const [panel, setPanel] = useState<HTMLElement | null>(null);
  useKeptFocus(rest.trapFocus && rest.opened ? panel : null, target);
  return (
    <Popover {...rest}>
      <Popover.Target>
        <Anchor target={target} />
      </Popover.Target>
      <Popover.Dropdown
        ref={setPanel}
        aria-label={label}
        {...(className ? { className } : {})}
        {...(padding === undefined ? {} : { p: padding })}
      >
        {children}
      </Popover.Dropdown>
    </Popover>
  );
}

/** A tool tip beside its target. */
export function FloatingHint({ target, ...rest }: Omit<TooltipProps, "target"> & Target) {
  return (
    <Tooltip {...rest}>
      <Anchor target={target} />
    </Tooltip>
  );
}
