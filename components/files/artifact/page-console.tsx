import { useState } from 'react'
import { ForeignText } from '@/components/ui/foreign-text'
import { codeBox } from '@/components/ui/recipes/code'
import { cx } from '@/components/ui/recipes/recipe'
import { TextButton } from '@/components/ui/text-button'
import { t } from '@/lib/i18n/t'
import type { PageLine } from '@/lib/workspace/page/page-says'

export interface PageConsoleProps {
  readonly lines: readonly PageLine[]
  /** How many came before them. */
  readonly earlier: number
  readonly onSend: () => void
  readonly onClear: () => void
}

/** What a page printed, in a fold under it. */
export function PageConsole({ lines, earlier, onSend, onClear }: PageConsoleProps) {
  const [open, setOpen] = useState(false)
  const errors = lines.filter(({ level }) => level === 'error').length
  if (lines.length === 0) return null
  return (
    <section className="flex-none border-t border-line text-sm" aria-label={t('artifact.console')}>
      <div className="flex flex-wrap items-center gap-x-4 px-3 py-1.5">
        <TextButton className={cx(errors > 0 && 'text-danger')} aria-expanded={open} onClick={() => setOpen(!open)}>
          {t('artifact.console.lines', { lines: earlier + lines.length, errors })}
        </TextButton>
        {open ? (
          <>
            <TextButton className="ms-auto" onClick={onSend}>
              {t('artifact.console.send')}
            </TextButton>
            <TextButton onClick={onClear}>{t('artifact.console.clear')}</TextButton>
          </>
        ) : null}
      </div>
      {open ? (
        <div
          className={codeBox({ pad: 'all' }, 'max-h-48 overflow-y-auto wrap-anywhere whitespace-pre-wrap')}
          tabIndex={0}
          role="group"
          dir="ltr"
          aria-label={t('artifact.console')}
        >
          {earlier > 0 ? <p className="text-code-muted">{t('artifact.console.earlier', { count: earlier })}</p> : null}
          {lines.map(({ level, text, place }, index) => (
            <p key={earlier + index} className={cx(level !== 'log' && 'text-warn')}>
              {level === 'log' ? '' : `${level}: `}
              <ForeignText text={text} reading="code" />
              {place === '' ? null : (
                <span className="text-code-muted">
                  {' '}
                  <ForeignText text={place} />
                </span>
              )}
            </p>
          ))}
        </div>
      ) : null}
    </section>
  )
}
