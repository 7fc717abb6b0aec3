"use client";
import { ActionIcon, Autocomplete, Button, NativeSelect, NumberInput } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { lookup } from "#components/ui/query-client.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor } from "#lib/core/call-door.ts";
import type { Page } from "#lib/core/paging.ts";
import { type DateField, dateFields, type InfoTarget, infosMax, infoTargets, weightMax, weightMin } from "#lib/milestones/limits.ts";
import type { MilestoneInfo } from "#lib/milestones/queries.ts";
import type { TempMilestoneRow } from "#lib/milestones/temporary/queries.ts";
import classes from "./milestones.module.css";

/** A row while it is edited; `key` tells rows apart. */
export type InfoDraft = MilestoneInfo & { key: number };

type Props = {
  infos: readonly InfoDraft[];
  deliveryTypes: readonly string[];
  faults: Record<string, string>;
  onChange: (infos: InfoDraft[]) => void;
};

/** What a milestone means for each delivery type: the activity of the mapping or a temporary milestone, its weight, the date that counts. */
export function MilestoneInfos({ infos, deliveryTypes, faults, onChange }: Props) {
  const t = useTranslations("milestones.infos");
  const id = useId();
  const project = useProjectNumber();
  const temporary = useQuery({
    queryKey: ["temp milestones to choose", project],
    queryFn: async ({ signal }) =>
      dataOf(await callDoor<Page<TempMilestoneRow>>("tempMilestone/list", { page: 1, size: 200 }, { signal })).records,
    meta: lookup,
  });
  const offered = (temporary.data ?? []).map(({ id: value, name }) => ({ value: String(value), label: name }));
  /** What is offered, and before it what is chosen and is not. */
  const withChosen = ({ tempMilestoneId, tempMilestone }: InfoDraft) => {
    const value = String(tempMilestoneId);
    const isOffered = tempMilestoneId === null || offered.some((one) => one.value === value);
    return isOffered ? offered : [{ value, label: tempMilestone ?? value }, ...offered];
  };
  const put = (at: number, given: Partial<InfoDraft>) =>
    onChange(infos.map((info, index) => (index === at ? { ...info, ...given } : info)));
  const add = () =>
    onChange([
      ...infos,
      {
        key: Math.max(0, ...infos.map(({ key }) => key)) + 1,
        deliveryType: null,
        target: "activity",
        tempMilestoneId: null,
        tempMilestone: null,
        weight: null,
        dateField: "plan_end",
      },
    ]);
  return (
    <section className={classes.infos} aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>{t("title")}</h3>
      <p className={classes.note}>{t("help")}</p>
      {infos.length > 0 ? (
        <div className={`${classes.info} ${classes.heads}`} aria-hidden="true">
          {(["deliveryType", "targetLabel", "temporary", "weight", "dateField"] as const).map((key) => (
            <span key={key}>{t(key)}</span>
          ))}
        </div>
      ) : null}
      {infos.map((info, at) => {
        const faultsOf = Object.entries(faults).filter(([path]) => path.startsWith(`infos.${at}.`));
        return (
          <div key={info.key}>
            <div className={classes.info}>
              <Autocomplete
                aria-label={t("deliveryType")}
                placeholder={t("all")}
                data={[...deliveryTypes]}
                value={info.deliveryType ?? ""}
                error={Boolean(faults[`infos.${at}.deliveryType`])}
                onChange={(value) => put(at, { deliveryType: value || null })}
              />
              <NativeSelect
                aria-label={t("targetLabel")}
                value={info.target}
                data={infoTargets.map((value) => ({ value, label: t(`target.${value}`) }))}
                onChange={(event) =>
                  put(at, { target: event.currentTarget.value as InfoTarget, tempMilestoneId: null, tempMilestone: null })
                }
              />
              <NativeSelect
                aria-label={t("temporary")}
                disabled={info.target !== "temp_milestone"}
                value={info.tempMilestoneId ?? ""}
                error={Boolean(faults[`infos.${at}.tempMilestoneId`])}
                data={[{ value: "", label: "-" }, ...withChosen(info)]}
                onChange={({ currentTarget: { value } }) => {
                  const tempMilestone = withChosen(info).find((one) => one.value === value)?.label ?? null;
                  put(at, { tempMilestoneId: Number(value) || null, tempMilestone });
                }}
              />
              <NumberInput
                aria-label={t("weight")}
                placeholder="%"
                hideControls
                min={weightMin}
                max={weightMax}
                decimalScale={2}
                value={info.weight ?? ""}
                error={Boolean(faults[`infos.${at}.weight`])}
                onChange={(value) => put(at, { weight: typeof value === "number" ? value : null })}
              />
              <NativeSelect
                aria-label={t("dateField")}
                value={info.dateField}
                data={dateFields.map((value) => ({ value, label: t(`date.${value}`) }))}
                onChange={(event) => put(at, { dateField: event.currentTarget.value as DateField })}
              />
              <ActionIcon aria-label={t("remove", { number: at + 1 })} onClick={() => onChange(infos.filter((_, index) => index !== at))}>
                <IconTrash size={16} stroke={1.4} />
              </ActionIcon>
            </div>
            {faultsOf.map(([path, msg]) => (
              <p key={path} className={classes.problem} role="alert">
                {msg}
              </p>
            ))}
          </div>
        );
      })}
      <div>
        <Button size="xs" disabled={infos.length >= infosMax} onClick={add}>
          {t("add")}
        </Button>
      </div>
    </section>
  );
}
