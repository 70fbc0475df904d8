import { checkBox, checkLabel } from '@/components/ui/recipes/field'
import {
  countParts,
  onlyShown,
  shownPartNames,
  type ReadableChat,
  type ShownParts,
} from '@/lib/conversation/readable-chat'
import { t } from '@/lib/i18n/t'

export interface ShownChoicesProps {
  readonly chat: ReadableChat
  readonly shown: ShownParts
  readonly onChange: (shown: ShownParts) => void
}

/** What goes along beside the words, of each as much as there is; what there is none of can't be chosen. */
export function ShownChoices({ chat, shown, onChange }: ShownChoicesProps) {
  const counts = countParts(chat)
  return (
    <fieldset className="mt-4">
      <legend className="font-strong">{t('out.what')}</legend>
      <p className="mt-1 text-sm text-pretty text-muted">
        {t('out.words', { messages: onlyShown(chat, shown).messages.length, calls: counts.calls })}
      </p>
      <ul className="mt-1 grid">
        {shownPartNames.map((part) => {
          const what = t(`out.show.${part}`)
          const count = counts[part]
          return (
            <li key={part}>
              <label className={checkLabel({}, count === 0 ? 'text-muted' : '')}>
                <input
                  className={checkBox()}
                  type="checkbox"
                  disabled={count === 0}
                  checked={count > 0 && shown[part]}
                  onChange={(event) => onChange({ ...shown, [part]: event.target.checked })}
                />{' '}
                {part === 'systemPrompt' ? what : t('out.show-count', { what, count })}
              </label>
            </li>
          )
        })}
      </ul>
    </fieldset>
  )
}
