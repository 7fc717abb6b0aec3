import { dayNumber, isIsoDay } from "#lib/core/clock.ts";
import type { AttributeType } from "#lib/rollout-plan/columns/limits.ts";
import { blankDay } from "./limits.ts";

/**
 * Values of one attribute for many DUs, in the order of the DUs. `numbers`: NaN is blank. `days`: day numbers, `blankDay` is blank. `minutes`: of the day, -1 is blank.
 * `seconds`: since 2000-01-01 in the project's time, NaN is blank. `codes`: places in `texts`, 0 is blank.
 */
export type AttributeColumn =
  | { kind: "numbers"; values: Float64Array }
  | { kind: "days"; values: Int32Array }
  | { kind: "minutes"; values: Int16Array }
  | { kind: "seconds"; values: Float64Array }
  | { kind: "codes"; values: Int32Array; texts: (string | null)[] };

const clock = /^([01]\d|2[0-3]):([0-5]\d)$/;
const moment = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)$/;

const numberOf = (text: string | null): number => (text === null || !/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number.NaN : Number(text));
const dayOf = (text: string | null): number => (text !== null && isIsoDay(text) ? dayNumber(text) : blankDay);

function minuteOf(text: string | null): number {
  const parts = text === null ? null : clock.exec(text);
  return parts ? Number(parts[1]) * 60 + Number(parts[2]) : -1;
}

function secondOf(text: string | null): number {
  const parts = text === null ? null : moment.exec(text);
  if (!parts || !isIsoDay(parts[1] as string)) return Number.NaN;
  return dayNumber(parts[1]) * 86_400 + Number(parts[2]) * 3600 + Number(parts[3]) * 60 + Number(parts[4]);
}

/** Builds a column from stored texts; a text that is no value of the type is blank. */
export class ColumnBuilder {
  private readonly type: AttributeType;
  private readonly values: number[] = [];
  private readonly texts: (string | null)[] = [null];
  // The values of a column are few and come a thousandfold.
  private readonly known = new Map<string | null, number>();

  constructor(type: AttributeType) {
    this.type = type;
  }

  /** Adds the value of the next DU. */
  add(text: string | null): void {
    let value = this.known.get(text);
    if (value === undefined) {
      value = this.valueOf(text);
      this.known.set(text, value);
    }
    this.values.push(value);
  }

  private valueOf(text: string | null): number {
    switch (this.type) {
      case "NUMBER":
        return numberOf(text);
      case "DATE":
        return dayOf(text);
      case "TIME":
        return minuteOf(text);
      case "DATETIME":
        return secondOf(text);
      default:
        return text === null || text === "" ? 0 : this.texts.push(text) - 1;
    }
  }

  /** The whole column. */
  build(): AttributeColumn {
    switch (this.type) {
      case "NUMBER":
        return { kind: "numbers", values: Float64Array.from(this.values) };
      case "DATE":
        return { kind: "days", values: Int32Array.from(this.values) };
      case "TIME":
        return { kind: "minutes", values: Int16Array.from(this.values) };
      case "DATETIME":
        return { kind: "seconds", values: Float64Array.from(this.values) };
      default:
        return { kind: "codes", values: Int32Array.from(this.values), texts: this.texts };
    }
  }
}
