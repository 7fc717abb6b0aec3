/**
 * The standard library: facts that most roll-outs track. A project copies from it in the language of who does; names, classifications and choices are texts.
 * An id is what `standard_attribute_id` keeps; it is never given to another one.
 */
export const standards = [
  { id: 1, key: "towerType", group: "site", type: "ENUM", choices: ["lattice", "monopole", "rooftopPole", "guyed", "camouflage"] },
  { id: 2, key: "towerHeight", group: "site", type: "NUMBER", limit: { min: 0, max: 300, decimals: 1 } },
  { id: 3, key: "leaseEnd", group: "site", type: "DATE" },
  { id: 4, key: "permitNumber", group: "permit", type: "TEXT", limit: { maxLength: 60 } },
  { id: 5, key: "permitDate", group: "permit", type: "DATE" },
  { id: 6, key: "keyHolderPhone", group: "access", type: "TEXT", limit: { maxLength: 30 } },
  { id: 7, key: "accessHours", group: "access", type: "TEXT_AREA" },
  { id: 8, key: "appointment", group: "access", type: "DATETIME" },
  { id: 9, key: "powerSource", group: "power", type: "ENUM", choices: ["grid", "generator", "solar", "hybrid"] },
  { id: 10, key: "powerCapacity", group: "power", type: "NUMBER", limit: { min: 0, max: 1000, decimals: 2 } },
  { id: 11, key: "antennaCount", group: "radio", type: "NUMBER", limit: { min: 0, max: 200, decimals: 0 } },
  { id: 12, key: "azimuths", group: "radio", type: "TEXT", limit: { maxLength: 60 } },
  { id: 13, key: "transmission", group: "radio", type: "ENUM", choices: ["fibre", "microwave", "satellite"] },
  { id: 14, key: "contractNumber", group: "contract", type: "TEXT", limit: { maxLength: 60 } },
  { id: 15, key: "acceptanceNote", group: "contract", type: "LONG_TEXT" },
] as const;
