/** A part of a text compared with an earlier one. */
export interface WordChange {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** Longer texts are shown as removed and added as a whole: the table for the comparison would be too large. */
const MAX_WORDS = 1_500

/**
 * The words of `after`, with the words of `before` that they replace. Joined without `removed` it is exactly `after`.
 */
export function wordDiff(before: string, after: string): readonly WordChange[] {
  const [old, now] = [wordsOf(before), wordsOf(after)]
  if (old.length > MAX_WORDS || now.length > MAX_WORDS) {
    return [
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ]
  }
  const width = now.length + 1
  const common = new Uint16Array((old.length + 1) * width)
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const next = (i + 1) * width
      common[i * width + j] =
        old[i] === now[j]
          ? (common[next + j + 1] ?? 0) + 1
          : Math.max(common[next + j] ?? 0, common[i * width + j + 1] ?? 0)
    }
  }
  const changes: { kind: WordChange['kind']; text: string }[] = []
  const put = (kind: WordChange['kind'], text: string | undefined) => {
    const last = changes.at(-1)
    if (text === undefined) return
    if (last?.kind === kind) last.text += text
    else changes.push({ kind, text })
  }
  let [i, j] = [0, 0]
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      put('same', now[j])
      i += 1
      j += 1
    } else if (
      j >= now.length ||
      (i < old.length && (common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0))
    ) {
      put('removed', old[i])
      i += 1
    } else {
      put('added', now[j])
      j += 1
    }
  }
  return changes
}

/** Words and the text between them; characters of scripts without spaces are separate. */
const wordsOf = (text: string): readonly string[] =>
  text.match(/\p{Script=Han}|[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? []
