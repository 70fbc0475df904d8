import { labelOf } from '@/lib/base/untrusted-text/foreign'
import { endingOf, readingOfFile } from '@/lib/base/untrusted-text/reading-of-file'
import { t } from '@/lib/i18n/t'
import { CodeGap, CodeLine } from './code-line'
import { ForeignLines } from './foreign-code'
import { useTabStop } from './out-of-view'
import { codeBox } from './recipes/code'

export type DiffLine =
  | { readonly kind: 'same' | 'add' | 'del'; readonly number: number; readonly text: string }
  /** Unchanged lines that are left out; `onOpen` shows them. */
  | { readonly kind: 'gap'; readonly count: number; readonly onOpen?: () => void }

export interface DiffViewProps {
  /** Names the region: "Change to /notes/a.md". */
  readonly label: string
  readonly lines: readonly DiffLine[]
  /** The file whose text it is: says where lines end and how they are read. Left out: read as code. */
  readonly path?: string
  /** For a narrow place: the numbers take less room. */
  readonly dense?: boolean
}

/** Lines of a change as a reading aid. */
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

/** Some lines end in CRLF and some in LF: two that look the same are not. */
export const endsDiffer = (lines: readonly string[]): boolean =>
  lines.some((line) => line.endsWith('\r')) && lines.some((line) => !line.endsWith('\r'))

/** How many unchanged lines of a change are left out. */
export const leftOut = (lines: readonly DiffLine[] | null): number =>
  (lines ?? []).reduce((sum, line) => sum + (line.kind === 'gap' ? line.count : 0), 0)
