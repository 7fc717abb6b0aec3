"use client";
import { Button, Modal, MultiSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { useCloseGuard, useEdited } from "#components/ui/close-guard.tsx";
import { DialogFoot } from "#components/ui/dialog-foot.tsx";
import { lookup } from "#components/ui/query-client.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import type { Copied } from "#lib/milestones/copies/commands.ts";
import { copyProjectsMax, enabledMilestonesMax } from "#lib/milestones/limits.ts";
import classes from "./milestones.module.css";
import { useSave } from "./use-save.ts";

/** What a project may be refused for. */
const reasons = ["NOT_MEMBER", "NO_PERMISSION", "NAME_EXISTS", "MILESTONE_LIMIT", "PROJECT_CLOSED", "CROSS_BORDER_CONFIRM"] as const;

/** Copies all milestones into other projects and tells what came of each. */
export function CopyDialog({ count, onClose }: { count: number; onClose: () => void }) {
  const t = useTranslations("milestones.copy");
  const common = useTranslations("common");
  const { project } = useSession();
  const [chosen, setChosen] = useState<string[]>([]);
  const [copied, setCopied] = useState<Copied | null>(null);
  const { busy, problem, save } = useSave<Copied>("milestoneConfig/copy", () => false);
  const { close, question } = useCloseGuard(useEdited(chosen) && copied === null, onClose);
  const found = useQuery({
    queryKey: ["projects to copy to"],
    queryFn: async ({ signal }) =>
      dataOf(
        await callDoor<{ records: { number: string; name: string }[] }>("personal/getProjectList/list", { page: 1, size: 200 }, { signal }),
      ),
    meta: lookup,
  });
  const data = (found.data?.records ?? [])
    .filter(({ number }) => number !== project.number)
    .map(({ number, name }) => ({ value: number, label: `${number} · ${name}` }));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setCopied(await save({ toProjectNumbers: chosen }));
  };
  return (
    <Modal opened onClose={close} title={t("title", { count })} size={520} closeButtonProps={{ "aria-label": common("close") }}>
      {copied ? (
        <div className={classes.form}>
          <ul className={classes.plain}>
            {copied.done.map(({ projectNumber, milestones }) => (
              <li key={projectNumber}>{t("done", { project: projectNumber, count: milestones })}</li>
            ))}
            {copied.refused.map(({ projectNumber, code }) => (
              <li key={projectNumber} className={classes.problem}>
                {projectNumber}: {t(`reason.${reasons.find((known) => known === code) ?? "NO_PERMISSION"}`, { max: enabledMilestonesMax })}
              </li>
            ))}
          </ul>
          <div className={classes.foot}>
            <Button variant="filled" onClick={onClose}>
              {common("close")}
            </Button>
          </div>
        </div>
      ) : (
        <form className={classes.form} onSubmit={submit} noValidate>
          <p className={classes.note}>{t("text")}</p>
          <MultiSelect
            label={t("projects")}
            description={t("help", { max: copyProjectsMax })}
            searchable
            maxValues={copyProjectsMax}
            data={data}
            value={chosen}
            onChange={setChosen}
          />
          <DialogFoot problem={problem} verb={t("confirm")} busy={busy} disabled={chosen.length === 0} onClose={close} />
        </form>
      )}
      {question}
    </Modal>
  );
}
