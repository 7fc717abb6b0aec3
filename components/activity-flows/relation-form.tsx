"use client";
import { Button } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useId } from "react";
import type { EditorRelation } from "#lib/activity-flows/editor/logic.ts";
import { offsetDaysMax, type RelationType, relationTypes } from "#lib/activity-flows/graph/limits.ts";
import { DraftInput } from "./draft-input.tsx";
import classes from "./editor-panel.module.css";
import { type FlowEditing, relationKey } from "./use-flow-editor.ts";

/** Type and offset of the chosen relation. */
export function RelationForm({ editing, relation }: { editing: FlowEditing; relation: EditorRelation }) {
  const { graph, editable, change, setSelection, removeSelected } = editing;
  const t = useTranslations("activity-flows");
  const id = useId();
  const name = (key: string) => graph.nodes.find((node) => node.key === key)?.name ?? "";
  const replace = (next: EditorRelation) => {
    change({ do: "relate", relation: next, replaces: relation });
    setSelection({ nodes: new Set(), relations: new Set([relationKey(next)]) });
  };
  return (
    <section className={classes.section} aria-label={t("panel.relation")}>
      <h2 className={classes.title}>
        {name(relation.pre)} → {name(relation.node)}
      </h2>
      <label className={classes.field} htmlFor={`${id}-type`}>
        <span>{t("panel.type")}</span>
        <select
          id={`${id}-type`}
          className={classes.input}
          disabled={!editable}
          value={relation.type}
          onChange={(event) => replace({ ...relation, type: event.currentTarget.value as RelationType })}
        >
          {relationTypes.map((type) => (
            <option key={type} value={type}>
              {t(`relation.${type}`)}
            </option>
          ))}
        </select>
      </label>
      <label className={classes.field} htmlFor={`${id}-offset`}>
        <span>{t("panel.offset", { max: offsetDaysMax })}</span>
        <DraftInput
          id={`${id}-offset`}
          className={classes.input}
          disabled={!editable}
          label={t("panel.offsetShort")}
          value={String(relation.offset)}
          onCommit={(text) => {
            const offset = /^[+-]?\d+$/.test(text.normalize("NFKC").trim()) ? Number(text.normalize("NFKC").trim()) : Number.NaN;
            if (!(Math.abs(offset) <= offsetDaysMax)) return t("panel.offsetWrong", { max: offsetDaysMax });
            replace({ ...relation, offset });
            return null;
          }}
        />
        <small>{t("panel.offsetHelp")}</small>
      </label>
      {editable ? (
        <Button leftSection={<IconTrash size={16} stroke={1.4} />} onClick={removeSelected}>
          {t("panel.deleteRelation")}
        </Button>
      ) : null}
    </section>
  );
}
