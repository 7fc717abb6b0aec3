/** Days without activity after which a person is not available, and after which he counts as absent. RES-20 */
export const availabilityDays = { min: 30, max: 1000, usual: 90 } as const;
export const presenceDays = { min: 15, max: 1000, usual: 30 } as const;
/** Roles that are granted in the pool only where the PD's switch allows it, unless a project names others. RES-24 */
export const usualKeyRoles = ["PM", "PD", "TD", "TL", "PCM"] as const;
