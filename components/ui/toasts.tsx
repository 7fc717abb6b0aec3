"use client";
import { Notifications } from "@mantine/notifications";

/** Toasts at the bottom right. */
export function Toasts() {
  return <Notifications position="bottom-right" zIndex={500} limit={4} />;
}
