"use client";
import { Button, MultiSelect, Select, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { Confirm } from "#components/ui/confirm.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { withQuestions } from "#components/ui/questions.ts";
import { MarkGlyph } from "#components/ui/status-glyph.tsx";
import { TableFoot } from "#components/ui/table-foot.tsx";
import { toast } from "#components/ui/toast.ts";
import { useUnsaved } from "#components/ui/unsaved.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useSearchText } from "#components/ui/use-search-text.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { searchCondition } from "#lib/activity-flows/binding/logic.ts";
import { callDoor } from "#lib/core/call-door.ts";
import type { Page } from "#lib/core/paging.ts";
import { saveNetworkPairs } from "#lib/rollout-plan/two-networks/actions.ts";
import { jointActivitiesMax, pairsPerPage } from "#lib/rollout-plan/two-networks/limits.ts";
import type { NetworkHead, NetworkPair } from "#lib/rollout-plan/two-networks/queries.ts";
import classes from "./networks.module.css";
import { type Joint, jointKey, NetworksTable } from "./networks-table.tsx";

/** Activities shown until others are chosen. */
const shownAtFirst = 3;
const pairsAddress = "specialRolloutPlan/find";

/** Sites that hold DUs of two product lines: plan dates of both and one joint date per activity, saved for both DUs or for none. [RPL-07] */
export function NetworksPage({ lines }: { lines: string[] }) {
  const t = useTranslations("two-networks");
  const common = useTranslations("common");
  const discard = useTranslations("ui.discard");
  const project = useProjectNumber();
  const client = useQueryClient();
  const { can } = useSession();
  const mayEdit = can("specialPlan.edit");
  const [typeA, setTypeA] = useState<string | null>(lines[0] ?? null);
  const [typeB, setTypeB] = useState<string | null>(lines[1] ?? null);
  const [chosen, setChosen] = useState<string[] | null>(null);
  const [text, setText] = useState("");
  const [typed] = useDebouncedValue(text, 250);
  const search = useMemo(() => searchCondition(typed), [typed]);
  const [page, setPage] = useState(1);
  const { take, onPaste } = useSearchText((next) => {
    setText(next);
    setPage(1);
  });
  const [size, setSize] = useState(20);
  const [joints, setJoints] = useState<ReadonlyMap<string, Joint>>(new Map());
  const [faults, setFaults] = useState<ReadonlyMap<string, string>>(new Map());
  const [problem, setProblem] = useState<string>();
  const [undo, setUndo] = useState<number | null>(null);
  const [asked, setAsked] = useState<(() => void) | null>(null);
  const [save, saving] = useAction(saveNetworkPairs);
  useUnsaved(joints.size > 0);
  const ready = typeA !== null && typeB !== null && typeA !== typeB;
  const head = useQuery({
    queryKey: ["network-head", project, typeA, typeB],
    queryFn: async ({ signal }) => dataOf(await callDoor<NetworkHead>("specialRolloutPlan/head", { typeA, typeB }, { signal })),
    enabled: ready,
    retry: false,
  });
  const columns = head.data?.columns ?? [];
  const activityIds = chosen?.map(Number) ?? columns.slice(0, shownAtFirst).map(({ activityId }) => activityId);
  const shown = columns.filter(({ activityId }) => activityIds.includes(activityId));
  const filters = search ? [search] : [];
  const pairs = useQuery({
    queryKey: ["network-pairs", project, typeA, typeB, activityIds, search, page, size],
    queryFn: async ({ signal }) =>
      dataOf(await callDoor<Page<NetworkPair>>(pairsAddress, { typeA, typeB, activityIds, filters, page, size }, { signal })),
    enabled: ready && shown.length > 0,
    // Pairs of other lines are no rows below the names of these.
    placeholderData: (before, query) => (query?.queryKey[2] === typeA && query?.queryKey[3] === typeB ? before : undefined),
    retry: false,
  });
  const choose = (set: (value: string | null) => void) => (value: string | null) => {
    const run = () => {
      set(value);
      setChosen(null);
      setJoints(new Map());
      setFaults(new Map());
      setProblem(undefined);
      setPage(1);
    };
    if (joints.size > 0) setAsked(() => run);
    else run();
  };
  const change = (joint: Joint, before: string | null) => {
    const key = jointKey(joint);
    setJoints((given) => {
      const next = new Map(given);
      if (joint.jointDate === before) next.delete(key);
      else next.set(key, joint);
      return next;
    });
    setFaults((given) => new Map([...given].filter(([place]) => place !== key)));
    setProblem(undefined);
  };
  const refresh = () => client.invalidateQueries({ queryKey: ["network-pairs", project] });
  const submit = async () => {
    const rows = [...joints.values()];
    const answer = await withQuestions((confirmed) => save({ rows, confirmed }));
    if (!answer.data) {
      // What is wrong with one date stands at it, the rest above the table.
      const own = (answer.problems ?? []).flatMap(({ path, msg }) => {
        const row = rows[Number(/^rows\.(\d+)\./.exec(path)?.[1])];
        return row ? [[jointKey(row), msg] as const] : [];
      });
      setFaults(new Map(own));
      return setProblem(own.length > 0 ? undefined : (answer.problems?.[0]?.msg ?? answer.msg ?? t("failed")));
    }
    const { saved, rejected, batchId } = answer.data;
    setProblem(undefined);
    setFaults(new Map(rejected.map((row) => [jointKey(row), row.msg])));
    const refused = new Set(rejected.map(jointKey));
    setJoints((given) =>
      withoutSaved(
        given,
        rows.filter((row) => !refused.has(jointKey(row))),
      ),
    );
    setUndo(batchId);
    toast.done(t("saved", { saved, rejected: rejected.length }));
    await refresh();
  };
  const takeBack = async () => {
    const answer = await withQuestions((confirmed) => callDoor<{ saved: number }>("rolloutPlan/undo", { batchId: undo, confirmed }));
    setUndo(null);
    if (!answer.data) return toast.problem(answer.msg ?? t("failed"));
    toast.done(t("undone", { count: answer.data.saved }));
    await refresh();
  };
  const clear = { clearable: true, clearButtonProps: { "aria-label": common("clear") } };
  const total = shown.length > 0 ? (pairs.data?.total ?? 0) : 0;
  const body = () => {
    if (lines.length < 2) return <EmptyState title={t("noLines")} text={t("noLinesText")} />;
    if (!ready) return <EmptyState title={t("chooseLines")} />;
    if (head.isError && !head.data) return <ErrorPanel title={t("activitiesFailed")} failed={head.error} onRetry={() => head.refetch()} />;
    if (pairs.isError && !pairs.data) return <ErrorPanel title={t("pairsFailed")} failed={pairs.error} onRetry={() => pairs.refetch()} />;
    if (head.isSuccess && shown.length === 0) return <EmptyState title={t(columns.length === 0 ? "noActivities" : "chooseActivities")} />;
    if (pairs.isSuccess && total === 0) return search ? <EmptyState /> : <EmptyState title={t("noPairs")} text={t("noPairsText")} />;
    return (
      <NetworksTable
        rows={pairs.data?.records ?? []}
        columns={shown}
        lines={[typeA, typeB]}
        joints={joints}
        faults={faults}
        busy={head.isFetching || pairs.isFetching}
        onChange={mayEdit ? change : undefined}
      />
    );
  };
  return (
    <>
      <PageBar edited={joints.size > 0}>
        {undo === null ? null : <Button onClick={takeBack}>{common("undo")}</Button>}
        {mayEdit ? (
          <Button variant="filled" loading={saving} disabled={joints.size === 0} onClick={submit}>
            {t("save", { count: joints.size })}
          </Button>
        ) : null}
      </PageBar>
      <div className={classes.bar}>
        <Select size="xs" w={150} aria-label={t("lineA")} placeholder={t("lineA")} data={lines} value={typeA} onChange={choose(setTypeA)} />
        <Select size="xs" w={150} aria-label={t("lineB")} placeholder={t("lineB")} data={lines} value={typeB} onChange={choose(setTypeB)} />
        <MultiSelect
          size="xs"
          miw={240}
          searchable
          aria-label={common("activities")}
          placeholder={shown.length === 0 ? common("activities") : undefined}
          {...clear}
          maxValues={jointActivitiesMax}
          data={columns.map(({ activityId, name }) => ({ value: String(activityId), label: name }))}
          value={activityIds.map(String)}
          onChange={(values) => {
            setChosen(values);
            setPage(1);
          }}
        />
        <TextInput
          size="xs"
          w={200}
          type="search"
          aria-label={common("search")}
          placeholder={t("search")}
          value={text}
          onChange={(event) => take(event.currentTarget.value)}
          onPaste={onPaste}
        />
      </div>
      {problem ? (
        <p className={classes.problem} role="alert">
          <MarkGlyph mark="refused" />
          {problem}
        </p>
      ) : null}
      {body()}
      {total > 0 ? (
        <TableFoot
          page={page}
          size={size}
          total={total}
          max={pairsPerPage}
          onPage={setPage}
          onSize={(next) => {
            setSize(next);
            setPage(1);
          }}
        />
      ) : null}
      <Confirm opened={asked !== null} danger verb={discard("verb")} onConfirm={() => asked?.()} onClose={() => setAsked(null)}>
        {discard("text")}
      </Confirm>
    </>
  );
}

/** Joint dates after some of them were saved; one that was given anew since remains, upon the revision the save has made. */
const withoutSaved = (joints: ReadonlyMap<string, Joint>, saved: readonly Joint[]): ReadonlyMap<string, Joint> => {
  const next = new Map(joints);
  for (const { jointDate, rowVersion, ...place } of saved) {
    const key = jointKey(place);
    const given = next.get(key);
    if (given?.jointDate === jointDate) next.delete(key);
    else if (given) next.set(key, { ...given, rowVersion: (rowVersion ?? 0) + 1 });
  }
  return next;
};
