// The process's own log: JSON lines on stderr, for the operator.
import pino, { type Logger } from "pino";
import type { Config } from "../config.ts";
import type { Report } from "../report.ts";

export const openLog = (config: Config): Logger =>
  pino({ level: config.log, base: { name: config.name } }, pino.destination({ fd: 2, sync: true }));

/** Faults that no caller hears of, as errors in the log. */
export const reportTo =
  (log: Logger): Report =>
  (error, what) =>
    log.error({ err: error }, what);
