"use client";
import { Modal } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Confirm } from "#components/ui/confirm.tsx";
import { hasUnsaved } from "#components/ui/unsaved.ts";
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
  const [asking, setAsking] = useState(false);
  const released = row?.status === "released";
  const leave = () => (hasUnsaved() ? setAsking(true) : onClose());
  return (
    <Modal
      opened
      onClose={leave}
      title={row ? row.name : t("new")}
      size={released ? 920 : 560}
      closeButtonProps={{ "aria-label": common("close") }}
    >
      <div className={classes.form}>
        <TempForm
          row={row}
          onSaved={(saved) => {
            void onChanged();
            if (released) setRow({ ...row, ...saved });
            else onClose();
          }}
          onClose={leave}
        />
        {released ? <TempDus id={row.id} onChanged={onChanged} /> : row ? <p className={classes.note}>{t("releaseFirst")}</p> : null}
      </div>
      <Confirm opened={asking} verb={t("discard")} onConfirm={onClose} onClose={() => setAsking(false)}>
        {t("discardText")}
      </Confirm>
    </Modal>
  );
}
