"use client";
import { IconAnchor, IconSitemap, IconSquareRotated } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { LinkButton } from "#components/ui/link-button.tsx";
import { useHref } from "#components/ui/use-href.ts";
import type { RelationType } from "#lib/activity-flows/graph/limits.ts";
import { predecessorsText } from "#lib/activity-flows/graph/logic.ts";
import classes from "./binding.module.css";

/** A released flow to choose, with its activities. */
export type FlowChoice = {
  flowId: number;
  name: string;
  version: number;
  nodes: { nodeId: number; name: string; leadTimeDays: number; isAnchor: boolean; isMilestone: boolean }[];
  relations: { pre: number; node: number; type: RelationType; offset: number }[];
};

/** The flow to choose and what it consists of. */
export function FlowPreview({
  flows,
  flowId,
  onFlow,
}: {
  flows: readonly FlowChoice[];
  flowId: number | null;
  onFlow: (id: number | null) => void;
}) {
  const t = useTranslations("activity-flows");
  const common = useTranslations("common");
  const href = useHref();
  const id = useId();
  const flow = flows.find((one) => one.flowId === flowId);
  const places = new Map(flow?.nodes.map((node, at) => [String(node.nodeId), at + 1]));
  const relations = flow?.relations.map((relation) => ({ ...relation, pre: String(relation.pre), node: String(relation.node) })) ?? [];
  if (flows.length === 0)
    return (
      <EmptyState icon={<IconSitemap size={28} stroke={1} aria-hidden="true" />} title={t("bind.noFlow")} text={t("bind.noFlowText")}>
        <LinkButton href={href("activityFlows")}>{t("editor.all")}</LinkButton>
      </EmptyState>
    );
  return (
    <section className={classes.preview}>
      <label className={classes.field} htmlFor={`${id}-flow`}>
        <span>{common("flow")}</span>
        <select
          id={`${id}-flow`}
          className={classes.select}
          value={flowId ?? ""}
          onChange={(event) => onFlow(event.currentTarget.value === "" ? null : Number(event.currentTarget.value))}
        >
          <option value="">{t("bind.chooseFlow")}</option>
          {flows.map((one) => (
            <option key={one.flowId} value={one.flowId}>
              {t("du.flow", { name: one.name, version: one.version })}
            </option>
          ))}
        </select>
      </label>
      {flow ? (
        <>
          <h2 className={classes.title}>{t("bind.preview", { count: flow.nodes.length })}</h2>
          <ol className={classes.nodes}>
            {flow.nodes.map((node, at) => (
              <li key={node.nodeId}>
                <span className={classes.place}>{at + 1}</span>
                <span className={classes.nodeName} title={node.name}>
                  {node.name}
                </span>
                {node.isAnchor ? <IconAnchor size={14} stroke={1.6} role="img" aria-label={t("flag.isAnchor")} /> : null}
                {node.isMilestone ? <IconSquareRotated size={14} stroke={1.6} role="img" aria-label={t("flag.isMilestone")} /> : null}
                <span className={classes.before}>{predecessorsText(String(node.nodeId), relations, places)}</span>
                <span className={classes.days}>{t("diagram.days", { days: node.leadTimeDays })}</span>
              </li>
            ))}
          </ol>
        </>
      ) : (
        <p className={classes.hint}>{t("bind.hint")}</p>
      )}
    </section>
  );
}
