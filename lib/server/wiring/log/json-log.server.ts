import { pino, type DestinationStream } from 'pino'
import { setLogSink, type LogLevel } from './log.server'

/**
 * Writes the log as JSON from here on, one line per entry: `time` in ISO 8601, `level` as a word, `msg` and the other
 * fields.
 */
export function logAsJson(
  level: LogLevel,
  base: Readonly<Record<string, string | number>>,
  to: DestinationStream = process.stdout,
): void {
  const logger = pino(
    {
      level,
      base,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    to,
  )
  setLogSink((of, message, fields) => logger[of](fields, message))
}
