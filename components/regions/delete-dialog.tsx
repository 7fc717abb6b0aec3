"use client";
import { useTranslations } from "next-intl";
import { Confirm } from "#components/ui/confirm.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { deleteRegions } from "#lib/regions/actions.ts";
import type { RegionRow } from "#lib/regions/queries.ts";

/** Asks before a delivery region goes. */
export function DeleteDialog({ region, onClose, onDone }: { region: RegionRow; onClose: () => void; onDone: () => Promise<void> }) {
  const t = useTranslations("regions");
  const [remove] = useAction(deleteRegions);
  return (
    <Confirm
      opened
      danger
      verb={t("delete", { name: region.name })}
      onClose={onClose}
      onConfirm={async () => {
        const answer = await remove({ ids: [region.id] });
        if (answer.status >= 400) toast.problem(answer.msg ?? t("failed"));
        await onDone();
      }}
    >
      {t("deleteText")}
    </Confirm>
  );
}
