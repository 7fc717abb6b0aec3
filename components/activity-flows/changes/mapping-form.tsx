"use client";
import { Button, Checkbox, Select, TextInput } from "@mantine/core";
import { IconBulb } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useEdited } from "#components/ui/close-guard.tsx";
import { Confirm } from "#components/ui/confirm.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useTellEdited } from "#components/ui/use-tell-edited.ts";
import { saveRetentionMapping } from "#lib/activity-flows/retention-mappings/actions.ts";
import { type KeptKind, keptKinds, mappingNameMax } from "#lib/activity-flows/retention-mappings/limits.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { problemText } from "../problem-text.ts";
import type { ChangeFlow, MappingPair, MappingRow } from "./change-data.ts";
import classes from "./changes.module.css";

type Props = {
  row: MappingRow | null;
  flows: readonly ChangeFlow[];
  mayEdit: boolean;
  onEdited: (isEdited: boolean) => void;
  onCancel: () => void;
  onSaved: () => void;
};
type Side = "from" | "to";

const everything = Object.fromEntries(keptKinds.map((kind) => [kind, true])) as Record<KeptKind, boolean>;

/** A mapping as a matrix: a row per activity of the new flow, which old activity it takes over from, and a box per kind of data. */
export function MappingForm({ row, flows, mayEdit, onEdited, onCancel, onSaved }: Props) {
  const t = useTranslations("flow-changes");
  const discard = useTranslations("ui.discard");
  const common = useTranslations("common");
  const id = useId();
  const [name, setName] = useState(row?.name ?? "");
  const [flowIds, setFlowIds] = useState({ from: row?.fromFlowId ?? null, to: row?.toFlowId ?? null });
  const [isDefault, setDefault] = useState(row?.isDefault ?? false);
  const [pairs, setPairs] = useState<ReadonlyMap<number, MappingPair>>(new Map(row?.rows.map((pair) => [pair.toActivityId, pair])));
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [asked, setAsked] = useState<{ side: Side; flowId: number } | null>(null);
  const [save, saving] = useAction(saveRetentionMapping);
  useTellEdited(useEdited([name, flowIds, isDefault, [...pairs.values()]]), onEdited);
  const from = flows.find(({ flowId }) => flowId === flowIds.from);
  const to = flows.find(({ flowId }) => flowId === flowIds.to);
  const taken = new Set([...pairs.values()].map((pair) => pair.fromActivityId));

  const chooseFlow = (side: Side, flowId: number) => {
    setFlowIds((before) => ({ ...before, [side]: flowId }));
    setPairs(new Map());
  };
  const put = (toActivityId: number, pair: MappingPair | null) => {
    const next = new Map(pairs);
    if (pair) next.set(toActivityId, pair);
    else next.delete(toActivityId);
    setPairs(next);
  };
  const suggest = async () => {
    const answer = await callDoor<{ rows: MappingPair[] }>(
      "retentionMapping/suggest",
      { fromFlowId: from!.flowId, toFlowId: to!.flowId },
      { reading: true },
    );
    if (!answer.data) return setProblems({ "": answer.msg ?? t("failed") });
    // What was chosen by hand stays.
    const next = new Map(pairs);
    for (const pair of answer.data.rows)
      if (!next.has(pair.toActivityId) && !taken.has(pair.fromActivityId)) next.set(pair.toActivityId, pair);
    setPairs(next);
    toast.note(t("mapping.suggested", { count: next.size - pairs.size }));
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!from || !to) return;
    const order = to.nodes.flatMap(({ activityId }) => (activityId === null ? [] : (pairs.get(activityId) ?? [])));
    const answer = await save({
      name,
      fromFlowId: from.flowId,
      toFlowId: to.flowId,
      isDefault,
      rows: order,
      ...(row && { id: row.id, rowVersion: row.rowVersion }),
    });
    if (answer.status >= 400) return setProblems(problemText(answer, "name", t("failed")));
    toast.done(common("saved"));
    onSaved();
  };
  const options = flows.map((flow) => ({ value: String(flow.flowId), label: flow.name }));
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <Field id={`${id}-name`} label={common("name")} required count={{ used: name.length, max: mappingNameMax }} error={problems.name}>
        <TextInput
          id={`${id}-name`}
          required
          data-autofocus
          readOnly={!mayEdit}
          maxLength={mappingNameMax}
          value={name}
          error={Boolean(problems.name)}
          aria-describedby={fieldNoteId(`${id}-name`)}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </Field>
      <div className={classes.two}>
        {(["from", "to"] as const).map((side) => (
          <Field
            key={side}
            id={`${id}-${side}`}
            label={t(`mappings.${side}`)}
            required
            error={problems[side === "from" ? "fromFlowId" : "toFlowId"]}
          >
            <Select
              id={`${id}-${side}`}
              searchable
              allowDeselect={false}
              readOnly={!mayEdit}
              data={options.filter(({ value }) => Number(value) !== flowIds[side === "from" ? "to" : "from"])}
              value={flowIds[side] === null ? null : String(flowIds[side])}
              aria-describedby={fieldNoteId(`${id}-${side}`)}
              onChange={(value) => {
                const flowId = Number(value);
                if (flowId === flowIds[side]) return;
                if (pairs.size > 0) setAsked({ side, flowId });
                else chooseFlow(side, flowId);
              }}
            />
          </Field>
        ))}
      </div>
      {from && to ? (
        <>
          {mayEdit ? (
            <div className={classes.verbs}>
              <Button leftSection={<IconBulb size={16} stroke={1.4} />} onClick={suggest}>
                {t("mapping.suggest")}
              </Button>
              <Checkbox
                label={t("mapping.makeDefault")}
                checked={isDefault}
                onChange={(event) => setDefault(event.currentTarget.checked)}
              />
            </div>
          ) : null}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached with the keyboard */}
          <section className={classes.matrix} aria-label={t("mapping.matrix")} tabIndex={0}>
            <table className={classes.table}>
              <thead>
                <tr>
                  <th scope="col">{t("pairs.new", { name: to.name })}</th>
                  <th scope="col">{t("pairs.old", { name: from.name })}</th>
                  {keptKinds.map((kind) => (
                    <th key={kind} scope="col" className={classes.mark}>
                      {t(`kind.${kind}`)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {to.nodes.map((node) => {
                  const target = node.activityId;
                  if (target === null) return null;
                  const pair = pairs.get(target);
                  return (
                    <tr key={node.nodeId}>
                      <th scope="row">{node.name}</th>
                      <td>
                        <select
                          className={classes.select}
                          aria-label={t("mapping.source", { name: node.name })}
                          disabled={!mayEdit}
                          value={pair?.fromActivityId ?? ""}
                          onChange={(event) =>
                            put(
                              target,
                              event.currentTarget.value === ""
                                ? null
                                : { ...everything, ...pair, toActivityId: target, fromActivityId: Number(event.currentTarget.value) },
                            )
                          }
                        >
                          <option value="">{t("pairs.empty")}</option>
                          {from.nodes.map((one) =>
                            one.activityId === null ? null : (
                              <option
                                key={one.nodeId}
                                value={one.activityId}
                                disabled={taken.has(one.activityId) && pair?.fromActivityId !== one.activityId}
                              >
                                {one.name}
                              </option>
                            ),
                          )}
                        </select>
                      </td>
                      {keptKinds.map((kind) => (
                        <td key={kind} className={classes.mark}>
                          <Checkbox
                            size="xs"
                            aria-label={t("mapping.keeps", { name: node.name, kind: t(`kind.${kind}`) })}
                            disabled={!pair || !mayEdit}
                            checked={pair?.[kind] ?? false}
                            onChange={(event) => pair && put(target, { ...pair, [kind]: event.currentTarget.checked })}
                          />
                        </td>
                      ))}
                    </tr>
                  );
                })}
              </tbody>
            </table>
          </section>
          {problems.rows ? (
            <p className={classes.problem} role="alert">
              {problems.rows}
            </p>
          ) : null}
        </>
      ) : (
        <p className={classes.help}>{t("mapping.hint")}</p>
      )}
      {mayEdit ? (
        <DialogFoot
          problem={problems[""] ?? problems.rowVersion}
          busy={saving}
          disabled={name.trim() === "" || !from || !to}
          verb={common("save")}
          onClose={onCancel}
        />
      ) : null}
      <Confirm
        opened={asked !== null}
        verb={discard("verb")}
        danger
        onConfirm={() => asked && chooseFlow(asked.side, asked.flowId)}
        onClose={() => setAsked(null)}
      >
        {t("mapping.losesPairs", { count: pairs.size })}
      </Confirm>
    </form>
  );
}
