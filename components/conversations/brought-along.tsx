import { SaidText } from '@/components/ui/foreign-text'
import { checkLabel, checkBox } from '@/components/ui/recipes/field'
import { TextExcerpt } from '@/components/ui/text-excerpt'
import type { ImportPart } from '@/lib/conversation/api-types'
import type { BroughtPart } from '@/lib/conversation/import-settings'
import { t } from '@/lib/i18n/t'
import type { UnpackedChat } from '@/lib/workspace/chat-zip/unpack-chat'

export interface BroughtAlongProps {
  readonly chat: UnpackedChat
  readonly parts: readonly BroughtPart[]
  readonly taken: readonly ImportPart[]
  readonly onTake: (part: ImportPart, on: boolean) => void
}

/** What is in the file, what of it stays behind, and what is taken only when it is ticked. */
export function BroughtAlong({ chat, parts, taken, onTake }: BroughtAlongProps) {
  return (
    <>
      <p>
        <strong dir="auto">{chat.title === '' ? t('import.untitled') : chat.title}</strong>
        {contentWords(chat)}
      </p>
      <p className="text-muted">{t('import.behind')}</p>
      {parts.length === 0 ? null : (
        <fieldset className="grid gap-3">
          <legend className="pt-3 pb-1">{t('import.settings')}</legend>
          {parts.map(({ part, title, facts, text }) => (
            <div key={part}>
              <label className={checkLabel()}>
                <input
                  className={checkBox()}
                  type="checkbox"
                  checked={taken.includes(part)}
                  onChange={(event) => onTake(part, event.target.checked)}
                />{' '}
                <SaidText text={title} />
              </label>
              <ul className="ps-7 text-sm text-muted wrap-anywhere">
                {facts.map((fact) => (
                  <li key={fact}>{fact}</li>
                ))}
              </ul>
              {text === undefined ? null : <TextExcerpt label={title} text={text} />}
            </div>
          ))}
        </fieldset>
      )}
    </>
  )
}

function contentWords({ exported, files }: UnpackedChat): string {
  const { messages } = exported
  return t('import.content', {
    messages: Array.isArray(messages) ? messages.length : 0,
    files: files.length,
    bytes: files.reduce((sum, { data }) => sum + data.byteLength, 0),
  })
}
