import { Button } from '@/components/ui/button'
import { ForeignName } from '@/components/ui/foreign-text'
import type { RepairProposal } from '@/lib/strategies/propose-repair'
import { TextDiff } from '../evidence/text-diff'
import { footButton, cardNote } from '../look/card'
import { CardBody, CardFoot } from '../look/card-parts'

/** A repair that only adds markup. It runs nothing: the call then waits like any other. */
export function BrokenProposal({ raw, proposal, onUse }: { raw: string; proposal: RepairProposal; onUse: () => void }) {
  return (
    <CardBody>
      <p className={cardNote({ look: 'lead' })}>
        <strong className="me-1.5 font-medium text-text">A repair</strong> Only markup is missing:{' '}
        {proposal.added.map((part, index) => (
          <span key={index}>
            {index === 0 ? '' : ' before and '}
            <ForeignName text={part} />
          </span>
        ))}
        {proposal.added.length > 1 ? ' after it' : ''}.{proposal.mayGoOn ? ' It may have been going to say more.' : ''}
      </p>
      <TextDiff label="Before and after the repair" before={raw} after={proposal.text} />
      <CardFoot look="ruled">
        <Button className={footButton} onClick={onUse}>
          Use this call
        </Button>
        <span className="text-sm text-muted">It then waits for you like any other call.</span>
      </CardFoot>
    </CardBody>
  )
}
