"use client";
import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { LinkButton } from "#components/ui/link-button.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { useExport } from "#components/ui/use-export.ts";
import { useHref } from "#components/ui/use-href.ts";
import type { EngineSetting } from "#lib/planning-engine/versions/queries.ts";
import { MaterialView } from "./material-view.tsx";
import { NetList } from "./net-list.tsx";
import classes from "./outputs.module.css";
import { RunFactsView } from "./run-facts.tsx";
import { RunFrame } from "./run-frame.tsx";
import { RunPickers } from "./run-pickers.tsx";
import { useOutput } from "./use-output.ts";
import { useRunChoice } from "./use-run-choice.ts";

const tabs = ["grid", "net"] as const;
type Tab = (typeof tabs)[number];

/** What is needed of which item by when, what of it there is, and what has to be bought. [ENG-04] */
export function MaterialPage() {
  const t = useTranslations("outputs.material");
  const all = useTranslations("outputs");
  const href = useHref();
  const choice = useRunChoice();
  const { run } = choice;
  const [tab, setTab] = useState<Tab>("grid");
  const [startExport, exporting] = useExport("engine/output/export");
  const versionId = choice.version?.id ?? null;
  const setting = useOutput<EngineSetting>("engine/setting/find", { versionId }, { enabled: versionId !== null, staleTime: 0 });
  return (
    <>
      <PageBar
        tabs={run?.hasOutput ? tabs.map((key) => ({ key, label: t(`tab.${key}`) })) : []}
        tab={tab}
        onTab={(key) => setTab(key as Tab)}
      >
        {run?.hasOutput ? (
          <>
            <LinkButton href={href("materialGap", { query: { versionId: String(run.versionId), runId: String(run.id) } })}>
              {t("toGap")}
            </LinkButton>
            <Button
              leftSection={<IconDownload size={16} stroke={1.4} />}
              loading={exporting}
              onClick={() => void startExport({ runId: run.id })}
            >
              {all("export")}
            </Button>
          </>
        ) : null}
      </PageBar>
      {choice.version && run ? (
        <div className={classes.state} role="toolbar" aria-label={all("which")}>
          <RunPickers choice={choice} />
          {setting.data ? <span className={classes.currency}>{t("currency", { currency: setting.data.currency })}</span> : null}
        </div>
      ) : null}
      <RunFrame choice={choice} failed={(given) => <RunFactsView run={given} onOpenDu={undefined} />}>
        {(given) => (tab === "grid" ? <MaterialView key={given.id} runId={given.id} /> : <NetList key={given.id} runId={given.id} />)}
      </RunFrame>
    </>
  );
}
