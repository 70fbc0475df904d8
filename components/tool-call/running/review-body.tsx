'use client'

import { useEffect } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { Button } from '@/components/ui/controls/button'
import { Kbd } from '@/components/ui/controls/kbd'
import type { FileReview } from '@/lib/shared/tools/tool'
import { t } from '@/lib/i18n/t'
import { useCall } from '../scope/call-scope'
import { ChangedFiles, countText } from '../changed-files'
import { Sentence } from '../sentence'
import { cx } from '@/components/ui/recipes/recipe'
import { footButton, footGo, footWide, CardBody, CardFoot, Meta, Fact } from '../styles/card'

/** Code ran; its changes wait, and no file has been touched. */
export default function ReviewBody({ review }: { review: FileReview }) {
  const { current, filled, decide, refs } = useCall()
  // If approvals use dialogs, the user expects one over the chat, but this question is only in its card.
  const seeks = useConversation((view) => view.conversation?.settings.tools.approvalUi === 'dialog')
  useEffect(() => {
    if (seeks) refs.card.current?.scrollIntoView({ block: 'nearest' })
  }, [seeks, refs.card])
  return (
    <>
      <Sentence parts={[t('card-running.review', { changes: countText(review) })]} />
      <Meta>
        <Fact>{t('card-running.review-closed')}</Fact>
      </Meta>
      <CardBody>
        <ChangedFiles files={review} texts={review.texts} />
      </CardBody>
      <CardFoot>
        <Button
          look={filled ? 'go' : 'go-next'}
          className={cx(footGo, footWide)}
          aria-keyshortcuts="Meta+Enter Control+Enter"
          onClick={() => decide.answerReview('keep')}
        >
          {t('card-running.keep')} {current ? <Kbd keys="mod+enter" /> : null}
        </Button>
        <Button
          className={cx(footButton, footWide)}
          aria-keyshortcuts="Meta+Backspace Control+Backspace"
          onClick={() => decide.answerReview('discard')}
        >
          {t('card-running.discard')} {current ? <Kbd keys="mod+backspace" /> : null}
        </Button>
      </CardFoot>
    </>
  )
}
