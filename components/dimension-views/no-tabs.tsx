"use client";
import { Button } from "@mantine/core";
import { IconTablePlus } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { aliasChars } from "#lib/dimension-views/limits.ts";
import type { Tab } from "#lib/dimension-views/queries.ts";
import { dimensionName, useDimensions } from "./use-tabs.ts";

/** A view without tabs: it suggests the first one by what the DUs of the project are described with most. */
export function NoTabs({ mayAdd, onAdd }: { mayAdd: boolean; onAdd: (tab: Partial<Tab>) => void }) {
  const t = useTranslations("dimension-views");
  const found = useDimensions(mayAdd);
  const suggestions = (found.data?.suggestions ?? []).flatMap((given) => {
    const dimension = found.data?.dimensions.find(({ key }) => key === given.dimension);
    return dimension ? [{ ...given, name: dimensionName(dimension, t) }] : [];
  });
  return (
    <EmptyState
      icon={<IconTablePlus size={28} stroke={1} aria-hidden="true" />}
      title={t("empty.title")}
      text={t(mayAdd ? (suggestions.length > 0 ? "empty.suggested" : "empty.text") : "empty.noRight")}
    >
      {suggestions.map(({ dimension, activityIds, name }) => (
        <Button
          key={dimension}
          onClick={() => onAdd({ dimension, activityIds, alias: [...t("empty.alias", { name })].slice(0, aliasChars).join("") })}
        >
          {t("empty.alias", { name })}
        </Button>
      ))}
      {mayAdd ? (
        <Button variant="filled" onClick={() => onAdd({})}>
          {t("empty.add")}
        </Button>
      ) : null}
    </EmptyState>
  );
}
