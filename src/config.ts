// Environment and flags → one frozen Config. A bad value stops the start and names its variable.
import { homedir } from "node:os";
import { join } from "node:path";
import { z } from "zod";

const port = z.coerce.number().int().min(0).max(65_535);
const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max);
const list = z.string().transform((text) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean),
);

const variables = {
  PARLEY_STORE: z
    .string()
    .min(1)
    .default(join(homedir(), ".parley", "parley.db")),
  PARLEY_HOST: z.string().min(1).default("127.0.0.1"),
  PARLEY_PORT: port.default(4747),
  PARLEY_NAME: z.string().min(1).max(64).default("Parley"),
  PARLEY_PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  PARLEY_ALLOWED_HOSTS: list.default([]),
  PARLEY_BASE_PATH: z
    .string()
    .regex(/^(?:\/[A-Za-z0-9._~-]+)*\/?$/, "must look like /team")
    .transform((path) => path.replace(/\/$/, ""))
    .default(""),
  PARLEY_TRUST_PROXY: z.string().min(1).optional(),
  PARLEY_MAX_PENDING: whole(1, 10_000).default(20),
  PARLEY_CRITICAL_DELAY_SECONDS: whole(0, 86_400).default(60),
  PARLEY_LEASE_SECONDS: whole(1, 604_800).default(1800),
  PARLEY_TOOLSETS: list.optional(),
  PARLEY_LOG: z.enum(["trace", "debug", "info", "warn", "error", "silent"]).default("info"),
};

const schema = z.object(variables);

export interface Config {
  readonly store: string;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly name: string;
  /** Without a slash at the end. */
  readonly publicUrl: string | undefined;
  readonly allowedHosts: readonly string[];
  /** `""` or `/team`. */
  readonly basePath: string;
  readonly trustProxy: string | undefined;
  /** Pending gates an agent. */
  readonly maxPending: number;
  /** Seconds. */
  readonly criticalDelay: number;
  /** Seconds. */
  readonly lease: number;
  readonly toolsets: readonly string[] | undefined;
  readonly log: string;
}

/** @throws an Error with one sentence that names the variable */
export function readConfig(env: Record<string, string | undefined>, flags: Partial<Config> = {}): Config {
  // An empty variable is one that is not set.
  const set = Object.fromEntries(Object.keys(variables).map((name) => [name, env[name] || undefined]));
  const read = schema.safeParse(set);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new Error(`${String(issue?.path[0])} is not usable: ${issue?.message}.`);
  }
  const v = read.data;
  return Object.freeze({
    store: v.PARLEY_STORE,
    host: v.PARLEY_HOST,
    port: v.PARLEY_PORT,
    name: v.PARLEY_NAME,
    publicUrl: v.PARLEY_PUBLIC_URL?.replace(/\/$/, ""),
    allowedHosts: v.PARLEY_ALLOWED_HOSTS,
    basePath: v.PARLEY_BASE_PATH,
    trustProxy: v.PARLEY_TRUST_PROXY,
    maxPending: v.PARLEY_MAX_PENDING,
    criticalDelay: v.PARLEY_CRITICAL_DELAY_SECONDS,
    lease: v.PARLEY_LEASE_SECONDS,
    toolsets: v.PARLEY_TOOLSETS,
    log: v.PARLEY_LOG,
    ...flags,
  });
}
