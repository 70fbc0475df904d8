import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { t } from '@/lib/i18n/t'

export interface BrokenLine {
  readonly number: number
  readonly title: string
  readonly why: string
}

/** The most rows shown. */
const most = 50

/** Each chat that was not imported, by its title or its place in the file. */
export function BrokenList({ lines }: { lines: readonly BrokenLine[] }) {
  if (lines.length === 0) return null
  return (
    <div className="mt-3">
      <p>{t('bring.broken', { count: lines.length })}</p>
      <ul className="mt-1 max-h-40 list-disc overflow-auto ps-5 text-sm">
        {lines.slice(0, most).map(({ number, title, why }) => (
          <li key={number}>
            <SentenceText
              text={t('bring.broken-line', {
                title: asUntrusted(title.trim() === '' ? t('bring.number', { number: number + 1 }) : title),
                why,
              })}
            />
          </li>
        ))}
      </ul>
      {lines.length > most ? <p className="text-sm">{t('bring.broken-more', { count: lines.length - most })}</p> : null}
    </div>
  )
}
