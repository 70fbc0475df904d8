import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { t } from '@/lib/i18n/t'
import type { Moves } from '../use-history'
import type { ReactNode } from 'react'

/** The result of the last undo or redo, if it was incomplete. */
export function MoveNotes({ moves, className }: { moves: Moves; className: string }) {
  if (moves.problem === null && moves.kept.length === 0) return null
  return (
    <div className={className}>
      {moves.problem === null ? null : (
        <p role="alert">
          <SentenceText text={moves.problem} />
        </p>
      )}
      {moves.kept.map(({ path, why }) => (
        <p key={path} role="status">
          <SentenceText
            text={t(why === 'changed-later' ? 'file-changes.kept-later' : 'file-changes.kept-in-way', {
              path: asUntrusted(path),
            })}
          />
        </p>
      ))}
    </div>
  )
}

/** A path in a list, with the effect on it at the end of the row. */
export const PathLine = ({ fate, children }: { readonly fate: string; readonly children: ReactNode }) => (
  <li className="flex justify-between gap-3 wrap-anywhere">
    {children}
    <span className="flex-none font-sans text-muted">{fate}</span>
  </li>
)
