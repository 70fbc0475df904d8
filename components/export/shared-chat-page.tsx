'use client'

import { useRef, useState } from 'react'
import { LanguageButton } from '@/components/language/language-button'
import { Button } from '@/components/ui/controls/button'
import { ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import { Icon } from '@/components/ui/controls/icon'
import { PageLink } from '@/components/ui/page/page-head'
import { iconButton } from '@/components/ui/recipes/button'
import { note, column } from '@/components/ui/recipes/surface'
import { Spinner } from '@/components/ui/page/wait'
import { useLanguage } from '@/components/ui/page/use-language'
import { withBase } from '@/lib/base/base-path'
import type { ReadableChat } from '@/lib/shared/conversation/readable/readable-chat'
import type { ShareApi } from '@/lib/client/api/nod-api'
import { shareApi } from '@/lib/client/wiring/nod-api.browser'
import { t } from '@/lib/i18n/t'
import { ReadableThread } from './readable-thread'

export interface SharedChatPageProps {
  readonly shared: { readonly chat: ReadableChat; readonly createdAt: number; readonly expiresAt: number }
  readonly token: string
  /** The reader may store chats on this server. */
  readonly mayCopy: boolean
  readonly api?: Pick<ShareApi, 'copyShared'>
  /** Navigates to an address below the base path. */
  readonly onGo?: (path: string) => void
}

const go = (path: string) => window.location.assign(withBase(path))

/** The page of a share link: a read-only chat, and a button to continue with the reader's own copy. */
export function SharedChatPage({ shared, token, mayCopy, api = shareApi, onGo = go }: SharedChatPageProps) {
  useLanguage()
  const { chat, createdAt, expiresAt } = shared
  return (
    <>
      <header className="sticky top-0 z-bar flex min-h-bar items-center gap-2 border-b border-line bg-surface ps-3 pe-3 print:static">
        <PageLink className={iconButton({}, 'narrow:size-touch print:hidden')} href="/" aria-label={t('out.gone.home')}>
          <Icon name="left" />
        </PageLink>
        <h1 className="me-auto min-w-0 truncate font-strong" dir="auto">
          {chat.title === '' ? t('readable.untitled') : <ForeignText text={chat.title} reading="prose" />}
        </h1>
        <span className="w-auto print:hidden">
          <LanguageButton className="flex h-control items-center gap-2 rounded-md px-2 text-muted hover:bg-hover" />
        </span>
      </header>
      <main className={column()}>
        <p className={note({ tall: true }, 'mb-6')}>
          <Icon name="info" />
          <span>{t('out.shared.note', { at: createdAt, ends: expiresAt })}</span>
        </p>
        <ReadableThread chat={chat} />
        {mayCopy ? <Continue token={token} api={api} onGo={onGo} /> : null}
      </main>
    </>
  )
}

interface ContinueProps {
  readonly token: string
  readonly api: Pick<ShareApi, 'copyShared'>
  readonly onGo: (path: string) => void
}

function Continue({ token, api, onGo }: ContinueProps) {
  const [state, setState] = useState<'idle' | 'busy' | { readonly problem: string }>('idle')
  // If the response was lost, a second press finds the copy that the first one created.
  const id = useRef<string | null>(null)
  const copy = async () => {
    setState('busy')
    const copied = await api.copyShared(token, (id.current ??= crypto.randomUUID()))
    if (copied.ok) onGo(`/c/${copied.value.id}`)
    else setState({ problem: copied.error.message })
  }
  return (
    <div className="mt-8 border-t border-line pt-5 print:hidden">
      <Button look="ink" disabled={state === 'busy'} onClick={() => void copy()}>
        {state === 'busy' ? (
          <>
            <Spinner /> {t('out.shared.copying')}
          </>
        ) : (
          t('out.shared.copy')
        )}
      </Button>
      <p className="mt-2 text-sm text-muted">{t('out.shared.copy-hint')}</p>
      {typeof state === 'object' ? (
        <p className="mt-2 text-sm text-danger" role="alert">
          <SentenceText text={state.problem} />
        </p>
      ) : null}
    </div>
  )
}
