"use client";
import { Button, Checkbox, Modal, MultiSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useCloseGuard, useEdited } from "#components/ui/close-guard.tsx";
import { lookup } from "#components/ui/query-client.ts";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { dataOf } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import type { ListedTemplate } from "#lib/templates/queries.ts";
import type { Shared } from "#lib/templates/sharing/commands.ts";
import { sharedProjectsMax, sharedTemplatesMax } from "#lib/templates/sharing/limits.ts";
import classes from "./template-dialog.module.css";

type Props = { templates: readonly ListedTemplate[]; onClose: () => void; onDone: () => unknown };
/** What a project or template may be refused for. */
const reasons = [
  "NOT_MEMBER",
  "NO_PERMISSION",
  "TEMPLATE_NAME_EXISTS",
  "TEMPLATE_LIMIT",
  "PROJECT_CLOSED",
  "FLOW_NOT_RELEASED",
  "CROSS_BORDER_CONFIRM",
] as const;

type Projects = { records: { number: string; name: string }[] };

/** Copies the chosen templates into other projects, and tells what came of each and what has no partner there. */
export function ShareDialog({ templates, onClose, onDone }: Props) {
  const t = useTranslations("templates");
  const common = useTranslations("common");
  const { project } = useSession();
  const [chosen, setChosen] = useState<string[]>([]);
  const [rename, setRename] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [shared, setShared] = useState<Shared | null>(null);
  const isEdited = useEdited([chosen, rename]);
  const { close, question } = useCloseGuard(isEdited && !shared, onClose);
  const found = useQuery({
    queryKey: ["projects to share with"],
    queryFn: async ({ signal }) => dataOf(await callDoor<Projects>("personal/getProjectList/list", { page: 1, size: 200 }, { signal })),
    meta: lookup,
  });
  const data = (found.data?.records ?? [])
    .filter(({ number }) => number !== project.number)
    .map(({ number, name }) => ({ value: number, label: `${number} · ${name}` }));
  const tooMany = templates.length > sharedTemplatesMax;
  const submit = async () => {
    setBusy(true);
    const input = { templateIds: templates.map(({ id }) => id), projectNumbers: chosen, rename };
    const answer = await callDoor<Shared>("personal/shareOtherProject", input);
    setBusy(false);
    if (!answer.data) return setProblem(answer.msg ?? t("failed"));
    setProblem(null);
    setShared(answer.data);
    await onDone();
  };
  const nameOf = (id: number | null) => templates.find((one) => one.id === id)?.name ?? "";
  return (
    <Modal
      opened
      onClose={close}
      title={t("share.title", { count: templates.length })}
      size={560}
      closeButtonProps={{ "aria-label": common("close") }}
    >
      {shared ? (
        <div className={classes.dialog}>
          <ScrollRegion className={classes.lists} label={t("share.result")}>
            <ul className={classes.plain}>
              {shared.done.map((one) => (
                <li key={one.id}>
                  {t("share.done", { project: one.project, name: one.name })}
                  {one.unmapped.length > 0 ? (
                    <div className={classes.quiet}>{t("share.unmapped", { names: one.unmapped.join(", ") })}</div>
                  ) : null}
                </li>
              ))}
              {shared.refused.map((one) => (
                <li key={`${one.project} ${one.templateId}`} className={classes.problem}>
                  {one.project} {nameOf(one.templateId)}:{" "}
                  {t(`share.reason.${reasons.find((known) => known === one.reason) ?? "NO_PERMISSION"}`)}
                </li>
              ))}
            </ul>
          </ScrollRegion>
          <div className={classes.foot}>
            <Button variant="filled" onClick={onClose}>
              {common("close")}
            </Button>
          </div>
        </div>
      ) : (
        <div className={classes.dialog}>
          <p className={classes.quiet}>{templates.map(({ name }) => name).join(", ")}</p>
          <MultiSelect
            label={t("share.projects")}
            description={t("share.help", { max: sharedProjectsMax })}
            searchable
            maxValues={sharedProjectsMax}
            data={data}
            value={chosen}
            onChange={setChosen}
          />
          <Checkbox label={t("share.rename")} checked={rename} onChange={(event) => setRename(event.currentTarget.checked)} />
          {tooMany || problem ? (
            <p className={classes.problem} role="alert">
              {problem ?? t("share.tooMany", { max: sharedTemplatesMax })}
            </p>
          ) : null}
          <div className={classes.foot}>
            <Button onClick={close}>{common("cancel")}</Button>
            <Button variant="filled" loading={busy} disabled={chosen.length === 0 || tooMany} onClick={submit}>
              {t("share.verb")}
            </Button>
          </div>
        </div>
      )}
      {question}
    </Modal>
  );
}
