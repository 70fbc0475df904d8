'use client'

import { useEffect, useRef } from 'react'
import { useChat } from '@/components/chat/chat-context'
import { Button } from '@/components/ui/button'
import { Kbd } from '@/components/ui/kbd'
import type { FileReview } from '@/lib/tools/tool-runtime'
import { Meta } from '../card/call-meta'
import { ChangedFiles, countWords } from '../changed-files'
import { Sentence } from '../sentence'

export interface ReviewBodyProps {
  readonly review: FileReview
  /** The one filled button on screen. */
  readonly current: boolean
  readonly onAnswer: (answer: 'keep' | 'discard') => void
}

/** Code ran; what it changed waits, and no file has been touched. */
export default function ReviewBody({ review, current, onAnswer }: ReviewBodyProps) {
  // Who is asked in dialogs looks for a question over the chat: this one stands in its card alone.
  const seeks = useChat(({ view }) => view.conversation?.settings.tools.approvalUi === 'dialog')
  const evidence = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (seeks) evidence.current?.closest('[data-call-card]')?.scrollIntoView({ block: 'nearest' })
  }, [seeks])
  return (
    <>
      <Sentence parts={[`It ran, and would change ${countWords(review)}. Nothing has reached your files yet.`]} />
      <Meta>
        <span>If the page is closed or reloaded now, none of it is kept.</span>
      </Meta>
      <div ref={evidence} className="card-body">
        <ChangedFiles files={review} texts={review.texts} />
      </div>
      <div className="card-foot">
        <Button
          look={current ? 'go' : 'go-next'}
          wide
          className="act"
          aria-keyshortcuts="Meta+Enter Control+Enter"
          onClick={() => onAnswer('keep')}
        >
          Keep {current ? <Kbd keys="mod+enter" /> : null}
        </Button>
        <Button
          wide
          className="act"
          aria-keyshortcuts="Meta+Backspace Control+Backspace"
          onClick={() => onAnswer('discard')}
        >
          Discard {current ? <Kbd keys="mod+backspace" /> : null}
        </Button>
      </div>
    </>
  )
}
