const units = ['KB', 'MB', 'GB', 'TB'] as const

/** A size for people, in decimal units with one digit after the point: 418 → "418 B", 2100 → "2.1 KB", 8e6 → "8 MB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${Math.max(0, Math.round(bytes))} B`
  let value = bytes
  let unit = ''
  for (const next of units) {
    value /= 1000
    unit = next
    // 999.95 would round up to "1000.0 KB": that is the next unit's 1.
    if (value < 999.95) break
  }
  return `${value.toFixed(1).replace(/\.0$/, '')} ${unit}`
}
