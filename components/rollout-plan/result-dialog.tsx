"use client";

import { Button } from "@mantine/core";
import { IconArrowBackUp, IconDownload } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { saveCsv } from "#components/ui/save-csv.ts";
import { MarkGlyph } from "#components/ui/status-glyph.tsx";
import styles from "./dialogs.module.css";
import { PlanDialog } from "./plan-dialog.tsx";
import { countByCode, type RejectedCell } from "./plan-saving.ts";
import { type UndoOffer, UndoTime } from "./undo-offer.tsx";

/** A refused cell in words. */
export type RefusedLine = RejectedCell & { du: string; activity: string; column: string; asked: string };

type Props = {
  title: string;
  note: string;
  lines: readonly RefusedLine[];
  undo: UndoOffer | null;
  onUndo: () => void;
  onSelect: (lines: readonly RefusedLine[]) => void;
  onClose: () => void;
};

const shownAtFirst = 200;

function download(name: string, lines: readonly RefusedLine[], heads: readonly string[]): void {
  const rows = [heads, ...lines.map((line) => [line.du, line.activity, line.column, line.asked, line.msg])];
  saveCsv(name, rows);
}

/** What a save or batch did: counts in the title, every refused cell with its reason, and what can be done about them. */
export function ResultDialog({ title, note, lines, undo, onUndo, onSelect, onClose }: Props) {
  const t = useTranslations("plan-grid");
  const [off, setOff] = useState<ReadonlySet<number>>(new Set());
  const [whole, setWhole] = useState(false);
  const heads = [t("result.du"), t("result.activity"), t("result.field"), t("result.asked"), t("result.reason")];
  const shown = whole ? lines : lines.slice(0, shownAtFirst);
  const toggle = (at: number) =>
    setOff((now) => {
      const next = new Set(now);
      if (!next.delete(at)) next.add(at);
      return next;
    });
  const chosen = lines.filter((_line, at) => !off.has(at));
  return (
    <PlanDialog onClose={onClose} title={title} size={900}>
      <p className={styles.place}>{note}</p>
      {lines.length > 0 && (
        <div className={styles.box}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th>
                  <input
                    type="checkbox"
                    aria-label={t("result.all")}
                    checked={off.size === 0}
                    onChange={() => setOff(off.size === 0 ? new Set(lines.keys()) : new Set())}
                  />
                </th>
                {heads.map((head) => (
                  <th key={head}>{head}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map((line, at) => (
                <tr key={`${line.duId}-${line.activityId}-${line.field}`}>
                  <td>
                    <input type="checkbox" aria-label={line.du} checked={!off.has(at)} onChange={() => toggle(at)} />
                  </td>
                  <td className={styles.nowrap}>{line.du}</td>
                  <td>{line.activity}</td>
                  <td>{line.column}</td>
                  <td className={styles.nowrap}>{line.asked || "-"}</td>
                  <td>
                    <span className={styles.cause}>
                      <MarkGlyph mark="warning" />
                      {line.msg}
                    </span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <div className={styles.counts}>
        {countByCode(lines).map(({ code, msg, count }) => (
          <span key={code}>
            {msg} <b>{count}</b>
          </span>
        ))}
        {shown.length < lines.length && (
          <button type="button" className={styles.link} onClick={() => setWhole(true)}>
            {t("result.more", { count: lines.length - shown.length })}
          </button>
        )}
      </div>
      <div className={styles.foot}>
        {lines.length > 0 && (
          <Button
            variant="subtle"
            color="gray"
            leftSection={<IconDownload size={16} stroke={1.4} />}
            onClick={() => download(t("result.file"), lines, heads)}
          >
            {t("result.download")}
          </Button>
        )}
        <span className={styles.grow} />
        {undo && (
          <>
            <span className={styles.quiet}>
              <UndoTime offer={undo} />
            </span>
            <Button leftSection={<IconArrowBackUp size={16} stroke={1.4} />} onClick={onUndo}>
              {t("undo.button")}
            </Button>
          </>
        )}
        {lines.length > 0 && (
          <Button disabled={chosen.length === 0} onClick={() => onSelect(chosen)}>
            {t("result.select")}
          </Button>
        )}
        <Button variant="filled" data-autofocus onClick={onClose}>
          {t("result.done")}
        </Button>
      </div>
    </PlanDialog>
  );
}
