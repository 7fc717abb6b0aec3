"use client";
import { Button } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { Confirm } from "#components/ui/confirm.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { toast } from "#components/ui/toast.ts";
import { useUnsaved } from "#components/ui/unsaved.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useHref, useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf, refreshList } from "#components/ui/use-list.ts";
import { changeCode } from "#lib/activity-flows/approvers/logic.ts";
import { submitDuChange } from "#lib/activity-flows/changes/actions.ts";
import type { ChangeKind } from "#lib/activity-flows/changes/limits.ts";
import { callDoor } from "#lib/core/call-door.ts";
import type { DuFacets } from "../du-choice.tsx";
import type { DuRow } from "../flow-data.ts";
import type { FlowChoice } from "../flow-preview.tsx";
import { type ChangeCheck, type ChangeFlow, changesAddress, type MappingRow } from "./change-data.ts";
import classes from "./changes.module.css";
import { DusStep } from "./dus-step.tsx";
import { ImpactStep } from "./impact-step.tsx";
import { PeopleStep } from "./people-step.tsx";

const steps = ["dus", "impact", "people"] as const;
type Step = (typeof steps)[number];

/** What is being put together; it stays while one goes back and forth between the steps and after a refusal. */
export type Draft = {
  kind: ChangeKind;
  chosen: ReadonlyMap<number, DuRow>;
  newFlowId: number | null;
  /** undefined until chosen: the default of the two flows. */
  mappingId: number | null | undefined;
  reason: string;
  approverId: number | null;
  tlApproverId: number | null;
};

type Props = {
  flows: readonly (ChangeFlow & FlowChoice)[];
  facets: DuFacets;
  deliveryType: string | null;
  maySubmit: boolean;
};

