import { listInput } from "#lib/core/paging.ts";

/** `at` a range of days or a preset; `name` a part of the template's name. */
export const ListTemplateLog = listInput(
  { at: ["range", "preset"], actor: ["eq", "in"], act: ["eq", "in"], name: ["like"] },
  { sortable: [] },
);
