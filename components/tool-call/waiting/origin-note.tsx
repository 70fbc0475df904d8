'use client'

import type { ReactNode } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { jumpTo, requestOpenFile } from '@/components/context/show-in-page'
import { TextButton } from '@/components/ui/controls/button'
import { Icon } from '@/components/ui/controls/icon'
import { ForeignText } from '@/components/ui/text/foreign-text'
import { ValueNotesProvider, type ValueNote } from '@/components/ui/popups/noted-text'
import type { Foreign } from '@/lib/base/untrusted-text/foreign'
import { withParts, type SentencePart } from '@/lib/base/untrusted-text/sentence-part'
import { t } from '@/lib/i18n/t'
import type { CallMark, LinedPlace } from '@/lib/shared/origin/branch-origin'
import { normalizePath } from '@/lib/vfs/path'
import { useCall } from '../scope/call-scope'
import { SentenceParts } from '../sentence'
import { cardSay } from '../styles/card'
import { kindOf, nameOf, notesOf } from '../words/origin-words'

/** Characters of a quoted sentence; three lines on a wide screen. */
const MAX_QUOTED = 240

/**
 * The origin of a call that is not the user's idea: a text from elsewhere requests it. Its sentence is quoted. Calm if
 * the user told the model to follow that text.
 */
export const OriginNote = () => (
  <ValueNotesProvider value={none}>
    <LoudNote />
  </ValueNotesProvider>
)

function LoudNote() {
  const { entry, conversationId } = useCall()
  const registered = useConversation((view) => view.tools)
  const loud = entry.origin?.loud
  if (entry.origin?.isUnchecked) {
    return (
      <p data-part="say" className={cardSay({ tone: 'muted' }, 'flex gap-2 pt-1')} role="note">
        <Icon name="warn" className="mt-0.75 size-4 flex-none text-warn" />
        {t('card-origin.unchecked')}
      </p>
    )
  }
  if (!loud) return null
  const { place, order, value, isFollowed, isUnasked, isOnlyThere } = loud
  const at = { place: kindOf(place), name: nameOf(place) }
  const sentence = (say: (part: (text: string) => Foreign) => string) =>
    withParts((part) => say((text) => part({ code: text })))
  if (isFollowed) {
    return (
      <p data-part="say" className={cardSay({ tone: 'muted' }, 'pt-1')} role="note">
        <SentenceParts parts={sentence((part) => t('card-origin.followed', { ...at, name: part(at.name) }))} />{' '}
        <ShowPlace place={place} conversationId={conversationId} />
      </p>
    )
  }
  const tool = entry.call.name
  const title = registered.find(({ name }) => name === tool)?.title ?? tool
  const lead: readonly SentencePart[] = sentence((part) =>
    loud.why === 'mention'
      ? t('card-origin.mentioned', { ...at, value: part(value ?? ''), name: part(at.name) })
      : isUnasked || value === undefined
        ? t('card-origin.unasked', { ...at, tool, title: part(title), name: part(at.name) })
        : t('card-origin.unnamed', { ...at, value: part(value), name: part(at.name) }),
  )
  const quoted = order.length > MAX_QUOTED ? `${order.slice(0, MAX_QUOTED)}…` : order
  return (
    <div
      data-part="say"
      role="note"
      className="mx-3.5 mt-3 grid grid-cols-[1rem_minmax(0,1fr)] gap-x-2 rounded-md bg-warn-soft p-3 narrow:mx-3 forced-colors:border"
    >
      <Icon name="warn" className="mt-0.75 size-4 text-warn" />
      <div className="min-w-0">
        <p className="m-0 text-md font-medium wrap-anywhere">
          <SentenceParts parts={lead} />
        </p>
        <blockquote className="my-2 ms-0 me-0 line-clamp-3 border-s-2 border-warn ps-3 font-mono text-mono wrap-anywhere before:content-['“'] after:content-['”']">
          <ForeignText text={quoted} reading="prose" />
        </blockquote>
        <p className="m-0 text-sm text-muted wrap-anywhere">
          {loud.why === 'destination' && isOnlyThere && value !== undefined ? (
            <>
              <SentenceParts parts={sentence((part) => t('card-origin.only', { ...at, value: part(value) }))} />{' '}
            </>
          ) : null}
          <ShowPlace place={place} conversationId={conversationId} />
        </p>
      </div>
    </div>
  )
}

/** Opens the text itself, if possible. */
function ShowPlace({ place, conversationId }: { place: LinedPlace; conversationId: string }) {
  if (place.kind === 'description') return null
  const path = 'path' in place && place.path !== undefined ? normalizePath(place.path) : null
  const show = () => {
    if (path?.ok) requestOpenFile({ conversationId, path: path.value })
    else jumpTo({ conversationId, messageId: place.messageId })
  }
  return <TextButton onClick={show}>{t('card-origin.show', { line: place.line ?? 0 })}</TextButton>
}

/** Gives each value in the texts below a note about its source. */
export function OriginValues({ origin, children }: { origin: CallMark | null | undefined; children: ReactNode }) {
  return <ValueNotesProvider value={origin ? notesOf(origin) : none}>{children}</ValueNotesProvider>
}

const none: readonly ValueNote[] = []
