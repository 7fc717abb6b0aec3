"use client";

import { Modal, type ModalProps } from "@mantine/core";
import { useTranslations } from "next-intl";

/** A dialog of the plan: opened by being drawn, its cross has a name. */
export function PlanDialog(props: Omit<ModalProps, "opened" | "closeButtonProps">) {
  const common = useTranslations("common");
  return <Modal opened closeButtonProps={{ "aria-label": common("close") }} {...props} />;
}
