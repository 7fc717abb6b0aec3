export type Pair = {
  address: string;
  pid(name: "web" | "worker"): number | undefined;
  restarts(name: "web" | "worker"): number;
  ready(options?: { milliseconds?: number; signal?: AbortSignal }): Promise<boolean>;
  restart(env: NodeJS.ProcessEnv): void;
  missing(): Promise<string[]>;
  stop(): Promise<void>;
};

export function serve(options: {
  dataDir: string;
  port: number;
  env: Record<string, string | undefined>;
  dev?: boolean;
  say?: (text: string) => void;
}): Pair;

export function clearLeftOvers(dataDir: string): Promise<number>;
