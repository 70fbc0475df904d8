import { coercionWords } from '@/lib/strategies/argument-words'
import { uncheckedSentence, uncheckedWords } from '@/lib/strategies/unchecked-words'
import { repairWords } from '@/lib/strategies/repair-words'
import { REPEATS_STOP, REPEATS_WARN } from '@/lib/calls/chain-limits'
import { waitingSentence } from '@/lib/words/card-waiting'
import { SentenceParts } from '../sentence'
import { useCall } from '../scope/call-scope'
import { formatName } from '../words/tool-words'
import { timesWords } from '../words/times-words'
import { cardSay } from '../look/card'
import { Meta, Fact, MetaEnd } from '../look/card-parts'

/** Changes of arguments that are named; a call may hold a thousand keys. */
const SAID_CHANGES = 6

/** What the call may touch, what was mended in it, and in which form it was written. */
export function CallMeta() {
  const { entry, tool } = useCall()
  const { call, overLimit, repeats } = entry
  const repairs = call.repairs.map((code) => repairWords[code])
  const unchecked = tool ? uncheckedWords(call.arguments, tool.parameters) : []
  return (
    <>
      <Meta>
        {tool ? <Fact>{waitingSentence('card-waiting.files', { files: tool.capabilities.files })}</Fact> : null}
        {tool ? <Fact>{waitingSentence('card-waiting.network', { network: tool.capabilities.network })}</Fact> : null}
        {repairs.length > 0 ? (
          <Fact>{waitingSentence('card-waiting.repairs', { count: repairs.length, repairs })}</Fact>
        ) : null}
        {call.coercions.slice(0, SAID_CHANGES).map((coercion, index) => (
          <Fact key={index}>
            <SentenceParts parts={coercionWords(coercion)} />
          </Fact>
        ))}
        {call.coercions.length > SAID_CHANGES ? (
          <Fact>{waitingSentence('card-waiting.more-changes', { count: call.coercions.length - SAID_CHANGES })}</Fact>
        ) : null}
        {unchecked.length > 0 ? (
          <Fact>
            <SentenceParts parts={uncheckedSentence(unchecked)} />
          </Fact>
        ) : null}
        <MetaEnd>{waitingSentence('card-waiting.via', { strategy: formatName(call.dialect) })}</MetaEnd>
      </Meta>
      {repeats >= REPEATS_WARN ? (
        <p data-part="say" className={cardSay({ tone: 'amber' })}>
          {waitingSentence('card-waiting.asked', { times: timesWords(repeats), clickOnly: repeats >= REPEATS_STOP })}
        </p>
      ) : null}
      {overLimit ? (
        <p data-part="say" className={cardSay({ tone: 'amber' })} role="note">
          {waitingSentence('card-waiting.over-limit', { ...overLimit })}
        </p>
      ) : null}
    </>
  )
}
