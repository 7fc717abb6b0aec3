"use client";
import { Button } from "@mantine/core";
import { IconCircleCheck, IconCircleDashed, IconCircleX, IconLoader, IconRefresh } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { Tag, type Tone } from "#components/ui/status-tag.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { retryCopy } from "#lib/activity-flows/copies/actions.ts";
import type { CopyProgress } from "#lib/activity-flows/copies/limits.ts";
import type { CopyItem } from "#lib/activity-flows/copies/queries.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { emptyText } from "#lib/core/format.ts";
import classes from "./copies.module.css";

/** Milliseconds between two looks at copies that run. */
export const copyPollMs = 2000;

const looks = {
  unprocessed: ["neutral", IconCircleDashed],
  processing: ["info", IconLoader],
  completed: ["ok", IconCircleCheck],
  failed: ["danger", IconCircleX],
} as const satisfies Record<CopyProgress, readonly [Tone, typeof IconLoader]>;
const isOpen = ({ progress }: CopyItem): boolean => progress === "unprocessed" || progress === "processing";

/** The targets of a copy: how far each is, whether it follows the flow of the source, and what hindered it. */
export function CopyItems({ copy, mayRetry }: { copy: number; mayRetry: boolean }) {
  const t = useTranslations("activity-flows.copies");
  const common = useTranslations("common");
  const form = useTranslations("activity-flows.form");
  const project = useProjectNumber();
  const [retry, retrying] = useAction(retryCopy);
  const list = useQuery({
    queryKey: ["copy-items", project, copy],
    queryFn: async ({ signal }) => dataOf(await callDoor<{ items: CopyItem[] }>(`copyAttribute/items/${copy}`, {}, { signal })).items,
    refetchInterval: ({ state }) => (state.data?.some(isOpen) ? copyPollMs : false),
    retry: false,
  });
  if (list.isError && !list.data) return <ErrorPanel title={t("itemsFailed")} failed={list.error} onRetry={() => list.refetch()} />;
  const items = list.data ?? [];
  const failed = items.filter(({ progress }) => progress === "failed").map(({ targetCode }) => targetCode);
  const again = async () => {
    const given = await retry({ jobId: copy, targetDuCodes: failed });
    if (given.status >= 400) toast.problem(given.msg ?? form("failed"));
    else toast.done(t("retried"));
    await list.refetch();
  };
  return (
    <ScrollRegion className={classes.scroll} label={t("targets")} busy={list.isFetching}>
      {mayRetry && failed.length > 0 ? (
        <Button m={8} leftSection={<IconRefresh size={16} stroke={1.4} />} loading={retrying} onClick={again}>
          {t("retry", { count: failed.length })}
        </Button>
      ) : null}
      <table className={classes.table} aria-label={t("targets")}>
        <thead>
          <tr>
            <th scope="col">{common("du")}</th>
            <th scope="col">{common("name")}</th>
            <th scope="col">{t("progressTitle")}</th>
            <th scope="col">{t("associationTitle")}</th>
            <th scope="col">{t("note")}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => {
            const [tone, Icon] = looks[item.progress];
            return (
              <tr key={item.targetCode}>
                <td>{item.targetCode}</td>
                <td>{item.name ?? emptyText}</td>
                <td>
                  <Tag tone={tone} icon={<Icon size={12} stroke={1.7} aria-hidden="true" />}>
                    {t(`progress.${item.progress}`)}
                  </Tag>
                </td>
                <td>{t(`association.${item.association}`)}</td>
                <td>{item.code === null ? emptyText : t(`code.${item.code}`, { detail: item.detail ?? "" })}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
