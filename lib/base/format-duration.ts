/** A span for people: 12 → "12 ms", 3400 → "3.4 s", 65 000 → "1 min 5 s". */
export function formatDuration(ms: number): string {
  const whole = Math.max(0, Math.round(ms))
  if (whole < 1000) return `${whole} ms`
  if (whole < 59_950) return `${(whole / 1000).toFixed(1)} s`
  const seconds = Math.round(whole / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** A running clock never shows milliseconds: 40 → "0.0 s", 3 430 → "3.4 s". */
export const formatElapsed = (ms: number): string =>
  ms < 1000 ? `0.${Math.floor(Math.max(0, ms) / 100)} s` : formatDuration(ms)
