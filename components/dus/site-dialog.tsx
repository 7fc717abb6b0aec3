"use client";
import { Modal } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { useDelayed } from "#components/ui/use-delayed.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor } from "#lib/core/call-door.ts";
import type { SiteInfo } from "#lib/rollout-plan/queries.ts";
import classes from "./record-sheet.module.css";
import { SiteFacts } from "./site-facts.tsx";

type Props = {
  /** What the id names: the site, or one of its DUs. */
  of: "site" | "du";
  id: number;
  onClose: () => void;
};

/** The master data of a site over the page somebody works on. */
export function SiteDialog({ of, id, onClose }: Props) {
  const t = useTranslations("dus.sheet");
  const common = useTranslations("common");
  const project = useProjectNumber();
  const found = useQuery({
    queryKey: ["site info", project, of, id],
    queryFn: async ({ signal }) => dataOf(await callDoor<SiteInfo>(`site/info/${id}?of=${of}`, undefined, { method: "GET", signal })),
    staleTime: 0,
    retry: false,
  });
  const waiting = useDelayed(found.isPending);
  const { data, error } = found;
  return (
    <Modal opened onClose={onClose} title={data?.name ?? t("site")} size={560} closeButtonProps={{ "aria-label": common("close") }}>
      <div className={classes.popup} aria-busy={found.isFetching}>
        {data ? <SiteFacts site={data} /> : null}
        {waiting ? <p role="status">{common("loading")}</p> : null}
        {error && !data ? <ErrorPanel title={t("failed")} failed={error} onRetry={() => void found.refetch()} /> : null}
      </div>
    </Modal>
  );
}
