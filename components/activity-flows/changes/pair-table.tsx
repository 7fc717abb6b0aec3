"use client";
import { IconArrowRight } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { keptKinds } from "#lib/activity-flows/retention-mappings/limits.ts";
import type { ChangeFlow, MappingPair } from "./change-data.ts";
import classes from "./changes.module.css";

/** The old flow beside the new one: what each activity of the new flow takes over, what of the old one goes, and what begins empty. */
export function PairTable({ from, to, pairs }: { from: ChangeFlow; to: ChangeFlow | null; pairs: readonly MappingPair[] }) {
  const t = useTranslations("flow-changes");
  const names = new Map([...from.nodes, ...(to?.nodes ?? [])].map((node) => [node.activityId, node.name]));
  const taken = new Map(pairs.map((pair) => [pair.toActivityId, pair]));
  const left = from.nodes.filter(({ activityId }) => !pairs.some((pair) => pair.fromActivityId === activityId));
  const kinds = (pair: MappingPair) =>
    keptKinds
      .filter((kind) => pair[kind])
      .map((kind) => t(`kind.${kind}`))
      .join(", ") || t("pairs.nothing");
  return (
    <table className={classes.table}>
      <caption className={classes.caption}>{t("pairs.label")}</caption>
      <thead>
        <tr>
          <th scope="col">{t("pairs.old", { name: from.name })}</th>
          <th scope="col">{t("pairs.kept")}</th>
          <th scope="col">{to ? t("pairs.new", { name: to.name }) : t("pairs.none")}</th>
        </tr>
      </thead>
      <tbody>
        {to?.nodes.map((node) => {
          const pair = node.activityId === null ? undefined : taken.get(node.activityId);
          return (
            <tr key={node.nodeId}>
              <td>{pair ? names.get(pair.fromActivityId) : <span className={classes.quiet}>-</span>}</td>
              <td>
                {pair ? (
                  <span className={classes.kinds}>
                    {kinds(pair)}
                    <IconArrowRight size={14} stroke={1.4} aria-hidden="true" />
                  </span>
                ) : (
                  <span className={classes.quiet}>{t("pairs.empty")}</span>
                )}
              </td>
              <td>{node.name}</td>
            </tr>
          );
        })}
        {left.map((node) => (
          <tr key={node.nodeId} data-lost>
            <td>{node.name}</td>
            <td>{t("pairs.deleted")}</td>
            <td>
              <span className={classes.quiet}>-</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
