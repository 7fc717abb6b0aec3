"use client";

import { ActionIcon } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { StatusTag } from "#components/ui/status-tag.tsx";
import { useDelayed } from "#components/ui/use-delayed.ts";
import { formatNumber } from "#lib/core/format.ts";
import { cardsPerPage } from "#lib/rollout-plan/cards/limits.ts";
import type { Card, CardPage } from "#lib/rollout-plan/cards/queries.ts";
import { cardAfter } from "./card-places.ts";
import styles from "./cards-view.module.css";
import { OwnerFaces } from "./owner-faces.tsx";
import { statusTone } from "./plan-cells.ts";
import type { PlanViewProps } from "./plan-views.ts";
import { ProgressRing } from "./progress-ring.tsx";
import { useViewData } from "./use-view-data.ts";

/** The DUs of the plan as cards: where each stands, what comes next, who has open work. Chosen as the rows of the grid are. */
export function CardsView(props: PlanViewProps) {
  const { desk, question, total, empty, onOpen, onSite } = props;
  const t = useTranslations("plan-views");
  const ui = useTranslations("ui");
  const [page, setPage] = useState(1);
  const [active, setActive] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another question begins at its first page
  useEffect(() => setPage(1), [question]);
  const { data, failed, isFetching, retry } = useViewData<CardPage>(props, `rolloutPlan/cards/${page}/${cardsPerPage}`);
  const waiting = useDelayed(isFetching && !data);
  const { rows } = desk.grid;
  const cards = data?.records ?? [];
  const last = total === null ? null : Math.max(1, Math.ceil(total / cardsPerPage));
  const go = (to: number) => {
    setPage(to);
    setActive(0);
    list.current?.parentElement?.scrollTo({ top: 0 });
  };

  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>) => {
    const items = [...(list.current?.children ?? [])] as HTMLElement[];
    const columns = items.filter((item) => item.offsetTop === items[0]?.offsetTop).length;
    const to = event.altKey || event.ctrlKey || event.metaKey ? null : cardAfter(event.key, active, items.length, columns);
    if (to === null) return;
    event.preventDefault();
    items[to]?.querySelector("input")?.focus();
  };
  const choose = (at: number, duId: number, extend: boolean) => {
    const index = (page - 1) * cardsPerPage + at;
    if (extend) rows.extendTo(index, (given) => desk.source.rowKey(given));
    else rows.toggle(index, String(duId));
  };

  if (empty) return <div className={styles.view}>{empty}</div>;
  if (failed && !data)
    return (
      <div className={styles.view}>
        <ErrorPanel title={t("cards.failed")} failed={failed} onRetry={() => void retry()} />
      </div>
    );
  return (
    <div className={styles.view}>
      <ScrollRegion className={styles.scroll} label={t("cards.label")} busy={isFetching}>
        <ul ref={list} className={styles.cards} onKeyDown={onKeyDown}>
          {waiting && Array.from({ length: cardsPerPage }, (_, at) => <Grey key={`grey ${at}`} />)}
          {cards.map((card, at) => (
            <DuCard
              key={card.duId}
              card={card}
              chosen={rows.has(String(card.duId))}
              reached={at === Math.min(active, cards.length - 1)}
              onFocus={() => setActive(at)}
              onChoose={(extend) => choose(at, card.duId, extend)}
              onOpen={() => onOpen(card.duId)}
              onSite={() => onSite("site", card.siteId)}
            />
          ))}
        </ul>
      </ScrollRegion>
      <div className={styles.bar}>
        <ActionIcon size={24} aria-label={ui("table.previous")} disabled={page <= 1} onClick={() => go(page - 1)}>
          <IconChevronLeft size={16} stroke={1.4} />
        </ActionIcon>
        <span role="status">
          {last === null
            ? t("cards.page", { page: formatNumber(page) })
            : ui("table.page", { page: formatNumber(page), last: formatNumber(last) })}
        </span>
        <ActionIcon size={24} aria-label={ui("table.next")} disabled={!data?.more} onClick={() => go(page + 1)}>
          <IconChevronRight size={16} stroke={1.4} />
        </ActionIcon>
      </div>
    </div>
  );
}

type CardProps = {
  card: Card;
  chosen: boolean;
  /** The card the keyboard is on: only its controls are steps of Tab. */
  reached: boolean;
  onFocus: () => void;
  onChoose: (extend: boolean) => void;
  onOpen: () => void;
  onSite: () => void;
};

function DuCard({ card, chosen, reached, onFocus, onChoose, onOpen, onSite }: CardProps) {
  const t = useTranslations("plan-views");
  const plan = useTranslations("plan-grid");
  const tabIndex = reached ? 0 : -1;
  const shift = useRef(false);
  return (
    <li className={styles.card} data-chosen={chosen || undefined} onFocus={onFocus}>
      <div className={styles.head}>
        <input
          type="checkbox"
          className={styles.check}
          tabIndex={tabIndex}
          aria-label={t("cards.choose", { code: card.code })}
          checked={chosen}
          onClick={(event) => {
            shift.current = event.shiftKey;
          }}
          onChange={() => onChoose(shift.current)}
        />
        <button type="button" className={styles.code} tabIndex={tabIndex} title={t("cards.open")} onClick={onOpen}>
          {card.code}
        </button>
      </div>
      <ProgressRing done={card.done} total={card.applicable} label={t("cards.progress", { done: card.done, total: card.applicable })} />
      <p className={styles.name} title={card.name}>
        {card.name}
      </p>
      <dl className={styles.facts}>
        <dt>{t("cards.site")}</dt>
        <dd>
          <button type="button" className={styles.site} tabIndex={tabIndex} title={`${card.siteCode} ${card.siteName}`} onClick={onSite}>
            {card.siteName}
          </button>
        </dd>
        <dt>{t("cards.region")}</dt>
        <dd>{card.region ?? "-"}</dd>
        <dt>{t("cards.next")}</dt>
        <dd className={styles.next} title={card.next?.name}>
          {card.next ? (
            <>
              <span>{card.next.name}</span>
              <span className={styles.date}>
                <StatusTag status={statusTone(card.next.status)} text={card.next.planEnd} plain />
              </span>
            </>
          ) : (
            "-"
          )}
        </dd>
      </dl>
      <div className={styles.foot}>
        <OwnerFaces people={card.owners} label={t("cards.owners")} />
        {card.delayed > 0 ? (
          <StatusTag status="delayed" text={t("cards.delayed", { count: card.delayed })} />
        ) : (
          <StatusTag status={statusTone(card.status)} text={plan(`status.${card.status}`)} />
        )}
      </div>
    </li>
  );
}

/** A card that is still being read, in its final shape. */
function Grey() {
  return (
    <li className={styles.card} aria-hidden="true">
      <div className={styles.grey} style={{ width: "60%" }} />
      <div />
      <div className={styles.grey} style={{ width: "80%" }} />
      <div />
      <div className={styles.grey} style={{ gridColumn: "1 / -1", width: "90%" }} />
      <div className={styles.grey} style={{ gridColumn: "1 / -1", width: "50%" }} />
    </li>
  );
}
