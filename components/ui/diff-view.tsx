import { visibleText } from '@/lib/base/foreign-text/foreign-text'
import { endingOf, readingOfFile } from '@/lib/base/foreign-text/reading-of-file'
import { ForeignLines } from './foreign-code'
import { TextButton } from './text-button'

export type DiffLine =
  | { readonly kind: 'same' | 'add' | 'del'; readonly number: number; readonly text: string }
  /** Unchanged lines that are left out; `onOpen` shows them. */
  | { readonly kind: 'gap'; readonly count: number; readonly onOpen?: () => void }

const signs = { same: '', add: '+', del: '−' } as const
const classes = { same: 'ln', add: 'ln add', del: 'ln del' } as const

export interface DiffViewProps {
  /** Names the region: "Change to /notes/a.md". */
  readonly label: string
  readonly lines: readonly DiffLine[]
  /** The file whose text it is: says where lines end and how they are read. Left out: read as code. */
  readonly path?: string
}

/** Lines of a change as a reading aid. */
export function DiffView({ label, lines, path }: DiffViewProps) {
  const texts = lines.flatMap((line) => (line.kind === 'gap' ? [] : [line.text]))
  const reading = path === undefined ? 'code' : readingOfFile(path)
  const file = { language: endingOf(path ?? ''), reading, showsCr: endsDiffer(texts) }
  return (
    <div className="code diff" dir="ltr" tabIndex={0} role="group" aria-label={visibleText(label, 'name')}>
      {lines.map((line, index) =>
        line.kind === 'gap' ? (
          <Gap key={index} count={line.count} {...(line.onOpen ? { onOpen: line.onOpen } : {})} />
        ) : (
          <div key={index} className={classes[line.kind]}>
            <span className="no">{line.number}</span>
            <span className="sg">{signs[line.kind]}</span>
            <span>
              <ForeignLines text={line.text} {...file} />
            </span>
          </div>
        ),
      )}
    </div>
  )
}

/** Some lines end in CRLF and some in LF: two that look the same are not. */
export const endsDiffer = (lines: readonly string[]): boolean =>
  lines.some((line) => line.endsWith('\r')) && lines.some((line) => !line.endsWith('\r'))

function Gap({ count, onOpen }: { count: number; onOpen?: () => void }) {
  const words = `${count} ${count === 1 ? 'line' : 'lines'} unchanged`
  return onOpen ? (
    <TextButton className="gap" onClick={onOpen}>
      {words}
    </TextButton>
  ) : (
    <span className="gap">{words}</span>
  )
}
