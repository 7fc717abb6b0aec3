/** A value that is not saved yet, and the one that stood in its place when it was given, whatever is read meanwhile. */
export type Edit<Value> = { value: Value; base: Value };
/** Edits by the key of their place. */
export type Edits<Value> = ReadonlyMap<string, Edit<Value>>;

/** The edits after values were given; a value that is stored already is no edit. */
export function withGiven<Value>(
  edits: Edits<Value>,
  given: Iterable<readonly [key: string, value: Value]>,
  stored: (key: string) => Value,
): Edits<Value> {
  const next = new Map(edits);
  for (const [key, value] of given) {
    const known = edits.get(key);
    if (value === stored(key)) next.delete(key);
    else next.set(key, { value, base: known ? known.base : stored(key) });
  }
  return next;
}

/** The edits of these places upon what is stored by now, once that has been shown. */
export function rebased<Value>(edits: Edits<Value>, keys: Iterable<string>, stored: (key: string) => Value): Edits<Value> {
  const next = new Map(edits);
  for (const key of keys) {
    const edit = edits.get(key);
    if (edit) next.set(key, { ...edit, base: stored(key) });
  }
  return next;
}

/** The edits after some were saved; what was given since remains, upon what was saved. */
export function withoutSaved<Value>(edits: Edits<Value>, saved: Edits<Value>): Edits<Value> {
  const next = new Map(edits);
  for (const [key, { value }] of saved) {
    const edit = edits.get(key);
    if (edit && edit.value !== value) next.set(key, { ...edit, base: value });
    else next.delete(key);
  }
  return next;
}
