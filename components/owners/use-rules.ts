"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { lookup } from "#components/ui/query-client.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { callDoor } from "#lib/core/call-door.ts";
import type { OwnerRuleDetail, OwnerRuleRow } from "#lib/owners/owner-rules/queries.ts";
import { refKey } from "#lib/plan-rules/conditions/logic.ts";

/** What a rule can choose from, and the rule itself where one is named. */
export function useRuleChoices(id?: number) {
  const project = useProjectNumber();
  return useQuery({
    queryKey: ["owner-rule", project, id ?? null],
    queryFn: async ({ signal }) => dataOf(await callDoor<OwnerRuleDetail>("ownerRule/detail", id === undefined ? {} : { id }, { signal })),
    retry: false,
    staleTime: 0,
    // A rule that is opened again is read again; without one, lists and fields take their choices from here.
    ...(id === undefined ? { meta: lookup } : { gcTime: 0 }),
  });
}

/** What a rule asks, fills and takes people from, in words. */
export function useRuleTexts(choices: OwnerRuleDetail | undefined) {
  const t = useTranslations("owners");
  // What has not been read is not gone.
  const gone = choices ? t("rules.gone") : "…";
  const objects = new Map(choices?.objects.map((object) => [object.key, object]));
  return {
    conditions: (conditions: OwnerRuleRow["conditions"]): string => {
      if (conditions.length === 0) return t("rules.everyDu");
      return conditions
        .map(({ object, operator, values }) => {
          const found = objects.get(refKey(object));
          const shown = values.map((value) => found?.choices?.find((choice) => choice.value === String(value))?.title ?? String(value));
          return [found?.title ?? gone, t(`operator.${operator}`), shown.join(", ")].filter(Boolean).join(" ");
        })
        .join(` ${t("rules.and")} `);
    },
    fields: ({ ownerFields, overwrite }: OwnerRuleRow): string =>
      `${ownerFields.map((field) => t(`field.${field}`)).join(", ")} · ${t(overwrite ? "rules.overwrite" : "rules.blanksOnly")}`,
    source: ({ fillMode, fillValue }: OwnerRuleRow): string => {
      if (fillMode === "ATTRIBUTE") return `${t("mode.ATTRIBUTE")}: ${objects.get(`a${fillValue.attributeId}`)?.title ?? gone}`;
      if (fillMode === "GROUP_LEADER")
        return `${t("mode.GROUP_LEADER")}: ${choices?.groups.find(({ id }) => id === fillValue.groupId)?.name ?? gone}`;
      return t(`mode.${fillMode}`);
    },
  };
}
