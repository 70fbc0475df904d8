import { loadPart } from '@/lib/i18n/load-part'
import { labelOf } from '@/lib/base/untrusted-text/foreign'
import { endingOf, readingOfFile } from '@/lib/base/untrusted-text/mark'
import { t } from '@/lib/i18n/t'
import { CodeGap, CodeLine } from './code-block'
import { ForeignLines } from './foreign-code'
import { useTabStop } from '../text/out-of-view'
import { codeBox } from '../recipes/recipe'

const CONTEXT_LINES = 2
/** A diff that takes longer says less than the new text does. */
const TIMEOUT_MS = 300

/**
 * The change between two texts as lines with context; `all` shows every unchanged line. Null if the texts are too
 * different to compare in time. Loads the comparison on first use.
 */
export async function diffLines(before: string, after: string, all: boolean): Promise<readonly DiffLine[] | null> {
  const { structuredPatch } = await loadPart(() => import('diff'))
  const patch = structuredPatch('', '', before, after, '', '', {
    context: all ? Number.MAX_SAFE_INTEGER : CONTEXT_LINES,
    timeout: TIMEOUT_MS,
  })
  if (!patch) return null
  const lines: DiffLine[] = []
  let shownOld = 0
  const gap = (count: number) => {
    if (count > 0) lines.push({ kind: 'gap', count })
  }
  for (const hunk of patch.hunks) {
    // An empty side starts at 0; line numbers start at 1.
    let oldLine = Math.max(1, hunk.oldStart)
    let newLine = Math.max(1, hunk.newStart)
    gap(oldLine - 1 - shownOld)
    for (const line of hunk.lines) {
      const text = line.slice(1)
      if (line.startsWith('\\')) continue
      if (line.startsWith('-')) lines.push({ kind: 'del', number: oldLine++, text })
      else if (line.startsWith('+')) lines.push({ kind: 'add', number: newLine++, text })
      else {
        lines.push({ kind: 'same', number: newLine++, text })
        oldLine += 1
      }
    }
    shownOld = oldLine - 1
  }
  const total = before === '' ? 0 : before.replace(/\n$/, '').split('\n').length
  gap(total - shownOld)
  return lines
}

export type DiffLine =
  | { readonly kind: 'same' | 'add' | 'del'; readonly number: number; readonly text: string }
  /** Unchanged lines that are left out; `onOpen` shows them. */
  | { readonly kind: 'gap'; readonly count: number; readonly onOpen?: () => void }

export interface DiffViewProps {
  /** Names the region: "Change to /notes/a.md". */
  readonly label: string
  readonly lines: readonly DiffLine[]
  /** The text's file: decides where lines end and how they are read. Left out: read as code. */
  readonly path?: string
  /** For a narrow container: the numbers take less space. */
  readonly dense?: boolean
}

/** A change as lines, for reading. */
export function DiffView({ label, lines, path, dense = false }: DiffViewProps) {
  const texts = lines.flatMap((line) => (line.kind === 'gap' ? [] : [line.text]))
  const reading = path === undefined ? 'code' : readingOfFile(path)
  const file = { language: endingOf(path ?? ''), reading, showsCr: endsDiffer(texts) }
  const columns = dense ? 'tight' : undefined
  const pad = columns ?? 'lines'
  const tabIndex = useTabStop()
  return (
    <div
      className={codeBox({ pad })}
      dir="ltr"
      translate="no"
      tabIndex={tabIndex}
      role="group"
      aria-label={labelOf(label)}
    >
      {lines.map((line, index) =>
        line.kind === 'gap' ? (
          <CodeGap key={index} columns={columns} onOpen={line.onOpen}>
            {t('view.unchanged', { lines: line.count })}
          </CodeGap>
        ) : (
          <CodeLine key={index} kind={line.kind} number={line.number} tight={dense}>
            <ForeignLines text={line.text} {...file} />
          </CodeLine>
        ),
      )}
    </div>
  )
}

/** Some lines end in CRLF and some in LF, so lines that look the same may differ. */
export const endsDiffer = (lines: readonly string[]): boolean =>
  lines.some((line) => line.endsWith('\r')) && lines.some((line) => !line.endsWith('\r'))

/** How many unchanged lines of a change are left out. */
export const leftOut = (lines: readonly DiffLine[] | null): number =>
  (lines ?? []).reduce((sum, line) => sum + (line.kind === 'gap' ? line.count : 0), 0)
