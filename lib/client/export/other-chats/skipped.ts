/**
 * Parts of an export that an imported chat does not contain, by kind:
 *
 *   files         images and files, of which only the names are imported
 *   sound         recordings; their transcript is text
 *   instructions  system prompts: an imported chat does not take over settings
 *   hidden        notes of the other product that it does not show either
 *   unknown       parts of a kind that this reader does not know
 *   damaged       parts without the form that their place needs
 */
export const skippedKinds = ['files', 'sound', 'instructions', 'hidden', 'unknown', 'damaged'] as const
export type SkippedKind = (typeof skippedKinds)[number]

export type Skipped = Readonly<Partial<Record<SkippedKind, number>>>

export class SkippedCount {
  readonly #counts = new Map<SkippedKind, number>()

  add(kind: SkippedKind, count = 1): void {
    if (count > 0) this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + count)
  }

  /** Counts a value that was replaced, unless nothing is lost with it. */
  addLost(kind: SkippedKind, value: unknown): void {
    if (holdsSomething(value)) this.add(kind)
  }

  get counts(): Skipped {
    return Object.fromEntries(this.#counts)
  }
}

export function sumOfSkipped(all: readonly Skipped[]): Skipped {
  const sum = new SkippedCount()
  for (const one of all) for (const kind of skippedKinds) sum.add(kind, one[kind] ?? 0)
  return sum.counts
}

/**
 * Whether a value contains a letter or a digit anywhere. Without recursion: a file may be nested as deep as the cutter
 * allows.
 */
export function holdsSomething(value: unknown): boolean {
  const open: unknown[] = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next === 'string' ? next.trim() !== '' : typeof next === 'number') return true
    if (typeof next === 'object' && next !== null) open.push(...Object.values(next))
  }
  return false
}
