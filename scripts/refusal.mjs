/** A mistake of the person or the machine, told without a stack. */
export class Refusal extends Error {}
