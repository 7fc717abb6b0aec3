"use client";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Confirm } from "#components/ui/confirm.tsx";
import { toast } from "#components/ui/toast.ts";
import { callDoor } from "#lib/core/call-door.ts";
import type { ListedTemplate } from "#lib/templates/queries.ts";

type Props = { templates: readonly ListedTemplate[]; onClose: () => void; onDone: () => unknown };

/** Deletes the chosen templates; how many people start with them is told before. */
export function DeleteTemplates({ templates, onClose, onDone }: Props) {
  const t = useTranslations("templates");
  const [verb] = useState(() => t("delete.verb", { count: templates.length }));
  const used = templates.reduce((sum, { usage }) => sum + usage, 0);
  const remove = async () => {
    const answer = await callDoor("template/basic/delete", { ids: templates.map(({ id }) => id), confirmed: true });
    if (answer.status >= 400) toast.problem(answer.msg ?? t("failed"));
    else toast.done(t("delete.done", { count: templates.length }));
    await onDone();
  };
  return (
    <Confirm opened danger verb={verb} onConfirm={remove} onClose={onClose}>
      {templates.map(({ name }) => name).join(", ")}
      {used > 0 ? <p>{t("delete.used", { count: used })}</p> : null}
    </Confirm>
  );
}
