"use client";
import { Button } from "@mantine/core";
import { IconMapPin, IconRefresh, IconTable } from "@tabler/icons-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useCallback, useMemo, useRef, useState } from "react";
import { type Command, useCommands } from "#components/ui/commands.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import { PageBar } from "#components/ui/page-bar.tsx";
import { useDelayed } from "#components/ui/use-delayed.ts";
import { useHref } from "#components/ui/use-href.ts";
import classes from "./du-tree.module.css";
import { DuTree } from "./du-tree.tsx";
import type { TreeRow } from "./tree-rows.ts";
import { useDuTree } from "./use-du-tree.ts";

const SiteDialog = onDemand(() => import("./site-dialog.tsx").then((module) => module.SiteDialog));

/** The DU a line stands for: its own, or that of its activity. */
function duOf(rows: readonly TreeRow[], row: TreeRow | undefined): { id: number; code: string } | null {
  if (row?.kind !== "node") return null;
  const found = row.node.kind === "activity" ? rows.find((given) => given.key === row.parent) : row;
  return found?.kind === "node" && found.node.kind === "du" ? { id: found.node.id, code: found.node.code ?? "" } : null;
}

/** DUs as a hierarchy: regions, customer sites, DUs with their child DUs, activities. */
export function DuTreePage() {
  const t = useTranslations("du-tree");
  const common = useTranslations("common");
  const href = useHref();
  const router = useRouter();
  const { rows, root, load, toggle, refresh } = useDuTree();
  const [active, setActive] = useState<string | null>(null);
  const [site, setSite] = useState<{ of: "site" | "du"; id: number } | null>(null);
  const waiting = useDelayed(root === null || (root.loading && root.records.length === 0));
  const last = useRef(0);
  const at = rows.findIndex((row) => row.key === active);
  if (at >= 0) last.current = at;
  // A line that is gone leaves its place to the one that came there.
  const current = rows[at >= 0 ? at : Math.min(last.current, rows.length - 1)];
  const du = duOf(rows, current);
  const siteId = current?.kind === "node" && current.node.kind === "site" ? current.node.id : null;

  const openPlan = useCallback((code: string) => router.push(href("rolloutPlan", { query: { du: code } })), [router, href]);
  const code = du?.code;
  const duId = du?.id;
  const showSite = useCallback(() => {
    if (siteId !== null) setSite({ of: "site", id: siteId });
    else if (duId !== undefined) setSite({ of: "du", id: duId });
  }, [siteId, duId]);
  const hasSite = siteId !== null || duId !== undefined;
  const commands = useMemo<Command[]>(
    () => [
      ...(code === undefined ? [] : [{ key: "tree-plan", label: t("openPlan"), shortcut: "↵", run: () => openPlan(code) }]),
      ...(hasSite ? [{ key: "tree-site", label: t("site"), run: showSite }] : []),
      { key: "tree-refresh", label: common("refresh"), run: refresh },
    ],
    [t, common, code, hasSite, openPlan, showSite, refresh],
  );
  useCommands(commands);

  const act = (row: TreeRow) => {
    const own = duOf(rows, row);
    if (own) openPlan(own.code);
    else if (row.kind === "node") toggle([row.key], !row.expanded);
    else void load(row.parent);
  };
  const body = () => {
    if (root?.failed != null && root.records.length === 0)
      return <ErrorPanel title={t("failed")} text={root.failed} onRetry={() => void load("")} />;
    if (root && !root.loading && root.records.length === 0) return <EmptyState title={t("empty")} />;
    if (rows.length === 0 || root?.records.length === 0) return waiting ? <Grey /> : null;
    return <DuTree rows={rows} active={current?.key ?? null} onActive={setActive} onToggle={toggle} onAct={act} label={t("label")} />;
  };
  return (
    <>
      <PageBar>
        <Button variant="subtle" color="gray" leftSection={<IconRefresh size={16} stroke={1.4} />} onClick={refresh}>
          {common("refresh")}
        </Button>
        <Button leftSection={<IconMapPin size={16} stroke={1.4} />} disabled={!hasSite} onClick={showSite}>
          {t("site")}
        </Button>
        <Button leftSection={<IconTable size={16} stroke={1.4} />} disabled={!du} onClick={() => du && openPlan(du.code)}>
          {t("openPlan")}
        </Button>
      </PageBar>
      <div className={classes.head} aria-hidden="true">
        <span>{t("head.name")}</span>
        <span>{t("head.status")}</span>
        <span>{t("head.done")}</span>
        <span>{t("head.planEnd")}</span>
        <span>{t("head.dus")}</span>
      </div>
      {body()}
      {site ? <SiteDialog {...site} onClose={() => setSite(null)} /> : null}
    </>
  );
}

/** Lines that are still being read, in their final shape. */
function Grey() {
  return (
    <div className={classes.tree} aria-hidden="true">
      {["52%", "38%", "46%", "30%"].map((width) => (
        <div key={width} className={classes.row}>
          <span className={classes.grey} style={{ width }} />
        </div>
      ))}
    </div>
  );
}
