"use client";
import { Button, Modal, NumberInput, Select } from "@mantine/core";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { useCloseGuard, useEdited } from "#components/ui/close-guard.tsx";
import { DayInput } from "#components/ui/day-input.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { Field, fieldNoteId } from "#components/ui/field.tsx";
import { capacityBelow, redundancyMax, redundancyMin } from "#lib/resources/capacity/limits.ts";
import { weekStart } from "#lib/resources/capacity/logic.ts";
import type { CompanyConfig } from "#lib/resources/capacity/queries.ts";
import type { CompanyType } from "#lib/resources/subcontractors/queries.ts";
import classes from "./subcontractors.module.css";
import { useSave } from "./use-save.ts";

type Props = {
  config: CompanyConfig;
  /** Place of the capacity among those of the company; null for a new one. */
  at: number | null;
  regions: readonly { id: number; name: string }[];
  types: readonly CompanyType[];
  onSaved: () => void;
  onClose: () => void;
};

const numbers = [
  "baseline",
  "lowerLimit",
  "upperCap",
  "leadTimeWeeks",
  "increasePeriodWeeks",
  "increasePerCycle",
  "redundancyRatio",
] as const;
const start = {
  baseline: 0,
  lowerLimit: 0,
  upperCap: 0,
  leadTimeWeeks: 1,
  increasePeriodWeeks: 1,
  increasePerCycle: 0,
  redundancyRatio: 100,
};

/** One capacity of a company with the weeks set by hand. */
export function CapacityDialog({ config, at, regions, types, onSaved, onClose }: Props) {
  const t = useTranslations("subcontractors");
  const common = useTranslations("common");
  const id = useId();
  const row = at === null ? undefined : config.capacity[at];
  const [values, setValues] = useState<Record<(typeof numbers)[number], number | string>>(() => ({
    ...start,
    ...(row && Object.fromEntries(numbers.map((key) => [key, row[key]]))),
  }));
  const [startWeek, setStartWeek] = useState(row?.startWeek ?? weekStart(new Date().toISOString().slice(0, 10)));
  const [regionId, setRegion] = useState(row?.regionId ? String(row.regionId) : null);
  const [typeId, setType] = useState(row?.subconTypeId ? String(row.subconTypeId) : null);
  const [weeks, setWeeks] = useState<{ week: string; value: number | string }[]>(row?.weeks ?? []);
  const { busy, problem, save } = useSave("subconConfig/updateSubconConfig", () => false);
  const { close, question } = useCloseGuard(useEdited([values, startWeek, regionId, typeId, weeks]), onClose);
  const plain = ({ id: _id, weeklyAdded: _weekly, ...rest }: CompanyConfig["capacity"][number]) => rest;
  const store = async (changed: object | null) => {
    const others = config.capacity.flatMap((one, index) => (index === at ? [] : [plain(one)]));
    const capacity = changed ? [...others, changed] : others;
    if (await save({ subcontractorId: config.subcontractorId, rowVersion: config.rowVersion, capacity })) onSaved();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    return store({
      ...Object.fromEntries(numbers.map((key) => [key, Number(values[key])])),
      regionId: regionId ? Number(regionId) : null,
      subconTypeId: typeId ? Number(typeId) : null,
      startWeek,
      weeks: weeks.flatMap(({ week, value }) => (week ? [{ week: weekStart(week), value: Number(value) }] : [])),
    });
  };
  const most = (key: (typeof numbers)[number]) =>
    key === "redundancyRatio" ? redundancyMax : key.endsWith("Weeks") ? undefined : capacityBelow - 0.01;
  const least = (key: (typeof numbers)[number]) => (key === "redundancyRatio" ? redundancyMin : key.endsWith("Weeks") ? 1 : 0);
  return (
    <Modal
      opened
      onClose={close}
      title={t(row ? "capacity.edit" : "capacity.new")}
      size={720}
      closeButtonProps={{ "aria-label": common("close") }}
    >
      <form className={classes.form} onSubmit={submit} noValidate>
        <div className={classes.pair}>
          <Field id={`${id}-region`} label={common("region")}>
            <Select
              id={`${id}-region`}
              searchable
              clearable
              clearButtonProps={{ "aria-label": common("clear") }}
              placeholder={t("capacity.allRegions")}
              data={regions.map((region) => ({ value: String(region.id), label: region.name }))}
              value={regionId}
              onChange={setRegion}
            />
          </Field>
          <Field id={`${id}-type`} label={common("type")}>
            <Select
              id={`${id}-type`}
              searchable
              clearable
              clearButtonProps={{ "aria-label": common("clear") }}
              placeholder={typeId === null ? t("capacity.allTypes") : undefined}
              data={types.map((type) => ({ value: String(type.id), label: type.name }))}
              value={typeId}
              onChange={setType}
            />
          </Field>
          {numbers.map((key) => (
            <Field key={key} id={`${id}-${key}`} label={t(`capacity.field.${key}`)} required>
              <NumberInput
                id={`${id}-${key}`}
                required
                hideControls
                allowNegative={false}
                decimalScale={key.endsWith("Weeks") ? 0 : 2}
                min={least(key)}
                max={most(key)}
                clampBehavior="none"
                aria-describedby={fieldNoteId(`${id}-${key}`)}
                value={values[key]}
                onChange={(value) => setValues((before) => ({ ...before, [key]: value }))}
              />
            </Field>
          ))}
          <Field id={`${id}-start`} label={t("capacity.field.startWeek")} required help={t("capacity.sunday")}>
            <DayInput id={`${id}-start`} value={startWeek} onChange={(day) => setStartWeek(day ? weekStart(day) : startWeek)} />
          </Field>
        </div>
        {weeks.map(({ week, value }, index) => (
          <div key={`${index + 1}`} className={classes.verbs}>
            <DayInput
              aria-label={t("capacity.week")}
              value={week}
              onChange={(day) =>
                setWeeks((all) => all.map((one, place) => (place === index ? { ...one, week: day && weekStart(day) } : one)))
              }
            />
            <NumberInput
              w={120}
              hideControls
              decimalScale={2}
              aria-label={t("capacity.can")}
              value={value}
              onChange={(given) => setWeeks((all) => all.map((one, place) => (place === index ? { ...one, value: given } : one)))}
            />
            <Button variant="subtle" color="gray" onClick={() => setWeeks((all) => all.filter((_, place) => place !== index))}>
              {common("delete")}
            </Button>
          </div>
        ))}
        <div className={classes.verbs}>
          <Button onClick={() => setWeeks((all) => [...all, { week: "", value: "" }])}>{t("capacity.addWeek")}</Button>
          {row ? (
            <Button color="red" onClick={() => store(null)}>
              {t("capacity.delete")}
            </Button>
          ) : null}
        </div>
        <DialogFoot problem={problem} verb={common("save")} busy={busy} onClose={close} />
      </form>
      {question}
    </Modal>
  );
}
