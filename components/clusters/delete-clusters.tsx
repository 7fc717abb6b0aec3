"use client";
import { Checkbox, Modal } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { deleteClusters } from "#lib/dimension-views/clusters/actions.ts";
import type { ClusterRow } from "#lib/dimension-views/clusters/queries.ts";
import classes from "./clusters.module.css";

type Props = { rows: readonly ClusterRow[]; onClose: () => void; onDeleted: () => void };

/** Deletes clusters; those that hold DUs only with them taken out. */
export function DeleteClusters({ rows, onClose, onDeleted }: Props) {
  const t = useTranslations("clusters.delete");
  const common = useTranslations("common");
  const [removeDus, setRemoveDus] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [remove, busy] = useAction(deleteClusters);
  const verb = t("verb", { count: rows.length });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const answer = await remove({ ids: rows.map(({ id }) => id), removeDus });
    if (!answer.data) return setProblem(answer.msg ?? answer.code);
    toast.done(t("done", { count: answer.data.deleted }));
    onDeleted();
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title={verb} size={440} closeButtonProps={{ "aria-label": common("close") }}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <p className={classes.help}>{rows.map(({ name }) => name).join(", ")}</p>
        <Checkbox label={t("removeDus")} checked={removeDus} onChange={(event) => setRemoveDus(event.currentTarget.checked)} />
        <DialogFoot problem={problem} verb={verb} busy={busy} danger onClose={onClose} />
      </form>
    </Modal>
  );
}
