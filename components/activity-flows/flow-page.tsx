"use client";
import { Button } from "@mantine/core";
import { IconDownload, IconPlus } from "@tabler/icons-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { useCommands } from "#components/ui/commands.ts";
import { LinkButton } from "#components/ui/link-button.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { useHref } from "#components/ui/use-href.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { FlowDialog } from "./flow-dialog.tsx";
import { FlowList } from "./flow-list.tsx";
import { LibraryDialog } from "./library-dialog.tsx";
import { LibraryList } from "./library-list.tsx";

/** The flows of the project and, as second tab, its activity library. */
export function FlowPage({ tab }: { tab: "flows" | "library" }) {
  const t = useTranslations("activity-flows");
  const href = useHref();
  const router = useRouter();
  const { can } = useSession();
  const [creating, setCreating] = useState(false);
  const tabs = [
    { key: "flows", label: t("list.flows"), href: href("activityFlows") },
    { key: "library", label: t("list.library"), href: href("activityFlows", { query: { tab: "library" } }) },
  ];
  const newLabel = t(tab === "flows" ? "list.newFlow" : "library.new");
  const mayEdit = can("flow.edit");
  const commands = useMemo(() => (mayEdit ? [{ key: "new", label: newLabel, run: () => setCreating(true) }] : []), [mayEdit, newLabel]);
  useCommands(commands);
  return (
    <>
      <PageBar tabs={tabs} tab={tab}>
        {tab === "flows" && can("flow.import") ? (
          <LinkButton
            href={href("activityFlows", { query: { import: "flows" } })}
            icon={<IconDownload size={16} stroke={1.4} aria-hidden="true" />}
          >
            {t("sheet.importVerb")}
          </LinkButton>
        ) : null}
        {mayEdit ? (
          <Button variant="filled" leftSection={<IconPlus size={16} stroke={1.4} />} onClick={() => setCreating(true)}>
            {newLabel}
          </Button>
        ) : null}
      </PageBar>
      {tab === "flows" ? <FlowList onCreate={() => setCreating(true)} /> : <LibraryList onCreate={() => setCreating(true)} />}
      {tab === "flows" ? (
        <FlowDialog
          mode={creating ? { kind: "create" } : null}
          onClose={() => setCreating(false)}
          onDone={(id) => router.push(href("activityFlows", { query: { flow: id } }))}
        />
      ) : (
        <LibraryDialog row={creating ? "new" : null} onClose={() => setCreating(false)} />
      )}
    </>
  );
}
