/** True when parsed JSON nests at most `maxDepth` deep. Without recursion: the depth is what a hostile body abuses. */
export function isJsonWithin(value: unknown, maxDepth: number): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return false
    const next: unknown[] = []
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue
      for (const child of Object.values(item)) next.push(child)
    }
    level = next
  }
  return true
}
