"use client";
import { Modal, type ModalProps } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { useCloseGuard } from "./close-guard.tsx";

/** What a form in a dialog is given: it tells whether it is edited (`useTellEdited`), and asks to be closed, which asks before edits are given up. */
export type GuardedForm = { onEdited: (isEdited: boolean) => void; onCancel: () => void };

type Props = Omit<ModalProps, "children" | "title"> & {
  title: string;
  /** Closes without a question, as after a save. */
  onClose: () => void;
  children: (form: GuardedForm) => ReactNode;
};

/** A dialog around a form: it is not closed over unsaved edits without a question. */
export function FormModal({ onClose, children, ...dialog }: Props) {
  const common = useTranslations("common");
  const [isEdited, setEdited] = useState(false);
  const { close, question } = useCloseGuard(isEdited, onClose);
  return (
    <Modal {...dialog} onClose={close} closeButtonProps={{ "aria-label": common("close") }}>
      {children({ onEdited: setEdited, onCancel: close })}
      {question}
    </Modal>
  );
}
