'use client'

import { usePathname } from 'next/navigation'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { conversationAt } from '@/lib/client/api/address'
import { useLanguage } from '@/components/ui/page/use-language'
import { PageIsOld } from '@/components/ui/page/part-failure'
import { browserChat } from '@/lib/client/wiring/browser'
import { ChatProvider, AnswerProvider, DraftsProvider, useConversation } from '@/components/context/chat-context'
import { ChatFrame } from './chat-frame'
import { loadReplies, preloadThread } from './load-thread'
import { lazyPart } from '@/components/ui/page/lazy-part'
import type { QuestionList } from '@/lib/client/calls/approval/approval-ui'

/** The whole chat. It lives in the layout of `/` and `/c/[id]`, so that navigating between them does not remount it. */
export function ChatApp() {
  const [page] = useState(browserChat)
  const pathname = usePathname()
  useLanguage()
  const { actions } = page.chat

  useEffect(() => page.start(), [page])
  useEffect(() => preloadThread(), [])
  // The address decides which chat is open: links, Back and Forward all end here. Opening the open chat does nothing.
  useEffect(() => {
    const id = conversationAt(pathname)
    if (id) loadReplies()
    if (id !== undefined) actions.open(id)
  }, [pathname, actions])

  const value = useMemo(() => ({ store: page.store, chat: actions, calls: page.calls }), [page, actions])
  const isOld = useSyncExternalStore(page.build.subscribe, page.build.isOld, () => false)
  return (
    <PageIsOld value={isOld}>
      <ChatProvider value={value}>
        <DraftsProvider value={page.drafts}>
          <AnswerProvider value={page.approvals.answer}>
            <ChatFrame drafts={page.drafts} startsEmpty={conversationAt(pathname) === null} />
          </AnswerProvider>
          <ApprovalDialogHost questions={page.approvals.dialog} />
        </DraftsProvider>
      </ChatProvider>
    </PageIsOld>
  )
}

/** If loading fails, the cards still ask, and the dialog is loaded again later. */
const DialogQuestions = lazyPart(() => import('@/components/approval-dialog/dialog-questions'), { look: 'silent' })

/**
 * Asks for approval in a dialog over the chat if the conversation's settings say so. The code is loaded on first use.
 */
export function ApprovalDialogHost({ questions }: { questions: QuestionList }) {
  const wanted = useConversation((view) => view.conversation?.settings.tools.approvalUi === 'dialog')
  const [everWanted, setEverWanted] = useState(wanted)
  if (wanted && !everWanted) setEverWanted(true)
  return everWanted ? <DialogQuestions questions={questions} wanted={wanted} /> : null
}