/** A change of the flow of DUs in three steps: which DUs get which flow, what that deletes and keeps, why and who approves. */
export function NewChangePage({ flows, facets, deliveryType, maySubmit }: Props) {
  const t = useTranslations("flow-changes");
  const common = useTranslations("common");
  const href = useHref();
  const router = useRouter();
  const client = useQueryClient();
  const project = useProjectNumber();
  const [step, setStep] = useState<Step>("dus");
  const [draft, setDraft] = useState<Draft>({
    kind: "change",
    chosen: new Map(),
    newFlowId: null,
    mappingId: undefined,
    reason: "",
    approverId: null,
    tlApproverId: null,
  });
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [asking, setAsking] = useState(false);
  const [sent, setSent] = useState(false);
  const [submit, submitting] = useAction(submitDuChange);
  useUnsaved(!sent && (draft.chosen.size > 0 || draft.reason !== ""));
  const put = (change: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...change }));
    setProblems({});
  };

  const oldFlowIds = [...new Set([...draft.chosen.values()].map((row) => row.flowId))];
  const oldFlow = oldFlowIds.length === 1 ? flows.find(({ flowId }) => flowId === oldFlowIds[0]) : undefined;
  const newFlow = draft.kind === "change" ? flows.find(({ flowId }) => flowId === draft.newFlowId) : undefined;
  const mappings = useQuery({
    queryKey: ["retention-mappings", project, oldFlow?.flowId ?? null, newFlow?.flowId ?? null],
    enabled: step !== "dus" && oldFlow !== undefined && newFlow !== undefined,
    queryFn: async ({ signal }) =>
      dataOf(
        await callDoor<{ records: MappingRow[] }>(
          "retentionMapping/list",
          { fromFlowId: oldFlow!.flowId, toFlowId: newFlow!.flowId },
          { signal },
        ),
      ).records,
  });
  const offered = oldFlow && newFlow ? (mappings.data ?? []) : [];
  // Without them, what the default mapping keeps would be deleted.
  const mappingsKnown = !(oldFlow && newFlow) || mappings.data !== undefined;
  const mapping =
    draft.mappingId === undefined ? offered.find(({ isDefault }) => isDefault) : offered.find(({ id }) => id === draft.mappingId);
  const input = useMemo(
    () => ({
      kind: draft.kind,
      items: [...draft.chosen.keys()].map((duId) => ({ duId, ...(draft.kind === "change" && { newFlowId: draft.newFlowId }) })),
      ...(mapping && { mappingId: mapping.id }),
    }),
    [draft.kind, draft.chosen, draft.newFlowId, mapping],
  );
  const check = useQuery({
    queryKey: ["du-change-check", project, input],
    enabled: step !== "dus" && maySubmit && draft.chosen.size > 0 && mappingsKnown,
    queryFn: async ({ signal }) => dataOf(await callDoor<ChangeCheck>("duChange/check", input, { signal, cancelKey: "du-change-check" })),
    placeholderData: (before) => before,
  });
  const refused = check.data?.dus.filter((du) => du.problems.length > 0) ?? [];
  const asks = check.data?.needsApproval ?? false;
  const ready = draft.chosen.size > 0 && (draft.kind === "unbind" || newFlow !== undefined);
  const checked = mappingsKnown && check.data !== undefined && !check.isFetching && refused.length === 0;
  const at = steps.indexOf(step);

  const send = async () => {
    const answer = await submit({
      ...input,
      reason: draft.reason,
      ...(asks && { approverId: draft.approverId, ...(draft.tlApproverId && { tlApproverId: draft.tlApproverId }) }),
    });
    if (answer.status >= 400 || !answer.data) {
      const texts: Record<string, string> = {};
      for (const problem of answer.problems ?? []) texts[problem.path.split(".")[0] ?? ""] ??= problem.msg;
      setProblems(Object.keys(texts).length > 0 ? texts : { "": answer.msg ?? t("failed") });
      // What the guards say of the DUs now stands in the second step, as does whether approval is needed.
      await check.refetch();
      return;
    }
    setSent(true);
    const code = changeCode(answer.data.number);
    toast.done(answer.data.status === "approving" ? t("submitted", { code }) : t("carriedOut", { code, count: answer.data.done }));
    await Promise.all([refreshList(client, changesAddress), refreshList(client, "duFlow/list"), refreshList(client, "flow/list")]);
    router.push(href("duChanges", { query: { change: answer.data.id, ...(deliveryType && { deliveryType }) } }));
  };

  return (
    <>
      <PageBar edited={draft.chosen.size > 0}>
        {at > 0 ? <Button onClick={() => setStep(steps[at - 1]!)}>{common("back")}</Button> : null}
        {step === "people" ? (
          <Button
            variant="filled"
            loading={submitting}
            disabled={!maySubmit || !checked || draft.reason.trim() === "" || (asks && draft.approverId === null)}
            onClick={() => (asks ? void send() : setAsking(true))}
          >
            {t(asks ? "submitVerb" : `nowVerb.${draft.kind}`, { count: draft.chosen.size })}
          </Button>
        ) : (
          <Button variant="filled" disabled={!maySubmit || (step === "dus" ? !ready : !checked)} onClick={() => setStep(steps[at + 1]!)}>
            {common("next")}
          </Button>
        )}
      </PageBar>
      <ol className={classes.stepper} aria-label={t("steps.label")}>
        {steps.map((one, index) => (
          <li key={one}>
            <button type="button" aria-current={one === step ? "step" : undefined} disabled={index > at} onClick={() => setStep(one)}>
              <span className={classes.place}>{index < at ? <IconCheck size={12} stroke={1.7} aria-hidden="true" /> : index + 1}</span>
              {t(`steps.${one}`)}
            </button>
          </li>
        ))}
      </ol>
      {step === "dus" ? (
        <DusStep draft={draft} flows={flows} facets={facets} deliveryType={deliveryType} maySubmit={maySubmit} onChange={put} />
      ) : null}
      {step === "impact" && !mappingsKnown && mappings.isError ? (
        <ErrorPanel title={t("mappings.failed")} failed={mappings.error} onRetry={() => mappings.refetch()} />
      ) : step === "impact" && !mappingsKnown ? (
        <div className={classes.page} aria-busy="true">
          <p className={classes.help}>{t("check.running")}</p>
        </div>
      ) : step === "impact" ? (
        <ImpactStep
          draft={draft}
          check={check}
          mappings={offered}
          mapping={mapping ?? null}
          oldFlow={oldFlow ?? null}
          newFlow={newFlow ?? null}
          onChange={put}
        />
      ) : null}
      {step === "people" && check.isError && !check.data ? (
        <ErrorPanel title={t("check.failed")} failed={check.error} onRetry={() => check.refetch()} />
      ) : step === "people" ? (
        <PeopleStep draft={draft} check={check.data ?? null} problems={problems} onChange={put} />
      ) : null}
      <Confirm
        opened={asking}
        danger
        verb={t(`nowVerb.${draft.kind}`, { count: draft.chosen.size })}
        onConfirm={send}
        onClose={() => setAsking(false)}
      >
        {t("nowText")}
      </Confirm>
    </>
  );
}
