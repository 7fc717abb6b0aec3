"use client";
import { useNotifications } from "@mantine/notifications";
import { onDemand } from "./on-demand.tsx";
import { useWas } from "./use-was.ts";

const Toasts = onDemand(() => import("./toasts.tsx").then((module) => module.Toasts));

/** Where toasts appear; its code is loaded with the first one. */
export function ToastPlace() {
  const { notifications } = useNotifications();
  return useWas(notifications.length > 0) ? <Toasts /> : null;
}
