"use client";
import { Button } from "@mantine/core";
import { useTranslations } from "next-intl";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { formatNumber } from "#lib/core/format.ts";
import { remindRecipients } from "#lib/plan-versions/distributions/actions.ts";
import type { DistributionRow } from "#lib/plan-versions/distributions/queries.ts";
import classes from "./versions.module.css";

type Props = { rows: readonly DistributionRow[]; chosen: number | null; onChoose: (id: number | null) => void; onReminded: () => unknown };

/** How far each distribution is: answered of told, still open, not mapped. A click shows its answers alone; who has not answered is reminded. */
export function FeedbackProgress({ rows, chosen, onChoose, onReminded }: Props) {
  const t = useTranslations("plan-versions.feedback");
  const { can } = useSession();
  const [remind, busy] = useAction(remindRecipients);
  if (rows.length === 0) return null;
  const one = rows.find(({ id }) => id === chosen);
  const waiting = (one ? [one] : rows).filter(({ status }) => status === "sent" || status === "opened").map(({ id }) => id);
  const run = async () => {
    const answer = await remind({ ids: waiting });
    if (!answer.data) return toast.problem(answer.problems?.[0]?.msg ?? answer.msg ?? answer.code ?? "");
    toast.done(t("reminded", { count: answer.data.reminded }));
    await onReminded();
  };
  return (
    <section className={classes.summary} aria-label={t("progress")}>
      <div className={classes.tiles}>
        {rows.map((row) => (
          <button
            key={row.id}
            type="button"
            className={classes.tile}
            aria-pressed={row.id === chosen}
            onClick={() => onChoose(row.id === chosen ? null : row.id)}
          >
            <span>
              {row.versionCode} · {row.recipientName}
            </span>
            <strong>{t("of", { answered: formatNumber(row.answered), all: formatNumber(row.activityCount) })}</strong>
            <span>{t("counts", { open: row.open, notMapped: row.notMapped })}</span>
          </button>
        ))}
      </div>
      {can("version.distribute") && waiting.length > 0 ? (
        <Button loading={busy} onClick={run}>
          {t("remind", { count: waiting.length })}
        </Button>
      ) : null}
    </section>
  );
}
