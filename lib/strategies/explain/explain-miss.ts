import { withParts, type SentencePart } from '@/lib/base/sentence-part'
import { aCallOf } from '../call-words'
import { more, together, why } from './explanation'
import type { Explanation } from './explanation'
import { fenceRule, readsWords } from './explain-segment'
import { explainSentence as say } from './explain-words'
import { writtenFormOf } from './forms'
import type { FoundMiss } from './near-misses'
import type { Surroundings } from './surroundings'

/** Why a place that looks like a call is plain text. */
export function explainMiss(miss: FoundMiss, strategy: string, surroundings: Surroundings): Explanation {
  const fence = surroundings.fenceAt(miss.start)
  const outside = fence !== null && !writtenFormOf(strategy).fences.includes(fence.language)
  return {
    title: say(miss.code === 'mention' ? 'explain.title.mention' : 'explain.title.text'),
    tone: 'miss',
    name: miss.name,
    lines: [
      why(reason(miss)),
      more(together([readsWords(strategy, null), say('explain.plain')])),
      ...(outside && fence
        ? [more(together([say('explain.in.fence', { language: fence.language }), fenceRule(strategy)]))]
        : []),
    ],
  }
}

function reason({ code, name, like }: FoundMiss): readonly SentencePart[] {
  switch (code) {
    case 'unknown-action':
      return withParts((part) =>
        say('explain.miss.unknown-action', { key: part({ code: 'action' }), name: part({ code: name ?? '…' }) }),
      )
    case 'other-brackets':
      return [say('explain.miss.other-brackets', { call: aCallOf(like ?? '') })]
    case 'no-envelope':
    case 'no-name':
    case 'empty-envelope':
    case 'quoted-broken':
    case 'mention':
    case 'foreign-incomplete':
    case 'python-call':
      return [say(`explain.miss.${code}`)]
  }
}
