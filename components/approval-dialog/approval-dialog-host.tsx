'use client'

import { useState } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { lazyPart } from '@/components/ui/lazy-part'
import type { ApprovalUIPort } from '@/lib/client/calls/approval-ui-port'

/** While it can't be had, the cards ask alone, and it is asked for again. */
const DialogQuestions = lazyPart(() => import('./dialog-questions'), { look: 'silent' })

/** Asks in a dialog over the chat, where the conversation's settings say so. All of it is loaded when they first do. */
export function ApprovalDialogHost({ port }: { port: Pick<ApprovalUIPort, 'connect'> }) {
  const wanted = useConversation((view) => view.conversation?.settings.tools.approvalUi === 'dialog')
  const [everWanted, setEverWanted] = useState(wanted)
  if (wanted && !everWanted) setEverWanted(true)
  return everWanted ? <DialogQuestions port={port} wanted={wanted} /> : null
}
