"use client";
import { ActionIcon, Button, TextInput } from "@mantine/core";
import { IconDeviceFloppy, IconPencil, IconRulerMeasure, IconStar, IconStarFilled, IconTrash, IconUsersGroup } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { Tag } from "#components/ui/status-tag.tsx";
import { toast } from "#components/ui/toast.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { useTellEdited } from "#components/ui/use-tell-edited.ts";
import { callDoor } from "#lib/core/call-door.ts";
import type { Answer } from "#lib/core/error.ts";
import { planGrid } from "#lib/templates/limits.ts";
import type { NamedTemplate, Template } from "#lib/templates/queries.ts";
import type { TemplateNames } from "./template-data.ts";
import classes from "./template-dialog.module.css";

type Props = {
  names: TemplateNames;
  loading: boolean;
  /** What overwrites a template. */
  body: object;
  /** Told whether another name is being typed. */
  onEdited: (isEdited: boolean) => void;
  onChanged: () => unknown;
  onApply: (body: unknown) => void;
};

/** Whether the widths of a layout stay when one overwrites it: they are kept by others for all. */
const staysWide = ({ kind, maySaveWidths }: NamedTemplate) => kind === "grid" && !maySaveWidths;

/** Own and public templates of a kind, each with what may be done to it. */
export function TemplateNameList({ names, loading, body, onEdited, onChanged, onApply }: Props) {
  const t = useTranslations("templates");
  const { can } = useSession();
  const [problem, setProblem] = useState<string | null>(null);
  const [renamed, setRenamed] = useState<{ id: number; name: string } | null>(null);
  const [asked, setAsked] = useState<{ template: NamedTemplate; what: "delete" | "overwrite"; note: string } | null>(null);
  const named = [...names.personal, ...names.public].find(({ id }) => id === renamed?.id);
  useTellEdited(renamed !== null && renamed.name !== named?.name, onEdited);
  const told = (answer: Answer) => {
    // What a template holds already need not be written.
    const same = answer.code === "NOTHING_MODIFIED";
    if (same) toast.note(answer.msg);
    const fine = same || answer.status < 400;
    setProblem(fine ? null : (answer.problems?.[0]?.msg ?? answer.msg ?? t("failed")));
    if (fine) {
      setAsked(null);
      setRenamed(null);
      void onChanged();
    }
    return fine;
  };
  const apply = async ({ id }: NamedTemplate) => {
    const answer = await callDoor<Template>("template/basic/find", { id }, { reading: true });
    if (answer.data) onApply(answer.data.body);
    else told(answer);
  };
  /** The template as it is stored, with a part of it changed. */
  const change = async (template: NamedTemplate, part: object) => {
    const found = await callDoor<Template>("template/basic/find", { id: template.id }, { reading: true });
    if (!found.data) return told(found);
    const { kind, objectType, gridKey, name, remark, isPublic, networkType, organisation, rowVersion } = found.data;
    const given = { kind, objectType, gridKey, name, remark, isPublic, networkType, organisation, body: found.data.body };
    const filled = Object.fromEntries(Object.entries({ ...given, ...part }).filter(([, value]) => value !== null));
    return told(await callDoor("template/basic/save", { ...filled, id: template.id, rowVersion: template.rowVersion ?? rowVersion }));
  };
  const star = async ({ id, kind, isDefault }: NamedTemplate) =>
    told(await callDoor("personalized/defaultMapping/save", { gridKey: planGrid, kind, templateId: isDefault ? null : id }));
  const remove = async (template: NamedTemplate, confirmed: boolean) => {
    const answer = await callDoor("template/basic/delete", { ids: [template.id], confirmed });
    // Others start with it: that is told and asked once more.
    if (answer.code === "IN_USE") setAsked({ template, what: "delete", note: t("dialog.inUse") });
    else told(answer);
  };
  const starForAll = async ({ id, kind, isProjectDefault }: NamedTemplate) =>
    told(
      await callDoor("personalized/defaultMapping/save", {
        gridKey: planGrid,
        kind,
        templateId: isProjectDefault ? null : id,
        forProject: true,
      }),
    );
  const keepWidths = async ({ id, name }: NamedTemplate) => {
    const { columns } = body as { columns: unknown };
    const answer = await callDoor("personal/savePosition", { gridKey: planGrid, templateId: id, columns });
    told(answer);
    if (answer.status < 400) toast.done(t("dialog.widthsKept", { name }));
  };
  const row = (template: NamedTemplate) => {
    const { id, name } = template;
    if (renamed?.id === id)
      return (
        <form
          key={id}
          className={classes.row}
          onSubmit={(event) => {
            event.preventDefault();
            void change(template, { name: renamed.name });
          }}
        >
          <TextInput
            className={classes.grow ?? ""}
            size="xs"
            autoFocus
            aria-label={t("dialog.name")}
            value={renamed.name}
            onChange={(event) => setRenamed({ id, name: event.currentTarget.value })}
          />
          <Button size="xs" type="submit" variant="filled">
            {t("dialog.rename")}
          </Button>
          <Button size="xs" onClick={() => setRenamed(null)}>
            {t("cancel")}
          </Button>
        </form>
      );
    return (
      <div key={id} className={classes.row}>
        <button type="button" className={classes.name} title={template.remark ?? ""} onClick={() => void apply(template)}>
          {name}
        </button>
        {template.isProjectDefault ? <Tag>{t("projectDefault")}</Tag> : null}
        {template.sharedBy === null ? null : <Tag>{t("shared")}</Tag>}
        {template.kind === "grid" ? (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-pressed={template.isDefault}
            aria-label={t("dialog.star", { name })}
            onClick={() => void star(template)}
          >
            {template.isDefault ? <IconStarFilled size={16} /> : <IconStar size={16} stroke={1.4} />}
          </ActionIcon>
        ) : null}
        {template.kind === "grid" && template.isPublic && can("template.publicSet") ? (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-pressed={template.isProjectDefault}
            aria-label={t("dialog.projectStar", { name })}
            title={t("dialog.projectStar", { name })}
            onClick={() => void starForAll(template)}
          >
            <IconUsersGroup size={16} stroke={template.isProjectDefault ? 2.2 : 1.4} />
          </ActionIcon>
        ) : null}
        {template.kind === "grid" && template.maySaveWidths && (template.isPublic || template.sharedBy !== null) ? (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t("dialog.widths", { name })}
            title={t("dialog.widths", { name })}
            onClick={() => void keepWidths(template)}
          >
            <IconRulerMeasure size={16} stroke={1.4} />
          </ActionIcon>
        ) : null}
        {template.mayChange ? (
          <>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t("dialog.overwriteName", { name })}
              onClick={() =>
                setAsked({
                  template,
                  what: "overwrite",
                  note: t(staysWide(template) ? "dialog.overwriteNoteWidths" : "dialog.overwriteNote"),
                })
              }
            >
              <IconDeviceFloppy size={16} stroke={1.4} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t("dialog.renameName", { name })}
              onClick={() => setRenamed({ id, name })}
            >
              <IconPencil size={16} stroke={1.4} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t("dialog.deleteName", { name })}
              onClick={() => setAsked({ template, what: "delete", note: t("dialog.deleteNote") })}
            >
              <IconTrash size={16} stroke={1.4} />
            </ActionIcon>
          </>
        ) : null}
      </div>
    );
  };
  const section = (title: string, list: NamedTemplate[]) => (
    <section aria-label={title}>
      <h3 className={classes.title}>{title}</h3>
      {list.length === 0 ? <p className={classes.quiet}>{loading ? t("loading") : t("dialog.none")}</p> : list.map(row)}
    </section>
  );
  return (
    <>
      <ScrollRegion className={classes.lists} label={t("dialog.list")}>
        {section(t("personal"), names.personal)}
        {section(t("public"), names.public)}
      </ScrollRegion>
      {asked ? (
        <div className={classes.asked} role="alertdialog" aria-label={asked.template.name}>
          <span className={classes.grow}>{asked.note}</span>
          <Button size="xs" data-autofocus onClick={() => setAsked(null)}>
            {t("cancel")}
          </Button>
          <Button
            size="xs"
            variant="filled"
            color={asked.what === "delete" ? "red" : "blue"}
            onClick={() =>
              void (asked.what === "delete" ? remove(asked.template, asked.note === t("dialog.inUse")) : change(asked.template, { body }))
            }
          >
            {t(asked.what === "delete" ? "dialog.deleteName" : "dialog.overwriteName", { name: asked.template.name })}
          </Button>
        </div>
      ) : null}
      {problem ? (
        <p className={classes.problem} role="alert">
          {problem}
        </p>
      ) : null}
    </>
  );
}
