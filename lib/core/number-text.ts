// One sign per digit, of the printable ASCII that needs no escape in JSON: 57 signs end a number, 34 signs say that it goes on.
const firstEnd = 35; // '#'
const ends = 57;
const firstMore = 93; // ']', the sign after the backslash
const more = 34;

/** Writes whole numbers from 0 up to 2^53 as a text, small ones as one sign each; a text of differences is a third of its JSON and read several times as fast. */
export class NumberWriter {
  #bytes = new Uint8Array(1024);
  #at = 0;

  /** Adds a number. */
  push(value: number): void {
    // The longest number has eleven signs.
    if (this.#bytes.length - this.#at < 11) {
      const larger = new Uint8Array(this.#bytes.length * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    let rest = value;
    while (rest >= ends) {
      const digit = rest % more;
      this.#bytes[this.#at++] = firstMore + digit;
      // Exact up to 2^53, which a rounded quotient is not.
      rest = (rest - digit) / more;
    }
    this.#bytes[this.#at++] = firstEnd + rest;
  }

  /** The text of all numbers since the last one taken. */
  take(): string {
    const text = decoder.decode(this.#bytes.subarray(0, this.#at));
    this.#at = 0;
    return text;
  }
}

const decoder = new TextDecoder();

/** Reads the numbers of a text that `NumberWriter` made, one after the other. */
export class NumberReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The next number; 0 beyond the end. */
  next(): number {
    let value = 0;
    let power = 1;
    while (this.#at < this.#text.length) {
      const code = this.#text.charCodeAt(this.#at++);
      if (code < firstMore) return value + (code - firstEnd) * power;
      value += (code - firstMore) * power;
      power *= more;
    }
    return value;
  }
}
