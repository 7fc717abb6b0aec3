type Shape = { type: string; coordinates?: unknown; geometry?: Shape; features?: Shape[]; properties?: object };
export function makeMapFiles(): Promise<void>;
export function withoutJumps<Given extends Shape>(shape: Given): Given;
