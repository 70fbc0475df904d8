'use client'

import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { Kbd } from '@/components/ui/kbd'
import { TextButton } from '@/components/ui/text-button'
import { useCall } from '../scope/call-scope'
import { cx } from '@/components/ui/recipes/recipe'
import { footButton, footGo, footWide, footWords, footEnd } from '../look/card'
import { CardFoot } from '../look/card-parts'

interface WaitingFootProps {
  /** What of the card is out of view, beside Run; '' for nothing. */
  readonly unseen: string
  readonly showsRaw: boolean
  readonly onRaw: () => void
  /** What the card shows, for the clipboard. */
  readonly text: () => string
}

/** Run, Edit, Deny. */
export function WaitingFoot({ unseen, showsRaw, onRaw, text }: WaitingFootProps) {
  const { current, decide, setPanel } = useCall()
  return (
    <CardFoot>
      <Button
        look={current ? 'go' : 'go-next'}
        className={cx(footGo, footWide)}
        aria-keyshortcuts="Meta+Enter Control+Enter"
        onClick={decide.run}
      >
        Run {current ? <Kbd keys="mod+enter" /> : null}
      </Button>
      {unseen === '' ? null : (
        <span className="text-sm text-muted" role="status">
          {unseen}
        </span>
      )}
      <Button className={footButton} aria-keyshortcuts="E" onClick={() => setPanel('edit')}>
        Edit
      </Button>
      <Button
        className={cx(footButton, footWide)}
        aria-keyshortcuts="Meta+Backspace Control+Backspace"
        onClick={() => decide.deny('')}
      >
        Deny {current ? <Kbd keys="mod+backspace" /> : null}
      </Button>
      <TextButton data-words="" className={footWords} aria-keyshortcuts="R" onClick={() => setPanel('reason')}>
        deny with a reason
      </TextButton>
      <span className={footEnd()}>
        <TextButton aria-pressed={showsRaw} onClick={onRaw}>
          raw
        </TextButton>
        <CopyButton text={text} />
      </span>
    </CardFoot>
  )
}
