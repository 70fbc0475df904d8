'use client'

import { useEffect, useState, type FormEvent } from 'react'
import { Button } from '@/components/ui/controls/button'
import { Dialog, DialogFoot } from '@/components/ui/popups/dialog'
import { ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import { checkBox, checkLabel, field } from '@/components/ui/recipes/field'
import { t } from '@/lib/i18n/t'
import { Wait } from '@/components/ui/page/wait'
import type { ConversationSummary } from '@/lib/shared/conversation/conversation'
import { cleanTag, maxTagChars } from '@/lib/shared/conversation/search/list-filter'
import { findApi } from '@/lib/client/wiring/find-api.browser'
import { useChangeChats } from './use-chat-pages'
import { useConversation } from '@/components/context/chat-context'

/** Errors of the open chat since the dialog opened, because the dialog covers the chat's own notice; null if none. */
export function useNewProblem(): string | null {
  const problem = useConversation((view) => view.problem)
  const [before] = useState(problem)
  return problem === before ? null : (problem?.message ?? null)
}

export const NewProblem = ({ why }: { why: string | null }) =>
  why === null ? null : (
    <p role="alert" className="text-danger">
      <SentenceText text={why} />
    </p>
  )

export interface TagDialogProps {
  readonly rows: readonly Pick<ConversationSummary, 'id' | 'tags'>[]
  readonly onClose: () => void
}

/** The tags of one or more chats: each tag is on all, none or some of them. */
export function TagDialog({ rows, onClose }: TagDialogProps) {
  const { busy, change } = useChangeChats()
  const [known, setKnown] = useState<readonly string[]>([])
  const [borne, setBorne] = useState<ReadonlyMap<string, number>>(() => countTags(rows))
  const [typed, setTyped] = useState('')
  const ids = rows.map(({ id }) => id)
  useEffect(() => {
    void findApi.tags().then((answer) => (answer.ok ? setKnown(answer.value.tags.map(({ tag }) => tag)) : undefined))
  }, [])
  const tags = [...new Set([...known, ...borne.keys()])].toSorted((a, b) => a.localeCompare(b))

  const failed = useNewProblem()
  const setTag = async (tag: string, on: boolean) => {
    const done = await change(ids, on ? { addTag: tag } : { removeTag: tag })
    if (done !== null) setBorne(new Map(borne).set(tag, on ? rows.length : 0))
  }
  const add = (event: FormEvent) => {
    event.preventDefault()
    const tag = cleanTag(typed)
    if (tag === '') return
    setTyped('')
    void setTag(tag, true)
  }
  const title = t('list.tags-of', { count: rows.length })
  return (
    <Dialog label={title} onClose={onClose}>
      <h2>{title}</h2>
      <p>{t('list.tags-why')}</p>
      <ul className="mt-2 grid max-h-60 gap-1 overflow-auto">
        {tags.map((tag) => {
          const count = borne.get(tag) ?? 0
          return (
            <li key={tag}>
              <label className={checkLabel()}>
                <input
                  className={checkBox()}
                  type="checkbox"
                  disabled={busy}
                  checked={count === rows.length}
                  ref={(box) => {
                    if (box) box.indeterminate = count > 0 && count < rows.length
                  }}
                  onChange={(event) => void setTag(tag, event.target.checked)}
                />{' '}
                <ForeignText text={tag} reading="prose" />
              </label>
            </li>
          )
        })}
      </ul>
      {tags.length === 0 ? <p>{t('list.no-tags')}</p> : null}
      <form className="mt-3 flex gap-2" onSubmit={add}>
        <input
          className={field()}
          aria-label={t('list.new-tag')}
          placeholder={t('list.new-tag')}
          maxLength={maxTagChars}
          dir="auto"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button type="submit" disabled={busy || cleanTag(typed) === ''}>
          {t('list.add-tag')}
        </Button>
      </form>
      <NewProblem why={failed} />
      {busy ? <Wait what={t('wait.chats-change')} /> : null}
      <DialogFoot>
        <Button look="ink" onClick={onClose}>
          {t('list.close')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}

function countTags(rows: TagDialogProps['rows']): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { tags = [] } of rows) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return counts
}
