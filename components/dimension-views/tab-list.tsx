"use client";
import { ActionIcon, Switch } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconPencil, IconTrash } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Confirm } from "#components/ui/confirm.tsx";
import { toast } from "#components/ui/toast.ts";
import { useAction } from "#components/ui/use-action.ts";
import type { Answer } from "#lib/core/error.ts";
import { deleteTabs, saveTab, sortTabs } from "#lib/dimension-views/actions.ts";
import type { Tab } from "#lib/dimension-views/queries.ts";
import { dimensionName, useDimensions } from "./use-tabs.ts";
import classes from "./views.module.css";

type Props = {
  /** Tabs of one set in their order. */
  tabs: readonly Tab[];
  readOnly?: boolean;
  onEdit: (tab: Tab) => void;
  onChanged: () => Promise<unknown>;
};

/** Tabs of one set: shown or hidden, put in order, edited, deleted. One stays shown. [MDV-13] */
export function TabList({ tabs, readOnly = false, onEdit, onChanged }: Props) {
  const t = useTranslations("dimension-views");
  const common = useTranslations("common");
  const found = useDimensions();
  const names = new Map((found.data?.dimensions ?? []).map((dimension) => [dimension.key, dimensionName(dimension, t)]));
  const [asked, setAsked] = useState<Tab | null>(null);
  const [save, saving] = useAction(saveTab);
  const [sort] = useAction(sortTabs);
  const [sorting, setSorting] = useState(false);
  const [remove] = useAction(deleteTabs);
  const busy = saving || sorting;
  const tell = async (answer: Answer) => {
    if (answer.status >= 400) toast.problem(answer.problems?.[0]?.msg ?? answer.msg ?? t("failed"));
    await onChanged();
  };
  const move = async (at: number, step: number) => {
    const before = tabs.map(({ id }) => id);
    const ids = before.toSpliced(at, 1).toSpliced(at + step, 0, before[at] as number);
    // Until the list is read anew: the next move is made upon what is shown then.
    setSorting(true);
    await tell(await sort({ ids, before }));
    setSorting(false);
  };
  return (
    <>
      <table className={classes.list} aria-label={t("list.label")} aria-busy={busy}>
        <thead>
          <tr>
            <th scope="col">{t("editor.alias")}</th>
            <th scope="col">{t("editor.dimension")}</th>
            <th scope="col">{t("editor.activities")}</th>
            <th scope="col">{t("list.shown")}</th>
            <th scope="col">
              <span hidden>{t("list.verbs")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {tabs.map((tab, at) => (
            <tr key={tab.id}>
              <th scope="row">{tab.alias}</th>
              <td>{names.get(tab.dimension) ?? (found.isSuccess ? t("list.gone") : "")}</td>
              <td>{tab.activityIds.length}</td>
              <td>
                <Switch
                  size="xs"
                  aria-label={t("list.show", { alias: tab.alias })}
                  checked={tab.visible}
                  disabled={readOnly || busy}
                  onChange={(event) => void save({ ...tab, visible: event.currentTarget.checked }).then(tell)}
                />
              </td>
              <td>
                {readOnly ? null : (
                  <>
                    <ActionIcon
                      size={24}
                      aria-label={t("list.up", { alias: tab.alias })}
                      disabled={at === 0 || busy}
                      onClick={() => move(at, -1)}
                    >
                      <IconArrowUp size={14} stroke={1.4} />
                    </ActionIcon>
                    <ActionIcon
                      size={24}
                      aria-label={t("list.down", { alias: tab.alias })}
                      disabled={at === tabs.length - 1 || busy}
                      onClick={() => move(at, 1)}
                    >
                      <IconArrowDown size={14} stroke={1.4} />
                    </ActionIcon>
                    <ActionIcon size={24} aria-label={t("list.edit", { alias: tab.alias })} onClick={() => onEdit(tab)}>
                      <IconPencil size={14} stroke={1.4} />
                    </ActionIcon>
                    <ActionIcon size={24} aria-label={t("list.delete", { alias: tab.alias })} onClick={() => setAsked(tab)}>
                      <IconTrash size={14} stroke={1.4} />
                    </ActionIcon>
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Confirm
        opened={asked !== null}
        verb={common("delete")}
        title={t("list.delete", { alias: asked?.alias ?? "" })}
        danger
        onConfirm={async () => asked && tell(await remove({ ids: [asked.id] }))}
        onClose={() => setAsked(null)}
      >
        {t(asked?.global ? "list.deleteGlobal" : "list.deleteOwn")}
      </Confirm>
    </>
  );
}
