"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useEffect, useId, useMemo, useRef, useState } from "react";
import type { CompanionProps } from "#components/grid/cell-editor.tsx";
import styles from "#components/grid/companion.module.css";
import { lookup } from "#components/ui/query-client.ts";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { ownersMax } from "#lib/rollout-plan/plan-rows/limits.ts";
import type { PeopleBook } from "./plan-people.ts";

type Props = CompanionProps & { people: PeopleBook };

/**
 * People of an owner cell: typing finds members, arrows go through them, Enter takes the marked one, with Shift another one besides.
 * Opened over a filled cell it begins with the people who are in it.
 */
export function PeopleCompanion({ grid, editor, query, commit, people }: Props) {
  const t = useTranslations("plan-grid");
  const project = useProjectNumber();
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<readonly number[]>(() => {
    const value = editor.mode === "keep" ? grid.valueAt(editor.cell.row, editor.column) : null;
    return Array.isArray(value) ? (value as readonly number[]) : [];
  });
  const [marked, setMarked] = useState(0);
  const word = query ?? "";
  const found = useQuery({
    queryKey: ["plan people", project, word],
    queryFn: ({ signal }) => people.search(word, signal),
    meta: lookup,
    placeholderData: (before) => before,
  });
  const items = useMemo(() => {
    const rest = (found.data ?? []).filter((person) => !chosen.includes(person.id));
    return [...chosen.map((person) => ({ id: person, name: people.name(person), account: "" })), ...rest];
  }, [found.data, chosen, people]);
  const full = chosen.length >= ownersMax;
  const first = word && items.length > chosen.length ? chosen.length : 0;
  useEffect(() => setMarked(first), [first]);

  const toggle = (person: number) =>
    setChosen((now) => (now.includes(person) ? now.filter((given) => given !== person) : full ? now : [...now, person]));

  useEffect(() => {
    grid.editorKeys = (event) => {
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        const step = event.key === "ArrowDown" ? 1 : -1;
        setMarked((now) => Math.max(0, Math.min(items.length - 1, now + step)));
        return true;
      }
      if (event.key !== "Enter" && event.key !== "Tab") return false;
      const person = items[marked];
      const taken = word && person && !chosen.includes(person.id) && !full ? [...chosen, person.id] : [...chosen];
      if (event.key === "Enter" && event.shiftKey) {
        if (person) toggle(person.id);
        return true;
      }
      // An unknown name is left to the field, which keeps it as refused text.
      if (word && !person) return false;
      commit(taken.length > 0 ? taken : null);
      if (event.key === "Tab") grid.tab(event.shiftKey);
      else grid.enter(false);
      return true;
    };
    return () => {
      grid.editorKeys = null;
    };
  });

  useEffect(() => {
    list.current?.querySelector(`[data-at="${marked}"]`)?.scrollIntoView({ block: "nearest" });
  }, [marked]);

  return (
    <div className={styles.people}>
      <div ref={list} className={styles.list} role="listbox" aria-label={editor.column.title} aria-multiselectable id={id} tabIndex={-1}>
        {items.map((person, at) => (
          <div
            key={person.id}
            data-at={at}
            role="option"
            tabIndex={-1}
            aria-selected={chosen.includes(person.id)}
            className={at === marked ? `${styles.option} ${styles.marked}` : styles.option}
            onMouseEnter={() => setMarked(at)}
            onClick={() => toggle(person.id)}
            onKeyDown={() => {}}
          >
            <i className={chosen.includes(person.id) ? `${styles.box} ${styles.boxOn}` : styles.box} />
            <span className={styles.name}>{person.name}</span>
            <span className={styles.account}>{person.account}</span>
          </div>
        ))}
        {found.isSuccess && items.length === 0 && <div className={styles.none}>{t("people.none")}</div>}
      </div>
      <div className={styles.foot}>
        <span>{t("people.count", { count: chosen.length, max: ownersMax })}</span>
        <button
          type="button"
          tabIndex={-1}
          className={styles.take}
          onClick={() => {
            commit(chosen.length > 0 ? [...chosen] : null);
            grid.viewport?.focus();
          }}
        >
          {t("people.take")}
        </button>
      </div>
    </div>
  );
}
