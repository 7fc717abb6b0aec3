"use client";
import { Button, Checkbox, NumberInput, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { PagedRows } from "#components/ui/paged-rows.tsx";
import { Tag } from "#components/ui/status-tag.tsx";
import { toast } from "#components/ui/toast.ts";
import { useUnsaved } from "#components/ui/unsaved.ts";
import { useAction } from "#components/ui/use-action.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { saveAssignment } from "#lib/resources/assignment/actions.ts";
import { distanceMax } from "#lib/resources/assignment/limits.ts";
import type { AssignmentRow } from "#lib/resources/assignment/queries.ts";
import { type ResourceType, resourceTypes, skillChars } from "#lib/resources/pool/limits.ts";
import type { ResourceSettings } from "#lib/resources/settings/queries.ts";
import classes from "./resources.module.css";

/** Which people may own which activity: their types, a skill they need, how far away they may be. [RES-06] */
export function AssignmentPage({ first, settings }: { first: AssignmentRow[]; settings: ResourceSettings }) {
  const t = useTranslations("resources");
  const common = useTranslations("common");
  const { can } = useSession();
  const project = useProjectNumber();
  const [edits, setEdits] = useState<ReadonlyMap<number, AssignmentRow>>(new Map());
  const [problem, setProblem] = useState<string>();
  const [save, saving] = useAction(saveAssignment);
  const found = useQuery({
    queryKey: ["resource assignment", project],
    queryFn: async ({ signal }) => dataOf(await callDoor<AssignmentRow[]>("assignaResource/find", {}, { signal })),
    initialData: first,
    staleTime: 30_000,
  });
  const mayEdit = can("resource.edit");
  useUnsaved(edits.size > 0);
  const set = (row: AssignmentRow, given: Partial<AssignmentRow>) => {
    setEdits(new Map(edits).set(row.activityId, { ...row, ...given }));
    setProblem(undefined);
  };
  const submit = async () => {
    const sent = edits;
    const answer = await save({
      rows: [...sent.values()].map(({ activityId, types, requiredSkill, maxDistanceKm, rowVersion }) => ({
        activityId,
        types,
        requiredSkill,
        maxDistanceKm,
        rowVersion,
      })),
    });
    if (!answer.data) return setProblem(answer.problems?.[0]?.msg ?? answer.msg ?? answer.code);
    const saved = new Map(answer.data.map(({ activityId, rowVersion }) => [activityId, rowVersion]));
    await found.refetch();
    // What was edited while the save ran remains, upon what was saved.
    setEdits((before) => {
      const typed = [...before].filter(([id, row]) => sent.get(id) !== row);
      return new Map(typed.map(([id, row]) => [id, { ...row, rowVersion: saved.get(id) ?? row.rowVersion }]));
    });
    toast.done(common("saved"));
  };
  const toggle = (row: AssignmentRow, type: ResourceType, on: boolean) =>
    set(row, { types: resourceTypes.filter((one) => (one === type ? on : row.types.includes(one))) });
  return (
    <div className={classes.page}>
      <PageBar
        edited={edits.size > 0}
        status={<Tag tone={settings.keyRoleSwitch ? "ok" : "neutral"}>{t(`assignment.keyRoles.${settings.keyRoleSwitch}`)}</Tag>}
      >
        {mayEdit ? (
          <>
            <Button disabled={edits.size === 0} onClick={() => setEdits(new Map())}>
              {common("reset")}
            </Button>
            <Button variant="filled" loading={saving} disabled={edits.size === 0} onClick={() => void submit()}>
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
      {found.data.length === 0 ? (
        <EmptyState title={t("assignment.empty")} />
      ) : (
        <PagedRows rows={found.data} startSize={100} label={t("assignment.label")} className={classes.matrix}>
          {(rows) => (
            <table className={classes.table} aria-label={t("assignment.label")}>
              <thead>
                <tr>
                  <th scope="col">{common("activity")}</th>
                  {resourceTypes.map((type) => (
                    <th key={type} scope="col" className={classes.center}>
                      {t(`type.${type}`)}
                    </th>
                  ))}
                  <th scope="col">{t("assignment.skill")}</th>
                  <th scope="col">{t("assignment.distance")}</th>
                </tr>
              </thead>
              <tbody>
                {rows.map((stored) => {
                  const row = edits.get(stored.activityId) ?? stored;
                  return (
                    <tr key={row.activityId} data-edited={edits.has(row.activityId) || undefined}>
                      <th scope="row">{row.activity}</th>
                      {resourceTypes.map((type) => (
                        <td key={type} className={classes.center}>
                          <Checkbox
                            size="xs"
                            disabled={!mayEdit}
                            aria-label={`${row.activity} · ${t(`type.${type}`)}`}
                            checked={row.types.includes(type)}
                            onChange={(event) => toggle(row, type, event.currentTarget.checked)}
                          />
                        </td>
                      ))}
                      <td>
                        <TextInput
                          size="xs"
                          w={160}
                          disabled={!mayEdit}
                          aria-label={`${row.activity} · ${t("assignment.skill")}`}
                          maxLength={skillChars}
                          value={row.requiredSkill ?? ""}
                          onChange={(event) => set(row, { requiredSkill: event.currentTarget.value || null })}
                        />
                      </td>
                      <td>
                        <NumberInput
                          size="xs"
                          w={110}
                          disabled={!mayEdit}
                          aria-label={`${row.activity} · ${t("assignment.distance")}`}
                          rightSection="km"
                          rightSectionWidth={34}
                          hideControls
                          min={0}
                          max={distanceMax}
                          decimalScale={1}
                          value={row.maxDistanceKm ?? ""}
                          onChange={(value) => set(row, { maxDistanceKm: value === "" ? null : Number(value) })}
                        />
                      </td>
                    </tr>
                  );
                })}
              </tbody>
            </table>
          )}
        </PagedRows>
      )}
    </div>
  );
}
