"use client";

import { useTranslations } from "next-intl";
import styles from "./cards-view.module.css";
import { initials } from "./initials.ts";

const facesMax = 4;

/** People by their initials, the first four and how many more; the whole names for pointer and screen reader. */
export function OwnerFaces({ people, label }: { people: readonly { id: number; name: string }[]; label: string }) {
  const t = useTranslations("plan-views");
  if (people.length === 0) return <span />;
  const rest = people.slice(facesMax);
  return (
    <ul className={styles.faces} aria-label={label}>
      {people.slice(0, facesMax).map((person) => (
        <li key={person.id} className={styles.face} title={person.name}>
          <span aria-hidden="true">{initials(person.name)}</span>
          <span className="visually-hidden">{person.name}</span>
        </li>
      ))}
      {rest.length > 0 && (
        <li className={styles.face} title={rest.map(({ name }) => name).join(", ")}>
          <span aria-hidden="true">+{rest.length}</span>
          <span className="visually-hidden">
            {t("cards.moreOwners", { count: rest.length, names: rest.map(({ name }) => name).join(", ") })}
          </span>
        </li>
      )}
    </ul>
  );
}
