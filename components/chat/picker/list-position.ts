/** Where a key leads in a list of `count` lines, from line `at` (-1: none is pointed at); null: it is no key of a list. */
export function positionAfter(key: string, at: number, count: number): number | null {
  if (count === 0) return null
  const page = 8
  switch (key) {
    case 'ArrowDown':
      return (at + 1) % count
    case 'ArrowUp':
      return at <= 0 ? count - 1 : at - 1
    case 'PageDown':
      return Math.min(count - 1, Math.max(0, at) + page)
    case 'PageUp':
      return Math.max(0, at - page)
    default:
      return null
  }
}
