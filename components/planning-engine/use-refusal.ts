"use client";
import { useTranslations } from "next-intl";
import { useCallback } from "react";
import type { Refusal } from "#components/grid/grid-model.ts";
import type { Params } from "#lib/core/error.ts";

/** Says a code with its bounds in the language of the page. */
export function useRefusal(): (code: string, params: Params) => Refusal {
  const errors = useTranslations("errors");
  return useCallback(
    (code: string, params: Params) => ({ code, cause: errors.has(code as never) ? errors(code as never, params as never) : code }),
    [errors],
  );
}
