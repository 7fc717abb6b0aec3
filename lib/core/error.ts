import { type ErrorCode, errors } from "#lib/errors.ts";

/** Values that a message text names: `{max}`, `{name}` ... */
export type Params = Record<string, string | number>;

/** One fault of one field: `path` is the field as the caller wrote it (`rows.3.code`), empty for the whole request. */
export type Problem = { path: string; code: ErrorCode; params?: Params };

/** A refusal the caller may read: a code of `lib/errors.ts`, the parameters of its text and, where known, every single problem. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly params: Params;
  readonly problems: Problem[];
  /** What the answer carries besides the refusal, such as the present values of a stale row. */
  readonly data: unknown;

  constructor(code: ErrorCode, params: Params = {}, problems: Problem[] = [], data?: unknown) {
    super(code);
    this.name = "AppError";
    this.code = code;
    this.params = params;
    this.problems = problems;
    this.data = data;
  }

  /** HTTP status of the code. */
  get status(): number {
    return errors[this.code];
  }
}

/**
 * The envelope of every call: `data` on success, `code`, `msg` and `problems` on refusal. What a refusal brings along, such as the row as it is by now, comes as
 * `data` too; a page finds it in `beside` (`signalAnswer`), so that its `data` is always a result.
 */
export type Answer<T = unknown> = {
  status: number;
  code?: ErrorCode;
  msg?: string;
  data?: T;
  beside?: unknown;
  problems?: (Problem & { msg: string })[];
  requestId?: string;
};
