"use client";
import { useTranslations } from "next-intl";
import { Confirm } from "#components/ui/confirm.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { setRegionStatus } from "#lib/regions/actions.ts";
import { wholeShare } from "#lib/regions/limits.ts";
import { hundredths, largestRemainder } from "#lib/regions/logic.ts";
import type { RegionRow } from "#lib/regions/queries.ts";

type Props = { region: RegionRow; regions: readonly RegionRow[]; onClose: () => void; onDone: () => Promise<void> };

/** Takes a region out of use, its share going to the others in proportion, or into use again. */
export function StatusDialog({ region, regions, onClose, onDone }: Props) {
  const t = useTranslations("regions");
  const [set] = useAction(setRegionStatus);
  const invalid = region.status === "ACTIVE";
  const others = regions.filter(({ id, status }) => id !== region.id && status === "ACTIVE");
  const gives = invalid && region.percentage > 0;
  const parts = largestRemainder(
    wholeShare,
    others.map(({ percentage }) => hundredths(percentage)),
  );
  const verb = t(invalid ? "invalidate" : "activate", { name: region.name });
  return (
    <Confirm
      opened
      verb={verb}
      danger={invalid}
      onClose={onClose}
      onConfirm={async () => {
        const answer = await set({
          id: region.id,
          rowVersion: region.rowVersion,
          status: invalid ? "INVALID" : "ACTIVE",
          confirm: true,
          ...(gives && {
            shares: others.map(({ id, rowVersion }, at) => ({ id, rowVersion, percentage: (parts[at] ?? 0) / 100 })),
          }),
        });
        if (answer.status >= 400) toast.problem(answer.msg ?? t("failed"));
        await onDone();
      }}
    >
      <p>{t(invalid ? "invalidateText" : "activateText")}</p>
      {gives ? <p>{t("givesShare", { share: region.percentage.toFixed(2) })}</p> : null}
    </Confirm>
  );
}
