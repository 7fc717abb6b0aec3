"use client";
import { Button, NumberInput } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { LinkButton } from "#components/ui/link-button.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { Tag } from "#components/ui/status-tag.tsx";
import { toast } from "#components/ui/toast.ts";
import { useUnsaved } from "#components/ui/unsaved.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useHref } from "#components/ui/use-href.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { formatNumber } from "#lib/core/format.ts";
import { saveShares } from "#lib/regions/actions.ts";
import { shareMax, wholeShare } from "#lib/regions/limits.ts";
import { equalShares, isShare, shareSum, sharesByCount } from "#lib/regions/logic.ts";
import { regionColor } from "./region-map.tsx";
import { regionTabs } from "./region-tabs.ts";
import classes from "./regions.module.css";
import { ShareDonut } from "./share-donut.tsx";
import { type ShareEdits, sharesOf, typeShares, withoutSent } from "./share-edits.ts";
import { type Regions, useRegions } from "./use-regions.ts";

const nothing: ShareEdits = new Map();

/** The share of the project's quantity each region in use carries; together 100.00. [REG-02] [REG-06] */
export function SharesPage({ first }: { first: Regions }) {
  const t = useTranslations("regions");
  const common = useTranslations("common");
  const { can } = useSession();
  const href = useHref();
  const [{ regions }, refresh] = useRegions(first);
  const active = regions.filter(({ status }) => status === "ACTIVE");
  const [edits, setEdits] = useState(nothing);
  const [problem, setProblem] = useState<string>();
  const [save, saving] = useAction(saveShares);
  const mayEdit = can("region.edit");
  const shares = sharesOf(active, edits);
  const numbers = shares.map(({ percentage }) => percentage);
  const edited = numbers.some((share, at) => share !== active[at]?.percentage);
  useUnsaved(edited);
  const sum = shareSum(numbers);
  const whole = sum === wholeShare;
  const unset = active.every(({ percentage }) => percentage === 0);
  const set = (next: (before: ShareEdits) => ShareEdits) => {
    setEdits(next);
    setProblem(undefined);
  };
  const setAll = (given: readonly number[]) => {
    const typed = active.map((region, at) => [region, given[at] ?? 0] as const);
    set((before) => typeShares(before, typed));
  };
  const submit = async () => {
    const answer = await save({ shares });
    if (answer.status >= 400) return setProblem(answer.problems?.[0]?.msg ?? answer.msg ?? answer.code);
    toast.done(common("saved"));
    await refresh();
    set((before) => withoutSent(before, shares));
  };
  return (
    <div className={classes.page}>
      <PageBar {...regionTabs(href, "regionShares", t)} edited={edited}>
        {mayEdit && active.length > 0 ? (
          <>
            <Button onClick={() => setAll(equalShares(active.length))}>{t("equal")}</Button>
            <Button onClick={() => setAll(sharesByCount(active.map(({ duCount }) => duCount)))}>{t("byCount")}</Button>
            <Button disabled={!edited} onClick={() => set(() => nothing)}>
              {common("reset")}
            </Button>
            <Button variant="filled" loading={saving} disabled={!edited} onClick={() => void submit()}>
              {common("save")}
            </Button>
          </>
        ) : null}
      </PageBar>
      {problem ? (
        <p className={classes.problem} role="alert">
          {problem}
        </p>
      ) : null}
      <ScrollRegion className={classes.main} label={t("sharesLabel")}>
        {active.length === 0 ? (
          <EmptyState title={t("empty")} text={t("sharesEmpty")}>
            <LinkButton href={href("regions")}>{t("tab.regions")}</LinkButton>
          </EmptyState>
        ) : (
          <div className={classes.shares}>
            <div className={classes.shareList}>
              {unset ? <p className={classes.hint}>{t("unset")}</p> : null}
              <table className={classes.table} aria-label={t("sharesLabel")}>
                <thead>
                  <tr>
                    <th scope="col">{t("name")}</th>
                    <th scope="col" data-align="right">
                      DU
                    </th>
                    <th scope="col" data-align="right">
                      {t("share")}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {active.map((region, at) => (
                    <tr key={region.id}>
                      <th scope="row">
                        <span className={classes.legend}>
                          <span className={classes.swatch} style={{ background: regionColor(at) }} />
                          {region.name}
                        </span>
                      </th>
                      <td data-align="right">{formatNumber(region.duCount)}</td>
                      <td data-align="right">
                        {mayEdit ? (
                          <NumberInput
                            size="xs"
                            w={96}
                            ml="auto"
                            aria-label={t("shareOf", { name: region.name })}
                            rightSection="%"
                            hideControls
                            decimalScale={2}
                            fixedDecimalScale
                            value={edits.get(region.id)?.share ?? region.percentage}
                            error={isShare(numbers[at] ?? 0) ? undefined : t("shareRange", { max: shareMax })}
                            onChange={(value) => set((before) => typeShares(before, [[region, value]]))}
                          />
                        ) : (
                          `${(numbers[at] ?? 0).toFixed(2)} %`
                        )}
                      </td>
                    </tr>
                  ))}
                </tbody>
                <tfoot>
                  <tr>
                    <th scope="row" colSpan={2}>
                      {t("sum")}
                    </th>
                    <td data-align="right" aria-live="polite">
                      <Tag tone={whole ? "ok" : "warn"}>{(sum / 100).toFixed(2)} %</Tag>
                      {whole ? null : <p className={classes.hint}>{t("difference", { value: ((wholeShare - sum) / 100).toFixed(2) })}</p>}
                    </td>
                  </tr>
                </tfoot>
              </table>
            </div>
            <ShareDonut label={t("donut")} parts={active.map(({ name }, at) => ({ name, value: Math.max(0, numbers[at] ?? 0) }))} />
          </div>
        )}
      </ScrollRegion>
    </div>
  );
}
