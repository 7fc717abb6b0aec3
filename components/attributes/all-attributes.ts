"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useProjectNumber } from "#components/ui/use-href.ts";
import { dataOf } from "#components/ui/use-list.ts";
import type { AttributeRow } from "#lib/attributes/queries.ts";
import { callDoor, listAddress } from "#lib/core/call-door.ts";
import type { Filter, Page } from "#lib/core/paging.ts";

const address = "planAttr/list";
/** Attributes that are read at a time. */
const pageRows = 200;

/** Every attribute that fits conditions, in the order of the plan. @throws CallError */
export async function readAttributes(filters: Filter[] = [], signal?: AbortSignal): Promise<AttributeRow[]> {
  const rows: AttributeRow[] = [];
  for (let page = 1, total = 1; rows.length < total; page++) {
    const given = listAddress(address, page, pageRows, filters);
    const found = dataOf(await callDoor<Page<AttributeRow>>(given, {}, signal ? { signal } : {}));
    if (found.records.length === 0) break;
    rows.push(...found.records);
    total = found.total;
  }
  return rows;
}

/** Every attribute that fits conditions; read again where its list is. */
export function useAttributes(filters: Filter[]) {
  const project = useProjectNumber();
  return useQuery({
    queryKey: ["list", project, address, "all", filters],
    queryFn: ({ signal }) => readAttributes(filters, signal),
    placeholderData: keepPreviousData,
  });
}
