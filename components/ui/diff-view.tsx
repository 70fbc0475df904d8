import { TextButton } from './text-button'

export type DiffLine =
  | { readonly kind: 'same' | 'add' | 'del'; readonly number: number; readonly text: string }
  /** Unchanged lines that are left out; `onOpen` shows them. */
  | { readonly kind: 'gap'; readonly count: number; readonly onOpen?: () => void }

const signs = { same: '', add: '+', del: '−' } as const
const classes = { same: 'ln', add: 'ln add', del: 'ln del' } as const

/** Lines of a change as a reading aid. `label` names the region, e.g. "Change to /notes/a.md". */
export function DiffView({ label, lines }: { label: string; lines: readonly DiffLine[] }) {
  return (
    <div className="code diff" tabIndex={0} role="group" aria-label={label}>
      {lines.map((line, index) =>
        line.kind === 'gap' ? (
          <Gap key={index} count={line.count} {...(line.onOpen ? { onOpen: line.onOpen } : {})} />
        ) : (
          <div key={index} className={classes[line.kind]}>
            <span className="no">{line.number}</span>
            <span className="sg">{signs[line.kind]}</span>
            <span>{line.text}</span>
          </div>
        ),
      )}
    </div>
  )
}

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
