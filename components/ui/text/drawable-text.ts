import { t } from '@/lib/i18n/t'

/*
 * Limits foreign text before a browser lays it out. One base letter with 900,000 combining marks is one glyph to shape,
 * and blocks a page forever; so do lines of millions of characters. Left-out text is replaced by a note in angle
 * brackets:
 *
 *   a⟨899,992 combining characters left out⟩      … ⟨1,980,000 characters of this line left out⟩
 */

export interface TextLimits {
  /** In total, and in one line. */
  readonly characters: number
  readonly lineCharacters: number
}

/** For reading, if the whole text is available elsewhere. */
const readLimits: TextLimits = { characters: 400_000, lineCharacters: 20_000 }

/** For review before a run: cut only beyond what anyone could read. */
export const judgedLimits: TextLimits = { characters: 4_000_000, lineCharacters: 200_000 }

const keptMarks = 8
/** Characters that join the previous letter: marks, joiners, skin tones, tags, and the parts of Korean syllables. */
const joining = String.raw`\p{M}\u200c\u200d\u{1f3fb}-\u{1f3ff}\u{e0020}-\u{e007f}\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff`
const longCluster = new RegExp(`[${joining}]{17,}|(?:[^\\s${joining}]\\u200d){17,}`, 'gu')

const head = (text: string, length: number) => text.slice(0, length).replace(/[\ud800-\udbff]$/, '')

function cutCluster(cluster: string): string {
  const characters = Array.from(cluster)
  return characters.slice(0, keptMarks).join('') + t('view.left-out.marks', { count: characters.length - keptMarks })
}

function cutLine(line: string, most: number): string {
  if (line.length <= most) return line
  const kept = head(line, most)
  return `${kept}… ${t('view.left-out.line', { count: line.length - kept.length })}`
}

/** The text if it can be laid out quickly; otherwise a shorter one with notes on what is left out. */
export function drawableText(text: string, { characters, lineCharacters }: TextLimits = readLimits): string {
  const short = text.replace(longCluster, cutCluster)
  const kept = short.length > characters ? head(short, characters) : short
  const lines =
    kept.length > lineCharacters
      ? kept
          .split('\n')
          .map((line) => cutLine(line, lineCharacters))
          .join('\n')
      : kept
  return kept === short ? lines : `${lines}\n… ${t('view.left-out.more', { count: short.length - kept.length })}`
}
