/** What decides whether a person may edit the plan of a DU. */
export type EditorFacts = {
  /** The person holds rollout.edit on this DU. */
  mayEdit: boolean;
  /** One of the person's valid roles is PM or PCM. */
  general: boolean;
  /** Data Control Flag of the project. */
  dataControl: boolean;
  hasDuOwners: boolean;
  isDuOwner: boolean;
  hasRegionOwners: boolean;
  isRegionOwner: boolean;
};

/** Whether a person may edit plan dates and owners of a DU: under data control its DU owners, else its region's owners, else PM and PCM. */
export function canEditPlan(facts: EditorFacts): boolean {
  if (!facts.mayEdit) return false;
  if (!facts.dataControl) return true;
  if (facts.hasDuOwners) return facts.isDuOwner;
  if (facts.hasRegionOwners) return facts.isRegionOwner;
  return facts.general;
}

/** Every right on every DU, for writes whose own right has been asked and which no right on a plan restrains. */
export function everyEditor(duIds: readonly number[]) {
  const right = { plan: true, actual: true, attribute: true, du: true, related: true };
  return new Map(duIds.map((id) => [id, right]));
}
