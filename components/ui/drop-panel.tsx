"use client";
import type { PopoverProps } from "@mantine/core";
import { cloneElement, type ReactElement, type ReactNode } from "react";
import { useFloating } from "./use-floating.ts";

type Props = Pick<PopoverProps, "position" | "width" | "trapFocus" | "returnFocus"> & {
  /** The element that opens it; it takes a `ref` and opens the panel itself. */
  // biome-ignore lint/suspicious/noExplicitAny: any element, and what it is given here
  trigger: ReactElement<any>;
  opened: boolean;
  onChange: (opened: boolean) => void;
  label: string;
  className?: string | undefined;
  padding?: number;
  children: ReactNode;
};

const loadPanel = () => import("./floating.tsx").then((module) => module.FloatingPanel);

/** An element and the panel it opens. The element is there with the page; the panel's code comes when the pointer or the focus does. */
export function DropPanel({ trigger, className, children, ...rest }: Props) {
  const { target, Part, come } = useFloating(loadPanel, rest.opened, () => rest.onChange(false));
  return (
    <>
      {cloneElement(trigger, { ref: target, onPointerEnter: come, onFocus: come })}
      {Part && (
        <Part target={target} {...(className ? { className } : {})} {...rest}>
          {children}
        </Part>
      )}
    </>
  );
}
