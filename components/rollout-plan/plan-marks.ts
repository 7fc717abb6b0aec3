import type { CellNote } from "#components/grid/grid-model.ts";
import { tileSize } from "#components/grid/tile-cache.ts";
import { callDoor } from "#lib/core/call-door.ts";
import { columnKey } from "./plan-keys.ts";

type Violation = { duId: number; activityId?: number; attributeId?: number; event: string; unmet: string[] };
type Warning = { duId: number; activityId: number; field: string; message: string };

/** Fields that hold an event of an activity; what is closed shows at its end. */
const eventFields: Readonly<Record<string, string>> = { START: "actualStart", COMPLETE: "actualEnd", CLOSE: "actualEnd" };

/** What dependency rules and warnings say of cells: a lock where something is waited for, a badge where a warning matches. Read part by part as the rows are. */
export class PlanMarks {
  private readonly rows = new Map<number, ReadonlyMap<string, CellNote>>();
  /** DUs whose marks could not be read; what was known of them stays. */
  private readonly unread = new Set<number>();

  /** Whether marks could not be read. */
  get behind(): boolean {
    return this.unread.size > 0;
  }

  /** Reads marks again that could not be read; tells whether anything changed. */
  catchUp(): Promise<boolean> {
    return this.read([...this.unread].slice(0, tileSize));
  }

  /** Reads the marks of DUs; tells whether anything changed. */
  async read(duIds: readonly number[]): Promise<boolean> {
    if (duIds.length === 0) return false;
    const [waiting, warned] = await Promise.all([
      callDoor<{ violations: Violation[] }>("rollPlanDependency/violations", { duIds }, { reading: true }),
      callDoor<{ warnings: Warning[] }>("warningConfig/evaluate", { duIds }, { reading: true }),
    ]);
    const failed = waiting.status >= 400 || warned.status >= 400;
    const wasBehind = this.behind;
    for (const duId of duIds) {
      if (failed) this.unread.add(duId);
      else this.unread.delete(duId);
    }
    if (failed) return !wasBehind;
    const marks = new Map<number, Map<string, CellNote>>();
    const put = (duId: number, key: string, mark: CellNote["mark"], texts: readonly string[]) => {
      const row = marks.get(duId) ?? new Map<string, CellNote>();
      marks.set(duId, row);
      const known = row.get(key);
      row.set(key, { mark: known?.mark ?? mark, text: [...new Set([...(known ? [known.text] : []), ...texts])].join("; ") });
    };
    for (const { duId, activityId, attributeId, event, unmet } of waiting.data?.violations ?? [])
      put(
        duId,
        attributeId === undefined ? columnKey(eventFields[event] as string, activityId as number) : `a${attributeId}`,
        "waits",
        unmet,
      );
    for (const { duId, activityId, field, message } of warned.data?.warnings ?? [])
      put(duId, columnKey(field, activityId), "warning", [message]);
    let changed = wasBehind !== this.behind;
    for (const duId of duIds) {
      const now = marks.get(duId);
      changed ||= now !== undefined || this.rows.has(duId);
      if (now) this.rows.set(duId, now);
      else this.rows.delete(duId);
    }
    return changed;
  }

  /** The mark of a cell, undefined where there is none. */
  of(duId: number, key: string): CellNote | undefined {
    return this.rows.get(duId)?.get(key);
  }
}
