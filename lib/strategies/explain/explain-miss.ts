import { withParts, type SentencePart } from '@/lib/base/sentence-part'
import { aCallOf } from '../call-words'
import { more, together, why } from './explanation'
import type { Explanation } from './explanation'
import { fenceRule, readsWords } from './explain-segment'
import { t } from '@/lib/i18n/t'
import { writtenFormOf } from './forms'
import type { FoundMiss } from './near-misses'
import type { Surroundings } from './surroundings'

/** Why a place that looks like a call is plain text. */
export function explainMiss(miss: FoundMiss, strategy: string, surroundings: Surroundings): Explanation {
  const fence = surroundings.fenceAt(miss.start)
  const outside = fence !== null && !writtenFormOf(strategy).fences.includes(fence.language)
  return {
    title: t(miss.code === 'mention' ? 'explain.title.mention' : 'explain.title.text'),
    tone: 'miss',
    name: miss.name,
    lines: [
      why(reason(miss)),
      more(together([readsWords(strategy, null), t('explain.plain')])),
      ...(outside && fence
        ? [more(together([t('explain.in.fence', { language: fence.language }), fenceRule(strategy)]))]
        : []),
    ],
  }
}

function reason({ code, name, like }: FoundMiss): readonly SentencePart[] {
  switch (code) {
    case 'unknown-action':
      return withParts((part) =>
        t('explain.miss.unknown-action', { key: part({ code: 'action' }), name: part({ code: name ?? '…' }) }),
      )
    case 'other-brackets':
      return [t('explain.miss.other-brackets', { call: aCallOf(like ?? '') })]
    case 'no-envelope':
    case 'no-name':
    case 'empty-envelope':
    case 'quoted-broken':
    case 'mention':
    case 'foreign-incomplete':
    case 'python-call':
      return [t(`explain.miss.${code}`)]
  }
}
