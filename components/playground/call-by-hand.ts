import type { JsonObject } from '@/lib/base/json'
import type { MessageCall } from '@/lib/calls/message-calls'

/** A call that no model wrote, as the card of one would have it. */
export const callByHand = (name: string, args: JsonObject): MessageCall => ({
  slot: 0,
  call: {
    kind: 'call',
    start: 0,
    end: 0,
    id: 'by_hand',
    name,
    arguments: args,
    standing: 'live',
    verdict: 'ok',
    repairs: [],
    coercions: [],
    dialect: '',
    problem: null,
  },
  runnable: true,
  asked: null,
  changed: false,
  lifted: false,
})
