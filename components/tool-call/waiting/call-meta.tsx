'use client'

import { uncheckedSentence, uncheckedText, coercionText } from '@/lib/protocols/arguments/validate'
import { t } from '@/lib/i18n/t'
import { SentenceParts } from '../sentence'
import { useCall } from '../scope/call-scope'
import { formatName } from '@/lib/protocols/types/strategy-facts'
import { timesText } from '../words/tool-name'
import { cardSay, cardNote, Meta, Fact, MetaEnd, CardBody } from '../styles/card'
import { ForeignName, ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import {
  markedPlaces,
  marksSentence,
  type CallToJudge,
  REPEATS_STOP,
  REPEATS_WARN,
} from '@/lib/shared/calls/click-reasons'
import { writesSkill } from '@/lib/shared/skills/skill-path'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { TextDiff } from '../evidence/text-diff'

/** The most argument changes that are named; a call may have a thousand keys. */
const SAID_CHANGES = 6

/** What the call may touch, what was repaired in it, and in which format it was written. */
export function CallMeta({ asksAlways }: { asksAlways: boolean }) {
  const { entry, tool } = useCall()
  const { call, overLimit, repeats } = entry
  const repairs = call.repairs.map((code) => t(`repair.${code}`))
  const unchecked = tool ? uncheckedText(call.arguments, tool.spec.parameters) : []
  return (
    <>
      <Meta>
        {tool ? <Fact>{t('card-waiting.files', { files: tool.policy.capabilities.files })}</Fact> : null}
        {tool ? <Fact>{t('card-waiting.network', { network: tool.policy.capabilities.network })}</Fact> : null}
        {tool ? <Fact>{t('card-waiting.asks', { always: asksAlways || writesSkill(call) })}</Fact> : null}
        {repairs.length > 0 ? <Fact>{t('card-waiting.repairs', { count: repairs.length, repairs })}</Fact> : null}
        {call.coercions.slice(0, SAID_CHANGES).map((coercion, index) => (
          <Fact key={index}>
            <SentenceParts parts={coercionText(coercion)} />
          </Fact>
        ))}
        {call.coercions.length > SAID_CHANGES ? (
          <Fact>{t('card-waiting.more-changes', { count: call.coercions.length - SAID_CHANGES })}</Fact>
        ) : null}
        {unchecked.length > 0 ? (
          <Fact>
            <SentenceParts parts={uncheckedSentence(unchecked)} />
          </Fact>
        ) : null}
        <MetaEnd wideOnly>{t('card-waiting.via', { strategy: formatName(call.dialect) })}</MetaEnd>
      </Meta>
      {writesSkill(call) ? (
        <p data-part="say" className={cardSay({ tone: 'amber' })} role="note">
          {t('card-waiting.skill')}
        </p>
      ) : null}
      {repeats >= REPEATS_WARN ? (
        <p data-part="say" className={cardSay({ tone: 'amber' })}>
          {t('card-waiting.asked', { times: timesText(repeats), clickOnly: repeats >= REPEATS_STOP })}
        </p>
      ) : null}
      {overLimit ? (
        <p data-part="say" className={cardSay({ tone: 'amber' })} role="note">
          {t('card-waiting.over-limit', { ...overLimit })}
        </p>
      ) : null}
    </>
  )
}

/** The most parts of a call that are named; a call may have a thousand. */
const SAID_PLACES = 5

/**
 * Which parts of a call contain misleading characters; the card may not show those parts elsewhere. `say`: the
 * consequence.
 */
export function MarksLine({ call, say }: { call: CallToJudge; say: (marks: string) => string }) {
  const marks = marksSentence(call)
  if (marks === '') return null
  const places = markedPlaces(call)
  return (
    <div data-part="say" className={cardSay({ tone: 'amber' })} role="note">
      <p>
        <SentenceText text={say(marks)} />
      </p>
      <ul>
        {places.slice(0, SAID_PLACES).map(({ at, around, reading }) => (
          <li key={at} className="truncate">
            {at === '' ? null : (
              <>
                <ForeignName text={at} />
                {': '}
              </>
            )}
            <ForeignText text={around} reading={reading} />
          </li>
        ))}
      </ul>
      {places.length > SAID_PLACES ? (
        <p>{t('card-waiting.more-marked', { count: places.length - SAID_PLACES })}</p>
      ) : null}
    </div>
  )
}

/** What a guess made of the text: the original beside the call format's own notation of the parsed call. */
export function GuessView() {
  const { raw, strategy, entry } = useCall()
  const { call } = entry
  const read = toolContextBuilder.get(strategy).formatCalls([{ name: call.name, arguments: call.arguments }])
  return (
    <CardBody>
      <p className={cardNote({ look: 'lead' })}>
        <strong className="me-1.5 font-medium text-text">{t('card-waiting.guess')}</strong>{' '}
        {t('card-waiting.guess-about')}
      </p>
      <TextDiff label={t('card-waiting.guess-compared')} before={raw} after={read} />
    </CardBody>
  )
}
