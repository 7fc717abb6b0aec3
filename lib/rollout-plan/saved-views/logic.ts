/** What of a plan a person sees: keys of columns, their names for every activity (`*:planEnd`), groups, flows. */
export type Visible = { columns: ReadonlySet<string>; groups: ReadonlySet<string>; flows: ReadonlySet<number> };

type Head = {
  flows: readonly { flowId: number }[];
  activities: readonly { activityId: number }[];
  activityColumns: readonly { key: string }[];
  fields: readonly { key: string }[];
  attributes: readonly { key: string; level: "DU" | "ACTIVITY" }[];
};

/** What a head shows. */
export function visibleOf(head: Head): Visible {
  const each = [...head.activityColumns, ...head.attributes.filter(({ level }) => level === "ACTIVITY")].map(({ key }) => key);
  return {
    columns: new Set([
      ...head.fields.map(({ key }) => key),
      ...head.attributes.filter(({ level }) => level === "DU").map(({ key }) => key),
      ...each.map((key) => `*:${key}`),
      ...head.activities.flatMap(({ activityId }) => each.map((key) => `${activityId}:${key}`)),
    ]),
    groups: new Set(head.activities.map(({ activityId }) => `activity:${activityId}`)),
    flows: new Set(head.flows.map(({ flowId }) => flowId)),
  };
}

type State = Record<string, unknown>;

const keyOf = (item: unknown) => (item as { key?: unknown } | null)?.key;

/**
 * A kept view without conditions, orders and columns on things a person does not see: what is hidden must not be guessed through them.
 * @returns dropped: how many different conditions and columns went; what only names places and widths of unseen columns is not counted
 */
export function fitView(state: State, visible: Visible): { state: State; dropped: number } {
  const dropped = new Set<unknown>();
  const seen = (known: ReadonlySet<unknown>, value: unknown, counts: boolean) => {
    if (known.has(value)) return true;
    if (counts) dropped.add(value);
    return false;
  };
  const list = (name: string, known: ReadonlySet<unknown>, of: (item: unknown) => unknown, counts: boolean): State =>
    Array.isArray(state[name]) ? { [name]: state[name].filter((item) => seen(known, of(item), counts)) } : {};
  const self = (item: unknown) => item;
  const widths = Object.entries((state.widths ?? {}) as State).filter(([key]) => visible.columns.has(key));
  const fitted: State = {
    ...state,
    ...list("filters", visible.columns, keyOf, true),
    ...list("sort", visible.columns, keyOf, true),
    ...list("locked", visible.columns, self, true),
    ...list("hidden", visible.columns, self, false),
    ...list("order", visible.columns, self, false),
    ...list("folded", visible.groups, self, false),
    ...list("flowIds", visible.flows, self, true),
    ...(state.widths ? { widths: Object.fromEntries(widths) } : {}),
  };
  return { state: fitted, dropped: dropped.size };
}
