export const warehouseNameChars = 100;
export const principalNameChars = 100;
export const sourceSystemChars = 60;
export const sourceCodeChars = 60;
export const warehouseTypes = ["central", "regional"] as const;
export type WarehouseType = (typeof warehouseTypes)[number];
