import "server-only";

/** What the driver makes of a text when it is written: a promise, with what it notes of it on its way. */
type Query = Promise<unknown> & { active: boolean; [noted: string]: unknown };
type Make = (texts: readonly string[], values: readonly unknown[]) => Query;

/** A text with its values that nobody has asked for. What can be asked of it is added below, by the names of the driver. */
class Statement {
  // The driver reads a piece of a statement by these names.
  readonly strings: readonly string[];
  readonly args: readonly unknown[];
  readonly #make: Make;
  #query: Query | undefined;

  constructor(strings: readonly string[], args: readonly unknown[], make: Make) {
    this.strings = strings;
    this.args = args;
    this.#make = make;
  }

  /** The driver's query of a statement, made when something is asked of it for the first time. */
  static query(statement: Statement): Query {
    statement.#query ??= statement.#make(statement.strings, statement.args);
    return statement.#query;
  }
}

/** Lets the driver take statements among values for pieces, which it tells by the class of its queries, and lets them be asked for what its queries can do. */
function adopt({ prototype }: { prototype: object }): void {
  if (Object.getPrototypeOf(Statement.prototype) === prototype) return;
  Object.setPrototypeOf(Statement.prototype, prototype);
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (name === "constructor" || typeof value !== "function") continue;
    const ask = function (this: Statement, ...given: unknown[]): unknown {
      return value.apply(Statement.query(this), given);
    };
    Object.defineProperty(Statement.prototype, name, { value: ask });
  }
}

/** Where each text is written, for the stack of its errors. */
const origins = new WeakMap<readonly string[], Error>();
const originFrames = 4;

/** @param tag the function that was called with the text: the stack begins below it */
function noteOrigin(texts: readonly string[], tag: (...given: never[]) => unknown): void {
  if (origins.has(texts)) return;
  const origin = new Error();
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = originFrames;
  Error.captureStackTrace(origin, tag);
  Error.stackTraceLimit = limit;
  origins.set(texts, origin);
}

// The driver keeps every array of texts it has seen: this one stands for all new queries.
const noText = Object.assign([""], { raw: [""] });

/**
 * The same pool or transaction, of which a text is held as it was written until it is asked for: a piece of a statement never is.
 *
 * The driver makes a promise of each, and two functions that settle it. They are written where a property is assigned, and V8 counts such a function among what is old
 * from its beginning: until all memory is looked through, each keeps what it reaches, which is the query with its pieces, its values and its rows. Here a query has the
 * same fields, and functions that go when it goes.
 * @param check called before a query is made; throws where none may run
 */
export function lean<Given extends object>(given: Given, check: () => void = () => {}): Given {
  const driver = given as unknown as {
    (first: unknown, ...rest: unknown[]): Query;
    unsafe: (...given: unknown[]) => Query;
    savepoint?: (...given: unknown[]) => Promise<unknown>;
  };
  // It never runs: a query as it is when it is new.
  const fresh = driver(noText);
  const [origin] = Object.getOwnPropertySymbols(fresh);
  const queryClass = fresh.constructor as new () => Query;
  adopt(queryClass);
  const make: Make = (strings, args) => {
    check();
    let settle: { resolve: (value: unknown) => void; reject: (error: unknown) => void } | undefined;
    const executor = (resolve: (value: unknown) => void, reject: (error: unknown) => void) => {
      settle = { resolve, reject };
    };
    const query = Reflect.construct(Promise, [executor], queryClass) as Query;
    const resolve = (value: unknown) => {
      query.active = false;
      settle?.resolve(value);
    };
    const reject = (error: unknown) => {
      query.active = false;
      settle?.reject(error);
    };
    return Object.assign(query, fresh, { strings, args, options: {}, resolve, reject, [origin as symbol]: origins.get(strings) });
  };
  const tag = (first: unknown, ...rest: unknown[]) => {
    if (!Array.isArray((first as { raw?: unknown } | undefined)?.raw)) return driver(first, ...rest);
    noteOrigin(first as string[], tag);
    return new Statement(first as string[], rest, make);
  };
  const unsafe = (text: string, ...rest: unknown[]) =>
    new Statement([text], [], () => {
      check();
      return driver.unsafe(text, ...rest);
    });
  const { savepoint } = driver;
  const within = savepoint && {
    /** Its name, which may be left out, and what is done within it. */
    savepoint: (...rest: unknown[]) => {
      check();
      const fn = rest.pop() as (inner: Given) => unknown;
      return savepoint(...rest, (inner: Given) => fn(lean(inner, check)));
    },
  };
  return Object.assign(tag, given, { unsafe }, within) as unknown as Given;
}
