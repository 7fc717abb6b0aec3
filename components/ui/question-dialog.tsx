"use client";
import { Button, Modal } from "@mantine/core";
import { useTranslations } from "next-intl";
import classes from "./question-dialog.module.css";
import type { OpenQuestions } from "./questions.ts";
import { MarkGlyph } from "./status-glyph.tsx";

/** Everything a save wants to know before it is done, in one list: save all the same, or go back. */
export function QuestionDialog({ open }: { open: OpenQuestions }) {
  const t = useTranslations("ui");
  const common = useTranslations("common");
  const { questions, answer } = open;
  return (
    <Modal
      opened
      onClose={() => answer(false)}
      title={t("questions.title", { count: questions.length })}
      size={560}
      zIndex={1_000}
      closeButtonProps={{ "aria-label": common("close") }}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list is scrolled by keyboard */}
      <ul className={classes.list} tabIndex={0} aria-label={t("questions.list")}>
        {questions.map(({ msg }, at) => (
          <li key={at}>
            <MarkGlyph mark="warning" />
            <span>{msg}</span>
          </li>
        ))}
      </ul>
      <div className={classes.foot}>
        <Button data-autofocus onClick={() => answer(false)}>
          {t("questions.back")}
        </Button>
        <Button variant="filled" onClick={() => answer(true)}>
          {t("questions.save")}
        </Button>
      </div>
    </Modal>
  );
}
