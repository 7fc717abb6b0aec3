"use client";
import type { TooltipProps } from "@mantine/core";
import {
  cloneElement,
  type FocusEvent,
  type KeyboardEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  type Ref,
  useEffect,
  useRef,
  useState,
} from "react";
import { useFloating } from "./use-floating.ts";

/** How long the pointer rests before a tool tip appears. */
const restMs = 400;

type Props = {
  label: ReactNode;
  position?: TooltipProps["position"];
  disabled?: boolean;
  /** An element that takes a `ref`. */
  // biome-ignore lint/suspicious/noExplicitAny: any element, and what it is given here
  children: ReactElement<any>;
  ref?: Ref<HTMLElement>;
  onPointerEnter?: (event: PointerEvent) => void;
  onFocus?: (event: FocusEvent<HTMLElement>) => void;
};

const loadHint = () => import("./floating.tsx").then((module) => module.FloatingHint);

/** An element with a tool tip. What is given beside, such as by a menu the element opens, goes to the element. */
export function Hint({ label, position, disabled, children, ref, onPointerEnter, onFocus, ...given }: Props) {
  const [shown, setShown] = useState(false);
  // A tip that cannot be read is not told: nobody asked for it.
  const { target, Part, come } = useFloating(loadHint, false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const leave = () => {
    clearTimeout(timer.current);
    setShown(false);
  };
  return (
    <>
      {cloneElement(children, {
        ...given,
        ref: (element: HTMLElement | null) => {
          target.current = element;
          if (typeof ref === "function") return ref(element);
          if (ref) ref.current = element;
        },
        onPointerEnter: (event: PointerEvent) => {
          onPointerEnter?.(event);
          come();
          clearTimeout(timer.current);
          if (event.pointerType !== "touch") timer.current = setTimeout(() => setShown(true), restMs);
        },
        onPointerLeave: leave,
        onPointerDown: leave,
        // Who comes by key is told at once, and puts the hint away with Escape.
        onFocus: (event: FocusEvent<HTMLElement>) => {
          onFocus?.(event);
          come();
          if (event.currentTarget.matches(":focus-visible")) setShown(true);
        },
        onBlur: leave,
        onKeyDown: (event: KeyboardEvent) => event.key === "Escape" && leave(),
      })}
      {Part && <Part target={target} label={label} opened={shown && !disabled} {...(position ? { position } : {})} />}
    </>
  );
}
