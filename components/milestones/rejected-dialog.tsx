"use client";
import { Button, Modal } from "@mantine/core";
import { useTranslations } from "next-intl";
import classes from "./milestones.module.css";
import type { Rejected } from "./use-steps.ts";

/** What a step was refused for, each with its reason. */
export function RejectedDialog({ rejected, onClose }: Rejected & { onClose: () => void }) {
  const t = useTranslations("milestones.rejected");
  const common = useTranslations("common");
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("title", { count: rejected.length })}
      size={520}
      closeButtonProps={{ "aria-label": common("close") }}
    >
      <div className={classes.form}>
        <ul className={classes.plain}>
          {rejected.map(({ key, name, msg }) => (
            <li key={key}>
              {name}: <span className={classes.problem}>{msg}</span>
            </li>
          ))}
        </ul>
        <div className={classes.foot}>
          <Button variant="filled" onClick={onClose}>
            {common("close")}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
