export const projectNumberChars = 60;
export const phaseCodeChars = 20;
export const phaseNameChars = 200;
/** Phases one project number may have. */
export const phasesMax = 100;
export const cyclesPerCall = 100;
