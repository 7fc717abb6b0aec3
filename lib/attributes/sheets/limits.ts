/** Form of the workbook of definitions; one of another form is refused. */
export const definitionSheetVersion = 1;
export const definitionKind = "attributes";
/** What the workbook has of an attribute, in the order of its columns. */
export const definitionColumns = [
  "id",
  "name",
  "standardName",
  "type",
  "classification",
  "required",
  "visibleCustomer",
  "visibleSubcon",
  "editableSubcon",
  "mobileDisplay",
  "inRolloutPlan",
  "choices",
  "defaultValue",
  "projectDefaultValue",
  "sortNo",
  "remark",
] as const;
export type DefinitionColumn = (typeof definitionColumns)[number];
export const sheetKinds = ["DEFINITION", "VALUES"] as const;
/** Endings of the files an import takes. */
export const sheetEndings = ["xlsx", "xlsm"] as const;
