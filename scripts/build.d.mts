export function build(env: Record<string, string | undefined>, signal?: AbortSignal): Promise<string>;
export function sourceStamp(): string;
