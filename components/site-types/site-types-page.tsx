"use client";
import { Button } from "@mantine/core";
import { IconCategory, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { Confirm } from "#components/ui/confirm.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { toast } from "#components/ui/toast.ts";
import { useHref, useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { siteTypesMax } from "#lib/resources/site-types/limits.ts";
import type { SiteDimension, SiteType } from "#lib/resources/site-types/queries.ts";
import { DimensionsDialog } from "./dimensions-dialog.tsx";
import classes from "./site-types.module.css";
import { TypeDialog } from "./type-dialog.tsx";

/** The project's mix of sites: types with their parts by dimension; the third tab of DUs and sites. [RES-08] */
export function SiteTypesPage() {
  const t = useTranslations("site-types");
  const dus = useTranslations("dus.tabs");
  const common = useTranslations("common");
  const { can } = useSession();
  const href = useHref();
  const project = useProjectNumber();
  const found = useQuery({
    queryKey: ["siteType/find", project],
    queryFn: async ({ signal }) =>
      dataOf(await callDoor<{ dimensions: SiteDimension[]; types: SiteType[] }>("siteType/find", {}, { signal })),
    retry: false,
  });
  const [open, setOpen] = useState<SiteType | "new" | "dimensions" | null>(null);
  const [asked, setAsked] = useState<SiteType | null>(null);
  const mayEdit = can("resource.edit");
  const { dimensions = [], types = [] } = found.data ?? {};
  const done = () => {
    setOpen(null);
    void found.refetch();
  };
  const remove = async ({ id }: SiteType) => {
    const answer = await callDoor("siteType/delete", { ids: [id] });
    if (answer.status >= 400) toast.problem(answer.msg ?? common("failed"));
    await found.refetch();
  };
  const tabs = [
    { key: "dus", label: dus("dus"), href: href("sites") },
    { key: "sites", label: dus("sites"), href: href("sites", { query: { tab: "sites" } }) },
    { key: "types", label: dus("types"), href: href("sites", { query: { tab: "types" } }) },
  ];
  const add = (filled: boolean): ReactNode =>
    mayEdit ? (
      <Button
        {...(filled && { variant: "filled", leftSection: <IconPlus size={14} stroke={1.7} /> })}
        disabled={!found.data || types.length >= siteTypesMax}
        onClick={() => setOpen("new")}
      >
        {t("new")}
      </Button>
    ) : null;
  return (
    <>
      <PageBar tabs={tabs} tab="types">
        {mayEdit ? (
          <Button disabled={!found.data} onClick={() => setOpen("dimensions")}>
            {t("dimensions.verb")}
          </Button>
        ) : null}
        {add(true)}
      </PageBar>
      {found.isError ? (
        <ErrorPanel title={t("failed")} failed={found.error} onRetry={() => found.refetch()} />
      ) : found.isSuccess && types.length === 0 ? (
        <EmptyState icon={<IconCategory size={28} stroke={1} aria-hidden="true" />} title={t("empty")} text={t("emptyText")}>
          {add(false)}
        </EmptyState>
      ) : (
        <ScrollRegion label={t("label")} className={classes.scroll} busy={found.isFetching}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">{common("name")}</th>
                {dimensions.map(({ id, name }) => (
                  <th key={id} scope="col">
                    {name}
                  </th>
                ))}
                <th scope="col">
                  <span className="visually-hidden">{t("verbs")}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {types.map((type) => (
                <tr key={type.id}>
                  <th scope="row">{type.name}</th>
                  {dimensions.map(({ id }) => (
                    <td key={id}>
                      {type.subs
                        .filter(({ dimensionId }) => dimensionId === id)
                        .map(({ name, percentage }) => `${name} ${percentage.toFixed(2)} %`)
                        .join(", ")}
                    </td>
                  ))}
                  <td>
                    {mayEdit ? (
                      <div className={classes.verbs}>
                        <Button size="xs" aria-label={t("editOf", { name: type.name })} onClick={() => setOpen(type)}>
                          {common("edit")}
                        </Button>
                        <Button
                          size="xs"
                          variant="subtle"
                          color="gray"
                          aria-label={t("deleteOf", { name: type.name })}
                          onClick={() => setAsked(type)}
                        >
                          {common("delete")}
                        </Button>
                      </div>
                    ) : null}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
      {open === "dimensions" ? <DimensionsDialog dimensions={dimensions} onSaved={done} onClose={() => setOpen(null)} /> : null}
      {open && open !== "dimensions" ? (
        <TypeDialog type={open === "new" ? null : open} dimensions={dimensions} onSaved={done} onClose={() => setOpen(null)} />
      ) : null}
      {asked ? (
        <Confirm opened danger verb={common("delete")} onConfirm={() => remove(asked)} onClose={() => setAsked(null)}>
          {asked.name}
        </Confirm>
      ) : null}
    </>
  );
}
