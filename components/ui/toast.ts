"use client";
import { notifications } from "@mantine/notifications";
import { createElement, type ReactNode } from "react";
import classes from "./toast.module.css";
import { type ToastAction, ToastLine, type ToastTone } from "./toast-line.tsx";

type Options = { actions?: ToastAction[]; id?: string; milliseconds?: number };

/** How long a message stays, and the warning of a search box whose text was thrown away, in milliseconds. OPS-33 OPS-34 */
const messageMs = 6_000;
const searchWarningMs = 2_000;

let made = 0;

function show(tone: ToastTone, text: ReactNode, { actions = [], id, milliseconds = messageMs }: Options = {}): string {
  const key = id ?? `toast-${++made}`;
  return notifications.show({
    id: key,
    message: createElement(ToastLine, { tone, text, actions, onClose: () => void notifications.hide(key) }),
    withCloseButton: false,
    // A refusal stays until it is closed; it is never told by a toast alone.
    autoClose: tone === "problem" ? false : milliseconds,
    withBorder: false,
    classNames: { root: classes.toast ?? "" },
  });
}

/** Short notes at the bottom right, with at most two verbs such as Undo and Show. */
export const toast = {
  done: (text: ReactNode, options?: Options) => show("done", text, options),
  note: (text: ReactNode, options?: Options) => show("note", text, options),
  problem: (text: ReactNode, options?: Options) => show("problem", text, options),
  /** A search box took more entries than it may hold and was emptied. */
  search: (text: ReactNode) => show("note", text, { milliseconds: searchWarningMs }),
  /** Puts a note away that was shown with this id. */
  hide: (id: string) => void notifications.hide(id),
  /** Something another person did. */
  others: (text: ReactNode, options?: Options) => show("others", text, options),
};
