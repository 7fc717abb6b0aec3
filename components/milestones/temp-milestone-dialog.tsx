"use client";
import { Modal } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useCloseGuard } from "#components/ui/close-guard.tsx";
import type { TempMilestoneRow } from "#lib/milestones/temporary/queries.ts";
import classes from "./milestones.module.css";
import { TempDus } from "./temp-dus.tsx";
import { TempForm } from "./temp-form.tsx";

type Props = { given: TempMilestoneRow | null; onChanged: () => unknown; onClose: () => void };

/** A temporary milestone: what it is, and once it is released the DUs it is linked to with their dates. */
export function TempMilestoneDialog({ given, onChanged, onClose }: Props) {
  const t = useTranslations("milestones.temp");
  const common = useTranslations("common");
  const [row, setRow] = useState(given);
  const [isFormEdited, setFormEdited] = useState(false);
  const [areDatesEdited, setDatesEdited] = useState(false);
  const { close, question } = useCloseGuard(isFormEdited || areDatesEdited, onClose);
  const released = row?.status === "released";
  return (
    <Modal
      opened
      onClose={close}
      title={row ? row.name : t("new")}
      size={released ? 920 : 560}
      closeButtonProps={{ "aria-label": common("close") }}
    >
      <div className={classes.form}>
        <TempForm
          row={row}
          onEdited={setFormEdited}
          onSaved={(saved) => {
            void onChanged();
            if (released) setRow({ ...row, ...saved });
            else onClose();
          }}
          onClose={close}
        />
        {released ? (
          <TempDus id={row.id} onEdited={setDatesEdited} onChanged={onChanged} />
        ) : row ? (
          <p className={classes.note}>{t("releaseFirst")}</p>
        ) : null}
      </div>
      {question}
    </Modal>
  );
}
