"use client";
import { Button } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { formatNumber } from "#lib/core/format.ts";
import type { View } from "#lib/dimension-views/counts/queries.ts";
import type { Tab } from "#lib/dimension-views/queries.ts";
import { ViewTable } from "./view-table.tsx";
import classes from "./views.module.css";

/** The first rows of a tab as it is being edited. */
export function TabPreview({ tab }: { tab: Pick<Tab, "dimension" | "activityIds" | "showRate" | "showAmount"> }) {
  const t = useTranslations("dimension-views.editor");
  const common = useTranslations("common");
  const project = useProjectNumber();
  const { dimension, activityIds } = tab;
  const enabled = dimension !== "" && activityIds.length > 0;
  const found = useQuery({
    queryKey: ["dimension preview", project, dimension, activityIds],
    queryFn: async ({ signal }) => dataOf(await callDoor<View>("multiDim/preview", { dimension, activityIds }, { signal })),
    enabled,
    placeholderData: keepPreviousData,
    retry: false,
  });
  return (
    <section className={classes.preview} aria-label={t("preview")}>
      {enabled && found.data ? (
        <>
          <ViewTable tab={tab} view={found.data} busy={found.isFetching} />
          {found.data.count > found.data.rows.length ? (
            <p>{t("more", { count: formatNumber(found.data.count - found.data.rows.length) })}</p>
          ) : null}
        </>
      ) : enabled && found.isError ? (
        <p role="alert">
          {found.error.message}{" "}
          <Button variant="subtle" size="compact-xs" onClick={() => found.refetch()}>
            {common("retry")}
          </Button>
        </p>
      ) : (
        <p aria-busy={enabled}>{enabled ? "\u00a0" : t("previewHint")}</p>
      )}
    </section>
  );
}
