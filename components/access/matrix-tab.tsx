"use client";
import { Checkbox } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useDeferredValue, useMemo, useState } from "react";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ErrorPanel } from "#components/ui/error-panel.tsx";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import { useSession } from "#components/ui/use-session.tsx";
import { type Grant, overrideKey } from "#lib/access/logic.ts";
import type { Matrix } from "#lib/access/matrix/queries.ts";
import { callDoor } from "#lib/core/call-door.ts";
import type { PermissionCode, Role } from "#lib/permissions.ts";
import classes from "./access.module.css";
import { type MatrixCell, MatrixTable } from "./matrix-table.tsx";
import { PermissionDialog } from "./permission-dialog.tsx";
import { RoleSearch } from "./role-search.tsx";
import { WhyPanel } from "./why-panel.tsx";

/** The permission matrix with the project's own words, and the search for the reason of a right. */
export function MatrixTab() {
  const t = useTranslations("access.matrix");
  const meaning = useTranslations("access.codes");
  const project = useProjectNumber();
  const client = useQueryClient();
  const { can } = useSession();
  const key = ["matrix", project];
  const matrix = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => dataOf(await callDoor<Matrix>("rolePermission/find", {}, { signal })),
  });
  const [text, setText] = useState("");
  const word = useDeferredValue(text.trim().toLowerCase());
  const [chosen, setChosen] = useState<string[]>([]);
  const [ownOnly, setOwnOnly] = useState(false);
  const [edited, setEdited] = useState<MatrixCell | null>(null);
  const overrides = useMemo(
    () => new Map((matrix.data?.overrides ?? []).map(({ role, code, scope }) => [overrideKey(role, code), scope])),
    [matrix.data],
  );
  const columns = (matrix.data?.roles ?? []).filter((role) => chosen.length === 0 || chosen.includes(role));
  const rows = (matrix.data?.rows ?? []).filter(
    ({ code }) =>
      (!word || code.toLowerCase().includes(word) || meaning(code).toLowerCase().includes(word)) &&
      (!ownOnly || columns.some((role) => overrides.has(overrideKey(role, code)))),
  );
  const cellOf = (role: Role, code: PermissionCode, byDefault: Grant): MatrixCell => {
    const own = overrides.get(overrideKey(role, code));
    return { role, code, byDefault, own: own ?? null, grant: own ?? byDefault };
  };
  const refresh = async () => {
    await Promise.all([client.invalidateQueries({ queryKey: key }), client.invalidateQueries({ queryKey: ["why", project] })]);
  };
  return (
    <div className={classes.split}>
      <div className={classes.matrixSide}>
        <search className={classes.matrixBar}>
          <RoleSearch
            text={text}
            textLabel={t("search")}
            onText={setText}
            roles={matrix.data?.roles ?? []}
            rolesLabel={t("roles")}
            chosen={chosen}
            onChosen={setChosen}
          />
          <Checkbox label={t("own")} checked={ownOnly} onChange={(event) => setOwnOnly(event.currentTarget.checked)} />
          <span role="status" className={classes.quiet}>
            {matrix.data ? t("count", { count: rows.length }) : ""}
          </span>
          <span className={classes.legend}>{t("legend")}</span>
        </search>
        {matrix.isError ? (
          <ErrorPanel title={t("failed")} failed={matrix.error} onRetry={() => matrix.refetch()} />
        ) : matrix.data && rows.length === 0 ? (
          <EmptyState />
        ) : (
          <MatrixTable
            rows={rows}
            roles={columns}
            cellOf={cellOf}
            busy={matrix.isFetching}
            onOpen={can("role.permissionEdit") ? setEdited : undefined}
          />
        )}
      </div>
      <WhyPanel />
      <PermissionDialog cell={edited} onClose={() => setEdited(null)} onDone={refresh} />
    </div>
  );
}
