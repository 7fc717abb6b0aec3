"use client";
import { Button } from "@mantine/core";
import { IconUnlink } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { Confirm } from "#components/ui/confirm.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { LinkButton } from "#components/ui/link-button.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import type { Column } from "#components/ui/table-parts.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useHref, useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf, refreshList } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { unbindDus } from "#lib/activity-flows/changes/actions.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { formatNumber } from "#lib/core/format.ts";
import type { Filter } from "#lib/core/paging.ts";
import classes from "./binding.module.css";
import { DuChoice, type DuFacets } from "./du-choice.tsx";
import { useDuColumns } from "./du-columns.ts";
import type { DuRow, UnbindRow } from "./flow-data.ts";
import { type RefusedLine, RefusedList } from "./refused-list.tsx";

const figures = ["planDates", "owners", "actualDates", "workOrders", "approvals", "frozen"] as const;

/** DUs with a flow at the left; at the right what unbinding them would delete and which of them must stay. */
export function UnbindPage({ flows, facets }: { flows: readonly { flowId: number; name: string; version: number }[]; facets: DuFacets }) {
  const t = useTranslations("activity-flows");
  const common = useTranslations("common");
  const href = useHref();
  const project = useProjectNumber();
  const client = useQueryClient();
  const { can } = useSession();
  const [flowId, setFlowId] = useState("");
  const [chosen, setChosen] = useState<ReadonlyMap<number, DuRow>>(new Map());
  const [asking, setAsking] = useState(false);
  const [refused, setRefused] = useState<RefusedLine[]>([]);
  const [run, running] = useAction(unbindDus);
  const all = useDuColumns();
  const columns = useMemo<Column<DuRow>[]>(
    () => all.filter((column) => ["code", "name", "region", "flow", "source", "boundAt"].includes(column.key)),
    [all],
  );
  const fixed = useMemo<Filter[]>(
    () => (flowId ? [{ field: "flowId", type: "eq", values: [Number(flowId)] }] : [{ field: "bound", type: "eq", values: [true] }]),
    [flowId],
  );
  const mayUnbind = can("duFlow.bind");
  const duIds = [...chosen.keys()];
  const check = useQuery({
    queryKey: ["unbind-check", project, duIds],
    enabled: duIds.length > 0 && mayUnbind,
    queryFn: async ({ signal }) =>
      dataOf(await callDoor<{ dus: UnbindRow[] }>("duFlow/unbindCheck", { duIds }, { signal, cancelKey: "unbind-check" })).dus,
    placeholderData: (before) => before,
  });
  const checked = (check.data ?? []).filter((row) => chosen.has(row.duId));
  const free = checked.filter((row) => row.problems.length === 0);
  const kept = checked.filter((row) => row.problems.length > 0);
  const sum = (figure: (typeof figures)[number]) => free.reduce((total, row) => total + row.facts[figure], 0);
  const reason = (row: UnbindRow) => row.problems.map((problem) => t(`refused.${problem.code as "HAS_FACTS"}`, { ...row.facts })).join(" ");

  const unbind = async () => {
    const answer = await run({ duIds: free.map((row) => row.duId) });
    const code = (id: number) => chosen.get(id)?.code ?? String(id);
    if (answer.status >= 400 || !answer.data) setRefused([{ code: "", text: answer.msg ?? t("form.failed") }]);
    else {
      setRefused(answer.data.refused.map((one) => ({ code: code(one.duId), text: t(`refused.${one.code as "HAS_FACTS"}`, one.params) })));
      toast.done(t("unbind.done", { count: answer.data.unbound }));
      setChosen(new Map());
    }
    await Promise.all([
      refreshList(client, "duFlow/list"),
      refreshList(client, "flow/list"),
      client.invalidateQueries({ queryKey: ["unbind-check"] }),
    ]);
  };

  return (
    <>
      <PageBar>
        <LinkButton href={href("bindDus")}>{t("unbind.toBind")}</LinkButton>
        {mayUnbind ? (
          <Button
            variant="filled"
            leftSection={<IconUnlink size={16} stroke={1.4} />}
            disabled={free.length === 0 || check.isFetching || check.isError}
            loading={running}
            onClick={() => setAsking(true)}
          >
            {t("unbind.verb", { count: free.length })}
          </Button>
        ) : null}
      </PageBar>
      <div className={classes.body}>
        <DuChoice
          label={t("unbind.left")}
          fixed={fixed}
          facets={facets}
          columns={columns}
          chosen={chosen}
          onChosen={setChosen}
          empty={
            <EmptyState icon={<IconUnlink size={28} stroke={1} aria-hidden="true" />} title={t("unbind.empty")}>
              <LinkButton href={href("bindDus")}>{t("unbind.toBind")}</LinkButton>
            </EmptyState>
          }
        >
          <select
            className={classes.narrow}
            aria-label={common("flow")}
            value={flowId}
            onChange={(event) => setFlowId(event.currentTarget.value)}
          >
            <option value="">{t("unbind.everyFlow")}</option>
            {flows.map((flow) => (
              <option key={flow.flowId} value={flow.flowId}>
                {flow.name}
              </option>
            ))}
          </select>
        </DuChoice>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached with the keyboard */}
        <aside className={classes.side} aria-label={t("unbind.right")} tabIndex={0}>
          <RefusedList lines={refused} onClose={() => setRefused([])} />
          {chosen.size === 0 || !mayUnbind ? (
            <p className={classes.hint}>{mayUnbind ? t("unbind.hint") : t("unbind.noRight")}</p>
          ) : check.isError ? (
            <ErrorPanel title={t("unbind.checkFailed")} failed={check.error} onRetry={() => check.refetch()} />
          ) : !check.data ? (
            <div className={classes.preview} aria-busy="true" aria-live="polite" />
          ) : (
            <div className={classes.preview} aria-busy={check.isFetching} aria-live="polite">
              <h2 className={classes.title}>{t("unbind.result", { free: free.length, kept: kept.length })}</h2>
              <dl className={classes.figures}>
                {figures.slice(0, 2).map((figure) => (
                  <div key={figure}>
                    <dt>{t(`figure.${figure}`)}</dt>
                    <dd>{formatNumber(sum(figure))}</dd>
                  </div>
                ))}
              </dl>
              {kept.length > 0 ? (
                <>
                  <h3 className={classes.subtitle}>{t("unbind.kept")}</h3>
                  <ul className={classes.kept}>
                    {kept.map((row) => (
                      <li key={row.duId}>
                        <strong>{row.code}</strong> {reason(row)}
                      </li>
                    ))}
                  </ul>
                  {can("duChange.submit") ? <LinkButton href={href("submitDuChange")}>{t("unbind.toChange")}</LinkButton> : null}
                </>
              ) : null}
            </div>
          )}
        </aside>
      </div>
      <Confirm opened={asking} danger verb={t("unbind.verb", { count: free.length })} onConfirm={unbind} onClose={() => setAsking(false)}>
        {t("unbind.text", { planDates: sum("planDates"), owners: sum("owners") })}
      </Confirm>
    </>
  );
}
