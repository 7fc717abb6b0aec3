"use client";
import { type ComponentType, useRef } from "react";
import { useOpened } from "./use-loaded.ts";

/**
 * What every element that opens something over the page needs: its place, and the code of what it opens, read when the person comes near it by
 * pointer or key and at the latest when it is opened.
 * @param giveUp closes it, where its code cannot be read
 */
export function useFloating<Props, Element extends HTMLElement = HTMLElement>(
  load: () => Promise<ComponentType<Props>>,
  opened: boolean,
  giveUp?: () => void,
) {
  const target = useRef<Element>(null);
  return { target, ...useOpened(load, opened, giveUp) };
}
