"use client";
import { Modal, MultiSelect, Textarea } from "@mantine/core";
import { useLocale, useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { useExport } from "#components/ui/use-export.ts";
import { useSearchText } from "#components/ui/use-search-text.ts";
import type { Locale } from "#lib/core/locale.ts";
import { searchEntries } from "#lib/core/search-entries.ts";
import { milestoneName } from "#lib/milestones/logic.ts";
import type { Milestone } from "#lib/milestones/queries.ts";
import classes from "./milestones.module.css";

/** Exports the milestone plan in the ERP-PM layout: which milestones, and of which DUs. [MDV-21] */
export function ErpDialog({ milestones, onClose }: { milestones: readonly Milestone[]; onClose: () => void }) {
  const t = useTranslations("milestones.erp");
  const common = useTranslations("common");
  const locale = useLocale() as Locale;
  const [start, starting] = useExport("milestoneConfig/erp/export");
  const [chosen, setChosen] = useState(milestones.map(({ id }) => String(id)));
  const [text, setText] = useState("");
  const { take } = useSearchText(setText);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const codes = searchEntries(text);
    await start({ milestoneIds: chosen.map(Number), filters: codes.length > 0 ? [{ field: "search", type: "in", values: codes }] : [] });
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title={t("verb")} size={520} closeButtonProps={{ "aria-label": common("close") }}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <p className={classes.note}>{t("text")}</p>
        <MultiSelect
          label={t("milestones")}
          data={milestones.map((row) => ({ value: String(row.id), label: `${row.number} · ${milestoneName(row, locale)}` }))}
          value={chosen}
          onChange={setChosen}
        />
        <Textarea
          label={t("dus")}
          description={t("dusHelp")}
          autosize
          minRows={2}
          maxRows={6}
          value={text}
          onChange={(event) => take(event.currentTarget.value)}
        />
        <DialogFoot problem={undefined} verb={common("export")} busy={starting} disabled={chosen.length === 0} onClose={onClose} />
      </form>
    </Modal>
  );
}
