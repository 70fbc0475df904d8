import { aCallOf } from '../call-words'
import { more, why } from './explanation'
import type { Explanation, ExplainLine } from './explanation'
import { fenceRule, markOf } from './explain-segment'
import { writtenFormOf } from './forms'
import type { FoundMiss } from './near-misses'
import type { Surroundings } from './surroundings'

/** Why a place that looks like a call is plain text. */
export function explainMiss(miss: FoundMiss, strategy: string, surroundings: Surroundings): Explanation {
  const fence = surroundings.fenceAt(miss.start)
  const outside = fence !== null && !writtenFormOf(strategy).fences.includes(fence.language)
  return {
    title: miss.code === 'mention' ? 'A mention, not a call' : 'Text, not a call',
    tone: 'miss',
    name: miss.name,
    lines: [
      reason(miss),
      more(`${strategy} reads `, ...writtenFormOf(strategy).reads, '. In a chat this is plain text.'),
      ...(outside && fence
        ? [more(`It stands in a code block ${markOf(fence.language)}. `, ...fenceRule(strategy))]
        : []),
    ],
  }
}

function reason({ code, name, like }: FoundMiss): ExplainLine {
  switch (code) {
    case 'no-envelope':
      return why('It names a tool and gives values, but the form around a call is missing.')
    case 'no-name':
      return why('It gives arguments, but no tool is named.')
    case 'empty-envelope':
      return why('The list of calls is empty: the model says that it needs no tool.')
    case 'unknown-action':
      return why('Its ', { code: 'action' }, ' is ', { code: name ?? '…' }, ', which is neither a call nor a tool.')
    case 'quoted-broken':
      return why('It begins like a call, but it stands in a quotation or is not whole; there nothing is mended.')
    case 'mention':
      return why('A call’s mark is only mentioned: no call follows it.')
    case 'other-brackets':
      return why(`It resembles ${aCallOf(like ?? '')}, but its marks are of another kind of bracket.`)
    case 'foreign-incomplete':
      return why('Another model’s format, and it is not whole. Only whole calls of other formats are recognised.')
    case 'python-call':
      return why('It is written as Python. A function call in the text is not a tool call.')
  }
}
