"use client";
import { Modal, SegmentedControl } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useCloseGuard } from "#components/ui/close-guard.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { dataOf } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { callDoor } from "#lib/core/call-door.ts";
import { planGrid } from "#lib/templates/limits.ts";
import { namesKey, type TemplateNames } from "./template-data.ts";
import classes from "./template-dialog.module.css";
import { TemplateForm } from "./template-form.tsx";
import { TemplateNameList } from "./template-name-list.tsx";

const kinds = ["search", "filter", "grid"] as const;
type Kind = (typeof kinds)[number];
const none: TemplateNames = { personal: [], public: [], max: null };

type Props = {
  /** What stands to be kept, by kind. */
  parts: Record<Kind, object>;
  onApply: (kind: Kind, body: unknown) => void;
  onClose: () => void;
};

/** Kept searches, filters and layouts of the plan: chosen, saved, overwritten, renamed, deleted, made the default. [TPL-01] */
export function TemplateDialog({ parts, onApply, onClose }: Props) {
  const t = useTranslations("templates");
  const common = useTranslations("common");
  const { project } = useSession();
  const client = useQueryClient();
  const [kind, setKind] = useState<Kind>("grid");
  const [isNamed, setNamed] = useState(false);
  const [isRenamed, setRenamed] = useState(false);
  const { close, question } = useCloseGuard(isNamed || isRenamed, onClose);
  const found = useQuery({
    queryKey: namesKey(project.number, kind),
    queryFn: async ({ signal }) =>
      dataOf(await callDoor<TemplateNames>("template/basic/getTemplateNames", { kind, gridKey: planGrid }, { signal })),
  });
  const refresh = () => client.invalidateQueries({ queryKey: namesKey(project.number, kind) });
  return (
    <Modal opened onClose={close} title={t("dialog.title")} size={640} closeButtonProps={{ "aria-label": common("close") }}>
      <div className={classes.dialog}>
        <SegmentedControl
          fullWidth
          value={kind}
          aria-label={t("dialog.kind")}
          onChange={(next) => setKind(next as Kind)}
          data={kinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
        />
        {found.isError && !found.data ? (
          <ErrorPanel title={t("dialog.failed")} failed={found.error} onRetry={() => found.refetch()} />
        ) : (
          <TemplateNameList
            key={kind}
            names={found.data ?? none}
            loading={found.isPending}
            body={parts[kind]}
            onEdited={setRenamed}
            onChanged={refresh}
            onApply={(body) => {
              onApply(kind, body);
              onClose();
            }}
          />
        )}
        <TemplateForm
          key={`${kind} new`}
          kind={kind}
          body={parts[kind]}
          names={found.data}
          onEdited={setNamed}
          onSaved={refresh}
          onClose={onClose}
        />
      </div>
      {question}
    </Modal>
  );
}
