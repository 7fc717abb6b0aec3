"use client";
import { Button, Modal } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { PagedRows } from "#components/ui/paged-rows.tsx";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { previewDusMax, unmatchedReasons } from "#lib/activity-flows/rule-runs/limits.ts";
import type { Preview } from "#lib/activity-flows/rule-runs/queries.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { formatNumber } from "#lib/core/format.ts";
import classes from "./rules.module.css";

const startRows = 20;

/** What rules would do now: counts, the DUs of each rule, and what would stay unbound. */
export function PreviewResult({ preview }: { preview: Preview }) {
  const t = useTranslations("flow-rules");
  const bound = preview.rules.reduce((sum, rule) => sum + rule.bound, 0);
  const dus = preview.rules.flatMap((rule) => rule.dus.map((du) => ({ ...du, rule: rule.name })));
  const left = unmatchedReasons.reduce((sum, reason) => sum + preview.unmatched[reason], 0);
  const tiles = [
    ["scope", preview.scope],
    ["bound", bound],
    ["others", preview.others],
    ["unmatched", left],
  ] as const;
  return (
    <section className={classes.preview} aria-label={t("preview.title")} aria-live="polite">
      <dl className={classes.tiles}>
        {tiles.map(([key, value]) => (
          <div key={key}>
            <dt>{t(`preview.${key}`)}</dt>
            <dd>{formatNumber(value)}</dd>
          </div>
        ))}
      </dl>
      {preview.rules.some(({ faulty }) => faulty) ? (
        <p className={classes.problem} role="alert">
          {t("preview.faulty", { names: preview.rules.flatMap(({ faulty, name }) => (faulty ? [name] : [])).join(", ") })}
        </p>
      ) : null}
      {left > 0 ? (
        <p className={classes.help}>
          {unmatchedReasons
            .filter((reason) => preview.unmatched[reason] > 0)
            .map((reason) => `${t(`reason.${reason}`)}: ${formatNumber(preview.unmatched[reason])}`)
            .join(" · ")}
        </p>
      ) : null}
      {dus.length > 0 ? (
        <PagedRows rows={dus} startSize={startRows} label={t("preview.dus")} className={classes.previewRows}>
          {(page) => (
            <table className={classes.table}>
              <thead>
                <tr>
                  <th scope="col">{t("column.du")}</th>
                  <th scope="col">{t("column.name")}</th>
                  <th scope="col">{t("column.region")}</th>
                  <th scope="col">{t("column.rule")}</th>
                </tr>
              </thead>
              <tbody>
                {page.map((du) => (
                  <tr key={du.id}>
                    <td>{du.code}</td>
                    <td>{du.name}</td>
                    <td>{du.region ?? "-"}</td>
                    <td>{du.rule}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </PagedRows>
      ) : null}
      {preview.rules.some((rule) => rule.bound > previewDusMax) ? (
        <p className={classes.help}>{t("preview.first", { max: previewDusMax })}</p>
      ) : null}
    </section>
  );
}

type Props = {
  ids: readonly number[];
  /** What is done once the counts were seen; null for looking only. */
  verb: string | null;
  onConfirm: () => Promise<string | null>;
  onClose: () => void;
};

/** The dry run of chosen rules, and with a verb what follows from it. */
export function PreviewDialog({ ids, verb, onConfirm, onClose }: Props) {
  const t = useTranslations("flow-rules");
  const common = useTranslations("common");
  const project = useProjectNumber();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const found = useQuery({
    queryKey: ["flow-rules-preview", project, ids],
    queryFn: async ({ signal }) => dataOf(await callDoor<Preview>("duFlowRule/preview", { ids }, { signal })),
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  const confirm = async () => {
    setBusy(true);
    const told = await onConfirm();
    setBusy(false);
    if (told === null) onClose();
    else setProblem(told);
  };
  return (
    <Modal opened onClose={onClose} title={verb ?? t("preview.title")} size={760} closeButtonProps={{ "aria-label": common("close") }}>
      {found.isError ? <ErrorPanel title={t("preview.failed")} failed={found.error} onRetry={() => found.refetch()} /> : null}
      {found.isPending ? (
        <p className={classes.help} role="status">
          {common("loading")}
        </p>
      ) : null}
      {found.data ? <PreviewResult preview={found.data} /> : null}
      {problem ? (
        <p className={classes.problem} role="alert">
          {problem}
        </p>
      ) : null}
      <div className={classes.foot}>
        <Button data-autofocus onClick={onClose}>
          {verb ? common("cancel") : common("close")}
        </Button>
        {verb ? (
          <Button variant="filled" loading={busy} disabled={!found.data} onClick={confirm}>
            {verb}
          </Button>
        ) : null}
      </div>
    </Modal>
  );
}
