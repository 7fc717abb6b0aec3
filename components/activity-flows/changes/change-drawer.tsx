"use client";
import { Button, Drawer } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf, refreshList } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { changeCode } from "#lib/activity-flows/approvers/logic.ts";
import { sumImpacts } from "#lib/activity-flows/changes/logic.ts";
import { keptKinds } from "#lib/activity-flows/retention-mappings/limits.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { emptyText, formatMinute } from "#lib/core/format.ts";
import { type ChangeDetail, changesAddress } from "./change-data.ts";
import { ChangeStatusTag } from "./change-status.tsx";
import classes from "./changes.module.css";
import { DecideDialog, type Verb } from "./decide-dialog.tsx";
import { ImpactFigures } from "./impact-figures.tsx";

/** One change beside the list: what it is about, what it deletes and keeps, its DUs, its history, and what the reader may do with it. */
export function ChangeDrawer({ id, onClose }: { id: number | null; onClose: () => void }) {
  const t = useTranslations("flow-changes");
  const common = useTranslations("common");
  const [verb, setVerb] = useState<Verb | null>(null);
  return (
    <Drawer
      opened={id !== null}
      onClose={onClose}
      // Escape in the dialog of a verb is the dialog's alone.
      closeOnEscape={verb === null}
      position="right"
      size={640}
      title={t("detail.title")}
      closeButtonProps={{ "aria-label": common("close") }}
    >
      {id === null ? null : <Body id={id} verb={verb} onVerb={setVerb} />}
    </Drawer>
  );
}

function Body({ id, verb, onVerb }: { id: number; verb: Verb | null; onVerb: (verb: Verb | null) => void }) {
  const t = useTranslations("flow-changes");
  const common = useTranslations("common");
  const project = useProjectNumber();
  const client = useQueryClient();
  const found = useQuery({
    queryKey: ["du-change", project, id],
    queryFn: async ({ signal }) => dataOf(await callDoor<ChangeDetail>(`duChange/find/${id}`, {}, { signal })),
    retry: false,
  });
  const change = found.data;
  if (found.isError && !change) return <ErrorPanel title={t("detail.failed")} failed={found.error} onRetry={() => found.refetch()} />;
  if (!change) return <p className={classes.help}>{common("loading")}</p>;
  const verbs: Verb[] = [
    ...(change.mayDecide ? (["approve", "reject"] as const) : []),
    ...(change.mayTransfer ? (["transfer"] as const) : []),
    ...(change.mayWithdraw ? (["withdraw"] as const) : []),
  ];
  return (
    <section className={classes.detail} aria-label={changeCode(change.number)}>
      <div className={classes.head}>
        <h2>{changeCode(change.number)}</h2>
        <ChangeStatusTag status={change.status} />
        <span className={classes.quiet}>{t(`kinds.${change.kind}`)}</span>
      </div>
      <Facts change={change} />
      <ImpactFigures impact={sumImpacts(change.items.map((item) => item.impact))} />
      {verbs.length > 0 ? (
        <div className={classes.verbs}>
          {verbs.map((one) => (
            <Button key={one} variant={one === "approve" ? "filled" : "default"} onClick={() => onVerb(one)}>
              {t(`button.${one}`)}
            </Button>
          ))}
        </div>
      ) : null}
      <Items change={change} />
      {change.pairs.length > 0 ? <Pairs change={change} /> : null}
      <History change={change} />
      <DecideDialog
        {...(verb === null
          ? { verb: null }
          : {
              verb,
              rows: [change],
              onClose: (done: boolean) => {
                onVerb(null);
                if (!done) return;
                void found.refetch();
                void refreshList(client, changesAddress);
              },
            })}
      />
    </section>
  );
}

function Facts({ change }: { change: ChangeDetail }) {
  const t = useTranslations("flow-changes");
  const { offset } = useSession();
  const asked = change.tlApproverName
    ? t("detail.first", { name: change.approverName ?? "", first: change.tlApproverName, given: change.tlApprovedAt ? "yes" : "no" })
    : (change.approverName ?? t("detail.noApproval"));
  const facts: [string, string][] = [
    [t("column.reason"), change.reason],
    [t("column.submitter"), `${change.submitterName} · ${formatMinute(change.submittedAt, offset)}`],
    [t("column.approver"), asked],
    [t("column.mapping"), change.mappingName ?? t("detail.noMapping")],
    [t("column.version"), change.version?.code ?? emptyText],
  ];
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Items({ change }: { change: ChangeDetail }) {
  const t = useTranslations("flow-changes");
  const errors = useTranslations("errors");
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached with the keyboard
    <section className={classes.scroll} aria-label={t("detail.dus")} tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t("column.dus")}</th>
            <th scope="col">{t("column.flows")}</th>
            <th scope="col">{t("column.result")}</th>
          </tr>
        </thead>
        <tbody>
          {change.items.map((item) => (
            <tr key={item.duId}>
              <td>
                {item.code} · {item.name}
              </td>
              <td>{item.newFlow === null ? t("detail.unbind", { flow: item.oldFlow }) : `${item.oldFlow} → ${item.newFlow}`}</td>
              <td>
                {t(`result.${item.result === "refused" && item.refusal === null ? "free" : item.result}`)}
                {item.refusal ? <p className={classes.quiet}>{errors(item.refusal)}</p> : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Pairs({ change }: { change: ChangeDetail }) {
  const t = useTranslations("flow-changes");
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached with the keyboard
    <section className={classes.scroll} aria-label={t("pairs.label")} tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t("pairs.from")}</th>
            <th scope="col">{t("pairs.kept")}</th>
            <th scope="col">{t("pairs.to")}</th>
          </tr>
        </thead>
        <tbody>
          {change.pairs.map((pair) => (
            <tr key={pair.toActivityId}>
              <td>{pair.fromName}</td>
              <td>
                {keptKinds
                  .filter((kind) => pair[kind])
                  .map((kind) => t(`kind.${kind}`))
                  .join(", ") || t("pairs.nothing")}
              </td>
              <td>{pair.toName}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function History({ change }: { change: ChangeDetail }) {
  const t = useTranslations("flow-changes");
  const { offset } = useSession();
  return (
    <ol className={classes.steps} aria-label={t("detail.history")}>
      {change.events.map((step, at) => (
        <li key={at}>
          <p>
            {t(`event.${step.event}`)}
            {step.toName ? ` → ${step.toName}` : ""}
          </p>
          <p className={classes.quiet}>
            {formatMinute(step.at, offset)} · {step.actorName}
          </p>
          {step.comment && step.event !== "submit" ? <p className={classes.comment}>{step.comment}</p> : null}
        </li>
      ))}
    </ol>
  );
}
