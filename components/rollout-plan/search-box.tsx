"use client";

import { IconChevronDown, IconSearch, IconX } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { type RefObject, useEffect, useState } from "react";
import { DropMenu } from "#components/ui/drop-menu.tsx";
import { useSearchText } from "#components/ui/use-search-text.ts";
import { type SearchField, searchFields } from "#lib/rollout-plan/conditions/limits.ts";
import styles from "./plan-bar.module.css";
import type { PlanSearch } from "./plan-filters.ts";

type Props = {
  field: SearchField;
  search: PlanSearch | null;
  onField: (field: SearchField) => void;
  onSearch: (text: string | null) => void;
  inputRef: RefObject<HTMLInputElement | null>;
};

/** Looks for DUs by one entry, or by up to 500 pasted ones. One entry is contained, several are exact. */
export function SearchBox({ field, search, onField, onSearch, inputRef }: Props) {
  const t = useTranslations("plan-grid");
  const [text, setText] = useState(search?.text ?? "");

  useEffect(() => setText(search?.text ?? ""), [search]);

  const { take: run, onPaste } = useSearchText((_, entries) => {
    setText(entries ?? "");
    onSearch(entries);
  });

  return (
    <search className={styles.search}>
      <DropMenu
        position="bottom-start"
        trigger={
          <button type="button" className={styles.field} aria-label={t("search.field", { field: t(`search.${field}`) })}>
            {t(`search.${field}`)}
            <IconChevronDown size={12} stroke={2.2} aria-hidden />
          </button>
        }
        entries={searchFields.map((name) => ({
          key: name,
          text: <span className={name === field ? styles.chosen : undefined}>{t(`search.${name}`)}</span>,
          current: name === field || undefined,
          onClick: () => onField(name),
        }))}
      />
      <span className={styles.divider} />
      <IconSearch size={16} stroke={1.4} aria-hidden />
      <input
        ref={inputRef}
        className={styles.input}
        value={text}
        aria-label={t("search.label")}
        placeholder={t("search.hint")}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.nativeEvent.isComposing) run(text);
          if (event.key === "Escape" && text) run("");
        }}
        onPaste={onPaste}
      />
      {text && (
        <button type="button" className={styles.clear} aria-label={t("search.clear")} onClick={() => run("")}>
          <IconX size={12} stroke={1.7} />
        </button>
      )}
    </search>
  );
}
