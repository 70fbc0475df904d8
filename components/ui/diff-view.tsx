import { visibleText } from '@/lib/base/foreign-text/foreign-text'
import { endingOf, readingOfFile } from '@/lib/base/foreign-text/reading-of-file'
import { ForeignLines } from './foreign-code'
import { cx } from './recipes/recipe'
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
  /** For a narrow place: the numbers take less room. */
  readonly dense?: boolean
}

/** Lines of a change as a reading aid. */
export function DiffView({ label, lines, path, dense = false }: DiffViewProps) {
  const texts = lines.flatMap((line) => (line.kind === 'gap' ? [] : [line.text]))
  const reading = path === undefined ? 'code' : readingOfFile(path)
  const file = { language: endingOf(path ?? ''), reading, showsCr: endsDiffer(texts) }
  return (
    <div
      className={cx('code diff', dense && 'pt-1 pb-0')}
      dir="ltr"
      tabIndex={0}
      role="group"
      aria-label={visibleText(label, 'name')}
    >
      {lines.map((line, index) =>
        line.kind === 'gap' ? (
          <Gap
            key={index}
            count={line.count}
            className={cx('gap', dense && 'ps-13.5')}
            {...(line.onOpen ? { onOpen: line.onOpen } : {})}
          />
        ) : (
          <div key={index} className={cx(classes[line.kind], dense && 'grid-cols-[2.25rem_1.125rem_minmax(0,1fr)]')}>
            <span className={cx('no', dense && 'pe-2')}>{line.number}</span>
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

function Gap({ count, className, onOpen }: { count: number; className: string; onOpen?: () => void }) {
  const words = `${count} ${count === 1 ? 'line' : 'lines'} unchanged`
  return onOpen ? (
    <TextButton className={className} onClick={onOpen}>
      {words}
    </TextButton>
  ) : (
    <span className={className}>{words}</span>
  )
}
