"use client";
import { NativeSelect, NumberInput, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { DayInput } from "#components/ui/day-input.tsx";
import { Field } from "#components/ui/field.tsx";
import { lookup } from "#components/ui/query-client.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { limitFaults, numberBounds, textMax } from "#lib/attributes/logic.ts";
import type { LookupList } from "#lib/attributes/lookups/queries.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { canonicalValue, isChoice, type ValueLimit } from "#lib/rollout-plan/columns/logic.ts";
import { type AttributeDraft, limitOf } from "./attribute-draft.ts";
import classes from "./attributes.module.css";

/** The field as people will fill it, made of what is typed so far: a value tried in it is judged by the limits. */
export function ControlPreview({ draft }: { draft: AttributeDraft }) {
  const t = useTranslations("attributes.preview");
  const common = useTranslations("common");
  const id = useId();
  const project = useProjectNumber();
  const [value, setValue] = useState("");
  const { type } = draft;
  const lists = useQuery({
    queryKey: ["lookups", project],
    enabled: type === "LOOKUP_ENUM" && draft.lookupListId !== "",
    queryFn: async ({ signal }) => dataOf(await callDoor<{ lists: LookupList[] }>("lookupList/list", {}, { signal })).lists,
    meta: lookup,
  });
  const limit = limitOf(draft) as ValueLimit;
  const broken = limitFaults(type, limit).length > 0;
  const list = lists.data?.find((one) => String(one.id) === draft.lookupListId);
  const values = draft.lookupParentId ? (list?.values ?? []).flatMap(({ children }) => children) : (list?.values ?? []);
  const offered =
    type === "LOOKUP_ENUM"
      ? values.map((one) => ({ value: String(one.id), label: one.value }))
      : draft.enums
          .filter((choice) => choice.active && (draft.allowed.length === 0 || draft.allowed.includes(String(choice.id))))
          .map((choice) => ({ value: String(choice.key), label: choice.value }));
  const refused =
    !broken && value !== "" && type !== "READ_ONLY" && !isChoice(type) && "code" in canonicalValue({ type, limit, enumIds: [] }, value);
  const note = refused ? t("refused") : undefined;
  const most = limit.maxLength ?? textMax(type);
  const isText = type === "TEXT" || type === "LONG_TEXT" || type === "TEXT_AREA";
  const own = { id, error: refused };
  const [day = "", time = ""] = value.split("T");
  const control = () => {
    switch (type) {
      case "NUMBER":
        return (
          <NumberInput
            {...own}
            value={value}
            step={Number(limit.step ?? 1)}
            decimalScale={Number(limit.decimals ?? numberBounds.decimals)}
            onChange={(given) => setValue(String(given))}
          />
        );
      case "DATE":
        return <DayInput {...own} clearable value={value} onChange={setValue} />;
      case "TIME":
        return <TextInput {...own} type="time" value={value} onChange={(event) => setValue(event.currentTarget.value)} />;
      case "DATETIME":
        return (
          <span className={classes.range}>
            <DayInput {...own} clearable value={day} onChange={(given) => setValue(given === "" ? "" : `${given}T${time || "00:00:00"}`)} />
            <TextInput
              type="time"
              step={1}
              aria-label={t("time")}
              value={time}
              disabled={day === ""}
              onChange={(event) => setValue(`${day}T${`${event.currentTarget.value}:00`.slice(0, 8)}`)}
            />
          </span>
        );
      case "ENUM":
      case "LOOKUP_ENUM":
        return (
          <NativeSelect
            {...own}
            value={value}
            data={[{ value: "", label: common("none") }, ...offered]}
            onChange={(event) => setValue(event.currentTarget.value)}
          />
        );
      case "READ_ONLY":
        return <TextInput {...own} readOnly value={draft.projectDefaultValue || draft.defaultValue} />;
      case "TEXT":
        return <TextInput {...own} value={value} onChange={(event) => setValue(event.currentTarget.value)} />;
      default:
        return <Textarea {...own} autosize minRows={2} value={value} onChange={(event) => setValue(event.currentTarget.value)} />;
    }
  };
  return (
    <section className={classes.preview} aria-label={t("title")}>
      <span className={classes.quiet}>{t("title")}</span>
      <Field
        id={id}
        label={draft.name.trim() || t("unnamed")}
        required={draft.required}
        help={broken ? t("broken") : t("help")}
        error={note}
        {...(isText ? { count: { used: [...value].length, max: most } } : {})}
      >
        {control()}
      </Field>
    </section>
  );
}
