"use client";
import { Button } from "@mantine/core";
import { IconPlus, IconTimeline } from "@tabler/icons-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Confirm } from "#components/ui/confirm.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { toast } from "#components/ui/toast.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { overlaps } from "#lib/resources/project-cycle/logic.ts";
import type { Cycle } from "#lib/resources/project-cycle/queries.ts";
import type { ClusterRate, ProjectCurrency } from "#lib/resources/project-money/queries.ts";
import classes from "./cycle.module.css";
import { CycleDialog } from "./cycle-dialog.tsx";
import { MoneyDialog } from "./money-dialog.tsx";
import { PhaseGantt } from "./phase-gantt.tsx";

type Props = { first: Cycle[]; currency: ProjectCurrency; rate: ClusterRate; today: string };

/** The phases of the project numbers as bars, with a warning where phases share days; the currency and the rate of completed clusters. [RES-08] */
export function CyclePage({ first: cycles, currency, rate, today }: Props) {
  const t = useTranslations("project-cycle");
  const common = useTranslations("common");
  const { can } = useSession();
  const router = useRouter();
  const [open, setOpen] = useState<Cycle | "new" | "money" | null>(null);
  const [asked, setAsked] = useState<Cycle | null>(null);
  const mayEdit = can("resource.edit");
  const done = () => {
    setOpen(null);
    router.refresh();
  };
  const remove = async ({ id }: Cycle) => {
    const answer = await callDoor("projectCycle/delete", { ids: [id] });
    if (answer.status >= 400) toast.problem(answer.msg ?? common("failed"));
    router.refresh();
  };
  return (
    <>
      <PageBar>
        <Button onClick={() => setOpen("money")}>{t("money.verb", { code: currency.code })}</Button>
        {mayEdit ? (
          <Button variant="filled" leftSection={<IconPlus size={14} stroke={1.7} />} onClick={() => setOpen("new")}>
            {t("new")}
          </Button>
        ) : null}
      </PageBar>
      {cycles.length === 0 ? (
        <EmptyState icon={<IconTimeline size={28} stroke={1} aria-hidden="true" />} title={t("empty")} text={t("emptyText")}>
          {mayEdit ? <Button onClick={() => setOpen("new")}>{t("new")}</Button> : null}
        </EmptyState>
      ) : (
        <ScrollRegion label={t("label")} className={classes.scroll}>
          {cycles.map((cycle) => {
            const shared = overlaps(cycle.phases);
            return (
              <section key={cycle.id} className={classes.cycle} aria-label={cycle.projectNumber}>
                <header className={classes.head}>
                  <h2>{cycle.projectNumber}</h2>
                  {mayEdit ? (
                    <>
                      <Button size="xs" aria-label={t("editOf", { number: cycle.projectNumber })} onClick={() => setOpen(cycle)}>
                        {common("edit")}
                      </Button>
                      <Button
                        size="xs"
                        variant="subtle"
                        color="gray"
                        aria-label={t("deleteOf", { number: cycle.projectNumber })}
                        onClick={() => setAsked(cycle)}
                      >
                        {common("delete")}
                      </Button>
                    </>
                  ) : null}
                </header>
                {shared.length > 0 ? (
                  <p className={classes.warning} role="status">
                    {t("overlap", { pairs: shared.map((pair) => pair.join(" / ")).join("; ") })}
                  </p>
                ) : null}
                {cycle.phases.length > 0 ? (
                  <PhaseGantt phases={cycle.phases} shared={new Set(shared.flat())} today={today} />
                ) : (
                  <p>{t("noPhases")}</p>
                )}
              </section>
            );
          })}
        </ScrollRegion>
      )}
      {open === "money" ? <MoneyDialog currency={currency} rate={rate} onSaved={done} onClose={() => setOpen(null)} /> : null}
      {open && open !== "money" ? <CycleDialog cycle={open === "new" ? null : open} onSaved={done} onClose={() => setOpen(null)} /> : null}
      {asked ? (
        <Confirm opened danger verb={common("delete")} onConfirm={() => remove(asked)} onClose={() => setAsked(null)}>
          {asked.projectNumber}
        </Confirm>
      ) : null}
    </>
  );
}
