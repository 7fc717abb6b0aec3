/** Bytes of one piece of memory: the arrays of about as many rows as a screen shows. */
const pieceBytes = 65_536;

/**
 * Cuts small arrays out of large pieces of memory. An engine keeps book of every piece: where each of thousands of arrays had its own, making and giving them back
 * would take as long as filling them. A piece is given back when none of its arrays is used any more.
 */
export class ArrayRoom {
  private memory = new ArrayBuffer(0);
  private used = 0;

  /** So many numbers of 16 bits, all zero. */
  shorts(count: number): Uint16Array {
    const at = this.take(2 * count);
    return new Uint16Array(this.memory, at, count);
  }

  /** So many numbers of 32 bits, all zero. */
  words(count: number): Int32Array {
    const at = this.take(4 * count);
    return new Int32Array(this.memory, at, count);
  }

  /** Where so many bytes begin that nobody else has: at a whole number of words. */
  private take(bytes: number): number {
    const whole = (bytes + 3) & ~3;
    if (this.used + whole > this.memory.byteLength) {
      this.memory = new ArrayBuffer(Math.max(pieceBytes, whole));
      this.used = 0;
    }
    this.used += whole;
    return this.used - whole;
  }
}
