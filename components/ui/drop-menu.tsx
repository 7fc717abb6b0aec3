"use client";
import type { MenuProps } from "@mantine/core";
import { cloneElement, type ReactElement, type ReactNode, useState } from "react";
import { useFloating } from "./use-floating.ts";

/** A line of a menu: an entry, a title, or a line between groups. */
export type DropEntry =
  | {
      key: string;
      text: ReactNode;
      icon?: ReactNode;
      /** Leads there instead of doing something. */
      href?: string;
      onClick?: () => void;
      current?: true | "page" | undefined;
      disabled?: boolean;
      hint?: string | undefined;
      lang?: string;
    }
  | { title: ReactNode }
  | "divider";

type Props = Pick<MenuProps, "position" | "width" | "offset"> & {
  /** The button that opens it; an element that takes a `ref`. */
  // biome-ignore lint/suspicious/noExplicitAny: any element, and what it is given here
  trigger: ReactElement<any>;
  entries: readonly DropEntry[];
  className?: string | undefined;
  onOpened?: (opened: boolean) => void;
};

const loadMenu = () => import("./floating.tsx").then((module) => module.FloatingMenu);

/** A button and the menu it opens. The button is there with the page; the menu's code comes when the pointer or the focus does. */
export function DropMenu({ trigger, onOpened, className, ...rest }: Props) {
  const [opened, setOpened] = useState(false);
  const change = (next: boolean) => {
    setOpened(next);
    onOpened?.(next);
  };
  const { target, Part, come } = useFloating(loadMenu, opened, () => change(false));
  return (
    <>
      {cloneElement(trigger, {
        ref: target,
        "aria-haspopup": "menu",
        "aria-expanded": opened,
        "data-expanded": opened || undefined,
        onPointerEnter: come,
        onFocus: come,
        onClick: () => change(!opened),
      })}
      {Part && <Part target={target} opened={opened} onChange={change} {...(className ? { className } : {})} {...rest} />}
    </>
  );
}
