import { coercionWords } from '@/lib/protocols/arguments/argument-words'
import { uncheckedSentence, uncheckedWords } from '@/lib/protocols/arguments/unchecked-words'
import { t } from '@/lib/i18n/t'
import { REPEATS_STOP, REPEATS_WARN } from '@/lib/shared/calls/chain-limits'
import { SentenceParts } from '../sentence'
import { useCall } from '../scope/call-scope'
import { formatName } from '../words/tool-words'
import { timesWords } from '../words/times-words'
import { cardSay } from '../styles/card'
import { Meta, Fact, MetaEnd } from '../styles/card-parts'

/** Changes of arguments that are named; a call may hold a thousand keys. */
const SAID_CHANGES = 6

/** What the call may touch, what was mended in it, and in which form it was written. */
export function CallMeta() {
  const { entry, tool } = useCall()
  const { call, overLimit, repeats } = entry
  const repairs = call.repairs.map((code) => t(`repair.${code}`))
  const unchecked = tool ? uncheckedWords(call.arguments, tool.parameters) : []
  return (
    <>
      <Meta>
        {tool ? <Fact>{t('card-waiting.files', { files: tool.capabilities.files })}</Fact> : null}
        {tool ? <Fact>{t('card-waiting.network', { network: tool.capabilities.network })}</Fact> : null}
        {repairs.length > 0 ? <Fact>{t('card-waiting.repairs', { count: repairs.length, repairs })}</Fact> : null}
        {call.coercions.slice(0, SAID_CHANGES).map((coercion, index) => (
          <Fact key={index}>
            <SentenceParts parts={coercionWords(coercion)} />
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
        <MetaEnd>{t('card-waiting.via', { strategy: formatName(call.dialect) })}</MetaEnd>
      </Meta>
      {repeats >= REPEATS_WARN ? (
        <p data-part="say" className={cardSay({ tone: 'amber' })}>
          {t('card-waiting.asked', { times: timesWords(repeats), clickOnly: repeats >= REPEATS_STOP })}
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
