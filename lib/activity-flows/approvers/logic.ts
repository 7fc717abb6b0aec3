/** A change as people name it: DUC-0012. */
export function changeCode(number: number): string {
  return `DUC-${String(number).padStart(4, "0")}`;
}
