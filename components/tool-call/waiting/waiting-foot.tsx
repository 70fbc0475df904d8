'use client'

import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { Kbd } from '@/components/ui/kbd'
import { TextButton } from '@/components/ui/text-button'
import { useCall } from '../card/call-scope'

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
    <div className="card-foot">
      <Button
        look={current ? 'go' : 'go-next'}
        wide
        className="act"
        aria-keyshortcuts="Meta+Enter Control+Enter"
        onClick={decide.run}
      >
        Run {current ? <Kbd keys="mod+enter" /> : null}
      </Button>
      {unseen === '' ? null : (
        <span className="small muted" role="status">
          {unseen}
        </span>
      )}
      <Button className="act" aria-keyshortcuts="E" onClick={() => setPanel('edit')}>
        Edit
      </Button>
      <Button wide className="act" aria-keyshortcuts="Meta+Backspace Control+Backspace" onClick={() => decide.deny('')}>
        Deny {current ? <Kbd keys="mod+backspace" /> : null}
      </Button>
      <TextButton className="with-reason" aria-keyshortcuts="R" onClick={() => setPanel('reason')}>
        deny with a reason
      </TextButton>
      <span className="row end">
        <TextButton aria-pressed={showsRaw} onClick={onRaw}>
          raw
        </TextButton>
        <CopyButton text={text} />
      </span>
    </div>
  )
}
