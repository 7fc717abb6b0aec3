"use client";
import { Button, NumberInput, Select } from "@mantine/core";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { formatNumber } from "#lib/core/format.ts";
import { assignDus } from "#lib/dimension-views/clusters/actions.ts";
import { assignDusMax } from "#lib/dimension-views/clusters/limits.ts";
import classes from "./clusters.module.css";

type Props = {
  duIds: readonly number[];
  clusters: readonly { id: number; name: string }[];
  onDone: () => unknown;
  onClear: () => void;
  /** Makes a cluster of what was drawn around; absent where nothing was. */
  onNew?: (() => void) | undefined;
};

/** What can be done with the chosen DUs: into a cluster, out of it, a priority inside it. */
export function AssignBar({ duIds, clusters, onDone, onClear, onNew }: Props) {
  const t = useTranslations("clusters.assign");
  const [clusterId, setClusterId] = useState<string | null>(null);
  const [priority, setPriority] = useState<number | string>("");
  const [assign, busy] = useAction(assignDus);
  const tooMany = duIds.length > assignDusMax;
  const given = priority === "" ? {} : { priority: Number(priority) };
  const run = async (to: { clusterId?: number | null; priority?: number }) => {
    const answer = await assign({ duIds: [...duIds], ...to });
    if (!answer.data) return toast.problem(answer.problems?.[0]?.msg ?? answer.msg ?? t("failed"));
    toast.done(t("done", { count: answer.data.ids.length }));
    onClear();
    await onDone();
  };
  return (
    <div className={classes.assign} role="toolbar" aria-label={t("label")}>
      <span role="status">{t("chosen", { count: formatNumber(duIds.length), n: duIds.length })}</span>
      {tooMany ? <span className={classes.problem}>{t("most", { max: assignDusMax })}</span> : null}
      <Select
        size="xs"
        w={180}
        searchable
        aria-label={t("cluster")}
        placeholder={t("cluster")}
        data={clusters.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={clusterId}
        onChange={setClusterId}
      />
      <NumberInput
        size="xs"
        w={110}
        min={1}
        allowDecimal={false}
        aria-label={t("priority")}
        placeholder={t("priority")}
        value={priority}
        onChange={setPriority}
      />
      <Button
        variant="filled"
        loading={busy}
        disabled={tooMany || (clusterId === null && priority === "")}
        onClick={() => void run({ ...(clusterId === null ? {} : { clusterId: Number(clusterId) }), ...given })}
      >
        {clusterId === null && priority !== "" ? t("setPriority") : t("verb")}
      </Button>
      <Button disabled={tooMany || busy} onClick={() => void run({ clusterId: null })}>
        {t("remove")}
      </Button>
      {onNew ? <Button onClick={onNew}>{t("new")}</Button> : null}
      <Button variant="subtle" color="gray" onClick={onClear}>
        {t("clear")}
      </Button>
    </div>
  );
}
