"use client";
import { useTranslations } from "next-intl";
import { Tag, type Tone } from "#components/ui/status-tag.tsx";
import type { OrderStatus } from "#lib/work-orders/orders/logic.ts";

const tones: Record<OrderStatus, Tone> = {
  none: "neutral",
  scheduled: "neutral",
  assigned: "info",
  accepted: "info",
  started: "info",
  suspended: "warn",
  completed: "ok",
  cancelled: "neutral",
};

/** Status of a work order in a word. */
export function OrderStatusTag({ status }: { status: OrderStatus }) {
  const t = useTranslations("work-orders.status");
  return <Tag tone={tones[status]}>{t(status)}</Tag>;
}
