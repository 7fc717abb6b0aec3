import type { CellShift } from "#components/grid/grid-model.ts";
import { signalAnswer } from "#lib/core/answer-signal.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { isoDay } from "#lib/core/clock.ts";
import type { Answer } from "#lib/core/error.ts";
import { decodeDays } from "#lib/rollout-plan/plan-rows/logic.ts";

/** Dates a version is compared by, in the order of its tiles. */
const compared = ["planStart", "planEnd", "actualStart", "actualEnd"] as const;

/** What `dataVersion/tile` answers. */
type VersionTile = {
  from: number;
  version: { code: string; name: string };
  rows: [duId: number, days: number[], shifts: number[]][];
};

/** How a date of the plan differs from that of the version; `old` is the version's, ISO. */
export type DateShift = { kind: CellShift["kind"]; days: number; old: string | null };

/** The dates of a version beside those of the plan, read part by part as the rows are. */
export class PlanCompare {
  readonly versionId: number;
  /** The version as it is named; null until the first part has come. */
  title: string | null = null;
  private readonly slots: readonly number[];
  private readonly places: ReadonlyMap<number, number>;
  private readonly rows = new Map<number, { days: Uint16Array; shifts: readonly number[] }>();
  private readonly onFailed: (answer: Answer) => void;

  /** @param slots slots of all activities that may be shown */
  constructor(versionId: number, slots: readonly number[], onFailed: (answer: Answer) => void) {
    this.versionId = versionId;
    this.slots = slots;
    this.places = new Map(slots.map((slot, place) => [slot, place]));
    this.onFailed = onFailed;
  }

  /** Reads a part; tells whether there is anything new to show. */
  async read(queryId: string, from: number, count: number): Promise<boolean> {
    if (this.slots.length === 0) return false;
    const input = { versionId: this.versionId, queryId, from, count, slots: this.slots };
    const answer = signalAnswer(await callDoor<VersionTile>("dataVersion/tile", input, { reading: true }));
    if (!answer.data) {
      // An expired query is asked again by the rows themselves.
      if (answer.code !== "QUERY_EXPIRED") this.onFailed(answer);
      return false;
    }
    const { version, rows } = answer.data;
    this.title = `${version.code} ${version.name}`;
    for (const [duId, days, shifts] of rows) this.rows.set(duId, { days: decodeDays(days), shifts });
    return true;
  }

  /** Difference of one date, null where there is none or the DU is not in the version. */
  shift(duId: number, slot: number, field: string, now: string | null): DateShift | null {
    const row = this.rows.get(duId);
    const place = this.places.get(slot);
    const date = (compared as readonly string[]).indexOf(field);
    if (!row || place === undefined || date < 0) return null;
    const at = place * compared.length + date;
    const old = isoDay(row.days[at] ?? 0);
    if (old === now) return null;
    const days = row.shifts[at] ?? 0;
    if (old === null) return { kind: "added", days: 0, old };
    if (now === null) return { kind: "removed", days: 0, old };
    return { kind: days > 0 ? "later" : days < 0 ? "earlier" : "same", days, old };
  }
}
