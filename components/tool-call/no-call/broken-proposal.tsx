import { Button } from '@/components/ui/button'
import { withParts, type SentencePart } from '@/lib/base/sentence-part'
import type { RepairProposal } from '@/lib/strategies/propose-repair'
import { t } from '@/lib/i18n/t'
import { TextDiff } from '../evidence/text-diff'
import { SentenceParts } from '../sentence'
import { footButton, cardNote } from '../look/card'
import { CardBody, CardFoot } from '../look/card-parts'

/** A repair that only adds markup. It runs nothing: the call then waits like any other. */
export function BrokenProposal({ raw, proposal, onUse }: { raw: string; proposal: RepairProposal; onUse: () => void }) {
  return (
    <CardBody>
      <p className={cardNote({ look: 'lead' })}>
        <strong className="me-1.5 font-medium text-text">{t('no-call.repair')}</strong>{' '}
        <SentenceParts parts={addedWords(proposal)} />
      </p>
      <TextDiff label={t('no-call.repair-diff')} before={raw} after={proposal.text} />
      <CardFoot look="ruled">
        <Button className={footButton} onClick={onUse}>
          {t('no-call.use')}
        </Button>
        <span className="text-sm text-muted">{t('no-call.use-then')}</span>
      </CardFoot>
    </CardBody>
  )
}

const addedWords = ({ added: [before = '', after], mayGoOn }: RepairProposal): readonly SentencePart[] =>
  withParts((part) =>
    after === undefined
      ? t('no-call.repair-one', { added: part({ code: before }), mayGoOn })
      : t('no-call.repair-both', {
          before: part({ code: before }),
          after: part({ code: after }),
          mayGoOn,
        }),
  )
