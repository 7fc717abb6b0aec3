"use client";
import { Button } from "@mantine/core";
import { IconLink, IconMapPinPlus } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { LinkButton } from "#components/ui/link-button.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import type { Column } from "#components/ui/table-parts.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useHref } from "#components/ui/use-href.ts";
import { refreshList } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { bindDus } from "#lib/activity-flows/binding/actions.ts";
import type { Filter } from "#lib/core/paging.ts";
import classes from "./binding.module.css";
import { DuChoice, type DuFacets } from "./du-choice.tsx";
import { useDuColumns } from "./du-columns.ts";
import type { DuRow } from "./flow-data.ts";
import { type FlowChoice, FlowPreview } from "./flow-preview.tsx";
import { type RefusedLine, RefusedList } from "./refused-list.tsx";

const unbound: readonly Filter[] = [{ field: "bound", type: "eq", values: [false] }];

/** DUs without a flow at the left, the flow they will follow at the right. */
export function BindPage({ flows, facets }: { flows: readonly FlowChoice[]; facets: DuFacets }) {
  const t = useTranslations("activity-flows");
  const errors = useTranslations("errors");
  const href = useHref();
  const client = useQueryClient();
  const { can } = useSession();
  const [chosen, setChosen] = useState<ReadonlyMap<number, DuRow>>(new Map());
  const [flowId, setFlowId] = useState<number | null>(flows.length === 1 ? (flows[0]?.flowId ?? null) : null);
  const [refused, setRefused] = useState<RefusedLine[]>([]);
  const [run, running] = useAction(bindDus);
  const all = useDuColumns();
  const columns = useMemo<Column<DuRow>[]>(
    () => all.filter((column) => ["code", "name", "siteName", "region", "deliveryType"].includes(column.key)),
    [all],
  );
  const flow = flows.find((one) => one.flowId === flowId);
  const mayBind = can("duFlow.bind");

  const bind = async () => {
    if (!flow) return;
    const answer = await run({ duIds: [...chosen.keys()], flowId: flow.flowId });
    const code = (id: number) => chosen.get(id)?.code ?? String(id);
    if (answer.status >= 400 || !answer.data) {
      const ids = [...chosen.keys()];
      const lines = (answer.problems ?? []).map((problem) => ({
        code: code(ids[Number(problem.path.split(".")[1])] ?? 0),
        text: problem.msg,
      }));
      setRefused(lines.length > 0 ? lines : [{ code: "", text: answer.msg ?? t("form.failed") }]);
    } else {
      setRefused(
        answer.data.refused.map((one) => ({
          code: code(one.duId),
          text: t(`refused.${one.code === "ALREADY_BOUND" ? one.code : "DU_NOT_FOUND"}`),
        })),
      );
      toast.done(t("bind.done", { count: answer.data.bound, flow: flow.name }));
      setChosen(new Map());
    }
    await Promise.all([refreshList(client, "duFlow/list"), refreshList(client, "flow/list")]);
  };

  return (
    <>
      <PageBar>
        <LinkButton href={href("unbindDus")}>{t("bind.toUnbind")}</LinkButton>
        {mayBind ? (
          <Button
            variant="filled"
            leftSection={<IconLink size={16} stroke={1.4} />}
            disabled={chosen.size === 0 || !flow}
            title={chosen.size === 0 ? errors("NO_SELECTION", { object: "du" }) : flow ? undefined : t("bind.chooseFlow")}
            loading={running}
            onClick={bind}
          >
            {t("bind.verb", { count: chosen.size })}
          </Button>
        ) : null}
      </PageBar>
      <div className={classes.body}>
        <DuChoice
          label={t("bind.left")}
          fixed={unbound}
          facets={facets}
          columns={columns}
          chosen={chosen}
          onChosen={setChosen}
          empty={
            <EmptyState
              icon={<IconMapPinPlus size={28} stroke={1} aria-hidden="true" />}
              title={t("bind.empty")}
              text={t("bind.emptyText")}
            >
              <LinkButton href={href("sites")}>{t("bind.toSites")}</LinkButton>
            </EmptyState>
          }
        />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached with the keyboard */}
        <aside className={classes.side} aria-label={t("bind.right")} tabIndex={0}>
          <RefusedList lines={refused} onClose={() => setRefused([])} />
          <FlowPreview flows={flows} flowId={flowId} onFlow={setFlowId} />
        </aside>
      </div>
    </>
  );
}
