'use client'

import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { useId, useState } from 'react'
import { Button } from '@/components/ui/controls/button'
import { ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import { rows } from '@/components/ui/recipes/field'
import type { ShareApi } from '@/lib/client/api/share-api'
import { shownPartNames, type ShownParts, type SharedLink } from '@/lib/shared/conversation/readable/readable-chat'
import { t } from '@/lib/i18n/t'

export interface MyLinksProps {
  readonly links: readonly SharedLink[]
  readonly conversationId: string
  readonly api: Pick<ShareApi, 'unshare'>
  readonly onEnded: (id: string) => void
}

/** The links that stand, of all chats, with what each tells; any of them can be ended. */
export function MyLinks({ links, conversationId, api, onEnded }: MyLinksProps) {
  const heading = useId()
  const [said, setSaid] = useState<{ readonly words: string; readonly isBad: boolean } | null>(null)
  const [ending, setEnding] = useState<string | null>(null)
  const end = async (id: string) => {
    setEnding(id)
    const ended = await api.unshare(id)
    setEnding(null)
    if (ended.ok || ended.error.code === 'not-found') {
      setSaid({ words: t('out.links.ended'), isBad: false })
      return onEnded(id)
    }
    setSaid({ words: ended.error.message, isBad: true })
  }
  return (
    <section className="mt-6 border-t border-line pt-4" aria-labelledby={heading}>
      <h3 className="font-strong" id={heading}>
        {t('out.links')}
      </h3>
      {links.length === 0 ? (
        <p className="mt-1 text-sm text-muted">{t('out.links.none')}</p>
      ) : (
        <ul className={rows({}, 'mt-2')}>
          {links.map((link) => {
            const title = link.title === '' ? t('readable.untitled') : link.title
            return (
              <li
                key={link.id}
                className="flex items-center gap-3 px-3.5 py-2 not-first:border-t not-first:border-line"
              >
                <span className="min-w-0 flex-1">
                  <span className="block truncate">
                    <ForeignText text={title} reading="prose" />
                    {link.conversationId === conversationId ? (
                      <span className="text-muted"> · {t('out.links.here')}</span>
                    ) : null}
                  </span>
                  <span className="block text-sm text-muted">
                    {t('out.links.about', {
                      messages: link.messages,
                      at: link.createdAt,
                      ends: link.expiresAt,
                    })}{' '}
                    · {shownWords(link.shown)}
                  </span>
                </span>
                <Button
                  disabled={ending === link.id}
                  aria-label={labelOf(t('out.links.end-named', { title: asUntrusted(title) }))}
                  onClick={() => void end(link.id)}
                >
                  {t('out.links.end')}
                </Button>
              </li>
            )
          })}
        </ul>
      )}
      {said === null ? null : (
        <p className={said.isBad ? 'mt-2 text-sm text-danger' : 'mt-2 text-sm text-muted'} role="status">
          <SentenceText text={said.words} />
        </p>
      )}
    </section>
  )
}

/** "with arguments and results" */
function shownWords(shown: ShownParts): string {
  const what = shownPartNames.filter((part) => shown[part]).map((part) => t(`out.links.of.${part}`))
  return what.length === 0 ? t('out.links.words') : t('out.links.with', { what })
}
