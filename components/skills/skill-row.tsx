import { Button } from '@/components/ui/controls/button'
import { Switch } from '@/components/ui/forms/switch'
import { MenuButton } from '@/components/ui/popups/menu'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { flawText } from '@/lib/client/skills/import-skills'
import type { ChatSkill } from '@/lib/client/skills/chat-skills'
import { t } from '@/lib/i18n/t'
import { cutDescription } from '@/lib/protocols/prompt/skill-lines'
import { isSkill } from '@/lib/shared/skills/skill'
import { changedFiles } from './use-skills'

interface SkillRowProps {
  readonly skill: ChatSkill
  readonly tokens: number
  readonly onReview: () => void
  readonly onOffer: (on: boolean) => void
  readonly onKeep: (keep: boolean) => void
  readonly onRemove: () => void
}

/** The most characters of a description in the list. */
const MAX_ROW_CHARS = 110

/** A skill of the chat: its purpose, or why it is off, and whether the model is offered it. */
export function SkillRow({ skill, tokens, onReview, onOffer, onKeep, onRemove }: SkillRowProps) {
  const { name, state, isOff, isOnShelf } = skill
  const isApproved = state === 'approved'
  const waits = state === 'new' || state === 'changed'
  const shown = asUntrusted(name)
  return (
    <li
      className="grid min-h-11 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-2 px-3.5 py-2 not-first:border-t not-first:border-line"
      data-skill={name}
    >
      <div className="min-w-0">
        <span className="font-medium wrap-anywhere">
          <SentenceText text={shown} />
        </span>
        <small className={`block text-sm wrap-anywhere ${state === 'flawed' ? 'text-warn' : 'text-muted'}`}>
          <SentenceText text={wordsOf(skill)} />
        </small>
      </div>
      <div className="flex items-center gap-2">
        {isApproved ? <span className="text-sm text-muted tabular-nums">{tokens}</span> : null}
        {waits ? (
          <Button look="go-next" aria-label={labelOf(t('skills.review-of', { name: shown }))} onClick={onReview}>
            {t('skills.review')}
          </Button>
        ) : null}
        <Switch
          label={labelOf(t('skills.offer', { name: shown }))}
          checked={isApproved && !isOff}
          disabled={!isApproved}
          onChange={onOffer}
        />
        <MenuButton
          icon="more"
          label={labelOf(t('skills.more', { name: shown }))}
          items={[
            ...(isApproved
              ? [{ label: t(isOnShelf ? 'skills.not-in-new' : 'skills.in-new'), run: () => onKeep(!isOnShelf) }]
              : []),
            { label: t('skills.remove'), run: onRemove },
          ]}
        />
      </div>
    </li>
  )
}

function wordsOf(skill: ChatSkill): string {
  const { read, state, isOnShelf } = skill
  if (!isSkill(read)) return flawText(read)
  if (state === 'new') return t('skills.state.new')
  if (state === 'changed') return t('skills.state.changed', { count: changedFiles(skill).length })
  const line = cutDescription(read.line, MAX_ROW_CHARS)
  return isOnShelf ? t('skills.state.on-shelf', { line: asUntrusted(line) }) : line
}
